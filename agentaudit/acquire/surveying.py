"""The survey of a store: its roots, every entry, what some files say, and the plan that follows.

- Nothing is written in the store, nothing is started, nothing but folders and a few small files is opened.
- The same survey serves a dry run and a preservation.
"""

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256

from agentaudit.acquire.peeking import Peeked, peek
from agentaudit.adapters.claude_code.planning import StorePlan, plan_store
from agentaudit.adapters.claude_code.policy import Denied, denied_files
from agentaudit.errors import SourceRefused
from agentaudit.model.base import Digest
from agentaudit.model.framing import label_of
from agentaudit.model.selection import BundleSelection
from agentaudit.model.survey import Seen
from agentaudit.model.text import SourceText, display
from agentaudit.sources.local.handles import Handles
from agentaudit.sources.local.owners import Owners
from agentaudit.sources.local.read import Reader, Unread
from agentaudit.sources.local.roots import Roots, Surrounding, find_roots
from agentaudit.sources.local.survey import find_moved, look_again, survey


@dataclass(frozen=True, slots=True)
class Survey:
    """What was found and what will be done with it."""

    roots: Roots
    peeked: Peeked
    plan: StorePlan


class Store:
    """The chosen roots, open for reading: one set of handles a root."""

    def __init__(self, roots: Roots, owners: Owners) -> None:
        """Use `open_store`."""
        self.roots = roots
        self.owners = owners
        self.handles: dict[str, Handles] = {}
        self.readers: dict[str, Reader] = {}
        self.denied: Denied = frozenset()

    def open(self) -> None:
        """Open every chosen root."""
        for root in self.roots.chosen:
            handles = Handles(root.path)
            self.handles[root.facts.root] = handles
            self.readers[root.facts.root] = Reader(handles, self.owners)

    def close(self) -> None:
        """Close every handle."""
        for handles in self.handles.values():
            handles.close()

    def entries(self) -> tuple[Seen, ...]:
        """Every entry of every root, in the order of the roots and their bytes."""
        found: list[Seen] = []
        for root in self.roots.chosen:
            with Handles(root.path) as own:  # reading between two entries wants other handles
                found.extend(survey(root.facts.root, own, self.owners))
        return tuple(found)

    def deny(self, entries: Iterable[Seen]) -> None:
        """Let no reader hand over a byte of a secret, under whatever name it is opened."""
        beside = {(look.device, look.inode) for look in self.roots.beside}
        self.denied = denied_files(entries) | beside
        for reader in self.readers.values():
            reader.deny(self.denied)

    def look_again(self, seen: Seen) -> Seen:
        """What lies at the path now."""
        return look_again(seen, self.handles[seen.root], self.owners)

    def find_moved(self, seen: Seen) -> Seen | None:
        """The very file under the same name in a sibling folder, or None."""
        return find_moved(seen, self.handles[seen.root], self.owners)


@contextlib.contextmanager
def open_store(selection: BundleSelection, around: Surrounding) -> Iterator[Store]:
    """The store that a selection names; SourceRefused (5) when there is no root at all to look into."""
    named = tuple(name.encode("utf-8", "surrogateescape") for name in _paths(selection.roots))
    roots = find_roots(named, around)
    if not roots.chosen:
        raise SourceRefused("there is no store at the place that was looked at", "name its folder with --root")
    store = Store(roots, Owners())
    try:
        store.open()
        yield store
    finally:
        store.close()


def take_survey(store: Store, selection: BundleSelection, number: int = 1) -> Survey:
    """Survey every root, read what explains it, and plan."""
    entries = store.entries()
    peeked = peek(entries, store.readers)
    denied = denied_files(entries) | {(look.device, look.inode) for look in store.roots.beside}
    plan = plan_store(number, entries, owners=peeked.owners, denied=denied, selection=selection, label_of=folder_label)
    return Survey(store.roots, peeked, plan)


def folder_label(name: SourceText) -> str:
    """The label that a survey shows for a name instead of the name."""
    return label_of(display(name))


def digest_of_excluded(seen: Seen, reader: Reader) -> Digest | None:
    """The digest of a file that stays out; None when it could not be read to its end."""
    digest = sha256()
    read = reader.read(seen, digest.update)
    return None if isinstance(read, Unread) else Digest(f"sha256:{digest.hexdigest()}")


def _paths(roots: tuple[SourceText, ...]) -> Iterator[str]:
    for root in roots:
        if isinstance(root, str):
            yield root
        else:
            yield bytes.fromhex(root.hex).decode("utf-8", "surrogateescape")
