"""The survey of a store: its roots, every entry, what some files say, and the plan that follows.

- Nothing is written in the store, nothing is started, nothing but folders and a few small files is opened.
- The same survey serves a dry run and a preservation.
"""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import TypeAlias

from agentaudit.acquire.kinds import Given, Plan, StoreKind, kind_of
from agentaudit.acquire.peeking import Peeked, peek_managed, peek_releases
from agentaudit.adapters.claude_code.releases import ROOT_NAME
from agentaudit.adapters.stores.ruling import Denied
from agentaudit.errors import SourceRefused
from agentaudit.model.base import UNSET, Digest, instant_of
from agentaudit.model.local import Root, octets_of
from agentaudit.model.selection import HandedOver, StoreSelection, keeper_of
from agentaudit.model.survey import Seen
from agentaudit.sources.local.handles import Handles
from agentaudit.sources.local.owners import Owners
from agentaudit.sources.local.read import Reader, Unread
from agentaudit.sources.local.roots import FoundRoot, Only, Roots, Surrounding, find_handed_over, find_roots
from agentaudit.sources.local.survey import find_moved, look_again, survey

CHECK_EVERY = 256
# The words of a system that has the folder and does not let us in (errno(3)).
DENIED_ERRORS = frozenset({"EACCES", "EPERM"})

Check: TypeAlias = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Survey:
    """What was found and what will be done with it."""

    roots: Roots
    peeked: Peeked
    plan: Plan


class Store:
    """The chosen roots, open for reading: one set of handles a root.

    `readers` hand over no byte of a secret; `measures` no byte of a token, and serve for digests alone.
    """

    def __init__(self, roots: Roots, kind: StoreKind) -> None:
        """Use `open_store` or `open_roots`."""
        self.roots = roots
        self.kind = kind
        self.owners = Owners()
        self.handles: dict[str, Handles] = {}
        self.readers: dict[str, Reader] = {}
        self.measures: dict[str, Reader] = {}
        self.managed: bytes | None = None
        self.homes: Mapping[str, bytes] = {}
        self.denied: Denied = frozenset()
        self._tokens: Denied = frozenset()
        self._secrets: tuple[Seen, ...] = ()

    def open(self) -> None:
        """Open every chosen root; OSError when one cannot be."""
        for root in self.roots.chosen:
            handles = Handles(root.path)
            self.handles[root.facts.root] = handles
            self.readers[root.facts.root] = Reader(handles, self.owners)
            self.measures[root.facts.root] = Reader(handles, self.owners)

    def close(self) -> None:
        """Close every handle."""
        for handles in self.handles.values():
            handles.close()

    def entries(self, check: Check) -> tuple[Seen, ...]:
        """Every entry of every root, in the order of the roots and their bytes; `check` ends it by raising."""
        found: list[Seen] = []
        for root in self.roots.chosen:
            with Handles(root.path) as own:  # reading between two entries wants other handles
                for number, seen in enumerate(survey(root.facts.root, own, self.owners, root.only)):
                    found.append(seen)
                    if number % CHECK_EVERY == 0:
                        check()
        return tuple(found)

    def deny(self, entries: Iterable[Seen]) -> None:
        """Let no reader hand over a byte of a secret, under whatever name it is opened."""
        self._secrets = tuple(seen for seen in entries if self.kind.is_secret(seen.parts))
        self._deny(self._secrets)

    def deny_more(self, entries: Iterable[Seen]) -> None:
        """Nor a byte of the secrets among entries that appeared later."""
        found = tuple(seen for seen in entries if self.kind.is_secret(seen.parts))
        self._secrets = (*self._secrets, *found)
        self._deny(found)

    def look_again(self, seen: Seen) -> Seen:
        """What lies at the path now; secrets are looked at again too, for the path may lead to a new one."""
        self._deny(look_again(secret, self.handles[secret.root], self.owners) for secret in self._secrets)
        return look_again(seen, self.handles[seen.root], self.owners)

    def find_moved(self, seen: Seen) -> Seen | None:
        """The very file under the same name in a sibling folder, or None."""
        return find_moved(seen, self.handles[seen.root], self.owners)

    def _deny(self, secrets: Iterable[Seen]) -> None:
        found = tuple(secrets)
        beside = {(look.device, look.inode) for look in self.roots.beside}
        self.denied = self.denied | self.kind.denied_files(found) | beside
        self._tokens = self._tokens | self.kind.token_files(found)
        for reader in self.readers.values():
            reader.deny(self.denied)
        for reader in self.measures.values():
            reader.deny(self._tokens)


@contextlib.contextmanager
def open_store(selection: StoreSelection, around: Surrounding) -> Iterator[Store]:
    """The store that a selection names; SourceRefused (5) when there is no root at all to look into."""
    kind = kind_of(keeper_of(selection))
    roots = _roots(selection, around, kind)
    if not roots.chosen:
        if any(error in DENIED_ERRORS for _, error in roots.absent):
            raise SourceRefused("the system does not let the store be entered", "run this as a user who may read it")
        raise SourceRefused("there is no store at the place that was looked at", "name its folder with --root")
    with _opened(roots, kind, around) as store:
        yield store


def _roots(selection: StoreSelection, around: Surrounding, kind: StoreKind) -> Roots:
    if isinstance(selection, HandedOver) or kind.roots is None:
        paths = selection.paths if isinstance(selection, HandedOver) else selection.roots
        return find_handed_over(tuple(octets_of(path) for path in paths), around)
    return find_roots(tuple(octets_of(name) for name in selection.roots), around, kind.roots)


def _managed(roots: Roots, around: Surrounding) -> bytes | None:
    """The administrator's settings speak of this machine's store, not of one that was named: it may be an image."""
    return None if any(root.facts.found == "named" for root in roots.chosen) else around.managed


def _homes(roots: Roots, around: Surrounding) -> Mapping[str, bytes]:
    """The home that each root belongs to: the folder of one that lies in its usual place, else the user's own.

    A root that was named under another name may be a copy: what this user has installed says nothing of it.
    """
    found: dict[str, bytes] = {}
    for root in roots.chosen:
        folder, name = os.path.split(root.path)
        if name == ROOT_NAME:
            found[root.facts.root] = folder
        elif root.facts.found != "named" and around.home:
            found[root.facts.root] = around.home
    return found


@contextlib.contextmanager
def open_roots(recorded: Iterable[Root], around: Surrounding, selection: StoreSelection) -> Iterator[Store]:
    """The roots that an earlier survey recorded, under the same numbers; SourceRefused (5) when one is gone."""
    kind = kind_of(keeper_of(selection))
    wanted = tuple(root for root in recorded if root.found != "reported")
    only = _only(wanted, around, selection, kind)
    chosen = tuple(FoundRoot(root, octets_of(root.resolved), only.get(root.root)) for root in wanted)
    beside = find_roots((root.path for root in chosen), around, kind.roots).beside if kind.roots else ()
    roots = Roots(chosen=chosen, reported=(), absent=(), twice=(), beside=beside)
    with _opened(roots, kind, around) as store:
        yield store


def _only(
    recorded: Iterable[Root], around: Surrounding, selection: StoreSelection, kind: StoreKind
) -> Mapping[str, Only | None]:
    """Which entries of a recorded root are looked at, by its number: those that the first survey looked at."""
    if kind.roots is not None:
        apart = kind.roots.is_apart
        return {root.root: apart for root in recorded if root.found == "databases"}
    handed = {root.path: root.only for root in _roots(selection, around, kind).chosen}
    return {root.root: handed.get(octets_of(root.resolved)) for root in recorded}


@contextlib.contextmanager
def _opened(roots: Roots, kind: StoreKind, around: Surrounding) -> Iterator[Store]:
    """What lies beside the roots is told by a first and by a later run alike: a survey may be made anew."""
    store = Store(roots, kind)
    if kind.agent == "claude-code":
        store.managed, store.homes = _managed(roots, around), _homes(roots, around)
    try:
        try:
            store.open()
        except OSError:
            raise SourceRefused(
                "a root of the store cannot be entered any more", "bring it back, or close the exhibit with `seal`"
            ) from None
        yield store
    finally:
        store.close()


def take_survey(
    store: Store, selection: StoreSelection, number: int, check: Check, now: Callable[[], datetime] | None = None
) -> Survey:
    """Survey every root, read what explains it, and plan; `check` is called often and ends it by raising.

    `now` is the clock, where it is to be said when the explaining files were read.
    """
    entries = store.entries(check)
    store.deny(entries)
    read_at = UNSET if now is None else instant_of(now())
    peeked = store.kind.peek(entries, store.readers, selection)
    if store.managed is not None:
        peeked.switches += [(one.root, one.entry, one) for one in peek_managed(store.managed)]
    for root, home in store.homes.items():
        peeked.installed += peek_releases(root, home)
    peeked.read_at = read_at
    plan = store.kind.plan(Given(number, entries, peeked, store.denied, selection))
    return Survey(store.roots, peeked, plan)


def digest_of_excluded(seen: Seen, reader: Reader, check: Check) -> Digest | None:
    """The digest of a file that stays out; None when it could not be read to its end."""
    digest = sha256()

    def take(chunk: memoryview) -> None:
        digest.update(chunk)
        check()

    read = reader.read(seen, take)
    return None if isinstance(read, Unread) else Digest(f"sha256:{digest.hexdigest()}")
