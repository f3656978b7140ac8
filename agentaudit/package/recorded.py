"""What an interrupted exhibit already holds: the index of its journal, by question.

- One pass, small memory: rows stay on disk and are read again by offset.
- A question that the journal answers is never asked again; what a walk learned is never written twice.
- A body is given back only when its bytes still have the journalled size and digest.
"""

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec

from agentaudit.encoding.canonical import encode
from agentaudit.errors import PackageFault
from agentaudit.format import layout
from agentaudit.format.chain import JOURNAL_CODEC, Break
from agentaudit.format.storefolds import kept_files
from agentaudit.model.base import Instant
from agentaudit.model.journal import (
    Act,
    Answered,
    Closed,
    Noted,
    Opened,
    PayloadFile,
    PeerSeen,
    Resumed,
    Unanswered,
    WalkBegan,
    WalkEnded,
)
from agentaudit.model.storejournal import Kept
from agentaudit.model.walk import Ask
from agentaudit.package.rows import read_log

Place = tuple[str, int, int]


class Recorded:
    """The index over one journal; `opened` is its first row."""

    def __init__(self, root: Path) -> None:
        """Index the journal of a partial exhibit; raises PackageFault when it does not begin with `opened`."""
        self.root = root
        self.rows = 0
        self.closed: Closed | None = None
        self.paths: set[str] = set()
        self.peers: set[str] = set()
        self._places: dict[Place, tuple[int, int]] = {}
        self._learned: set[bytes] = set()
        opened: Opened | None = None
        for link in read_log(root / layout.JOURNAL, JOURNAL_CODEC, Act):
            if isinstance(link, Break):
                break
            if isinstance(link.row, Opened):
                opened = link.row
            self._index(link.row, link.offset, link.length)
        if opened is None:
            raise PackageFault(f"{root} holds no journal that begins", "nothing was collected into it: begin anew")
        self.opened = opened

    def _index(self, row: Act, offset: int, length: int) -> None:
        self.rows += 1
        match row:
            case Answered():
                self._places[row.walk, row.page, row.ask] = (offset, length)
                self.paths.add(row.item.path)
            case Kept():
                self.paths.update(path for path, _, _ in kept_files(row))
            case Unanswered() if row.next == "gave_up":
                self._places[row.walk, row.page, row.ask] = (offset, length)
            case WalkBegan() | WalkEnded() | Noted():
                self._learned.add(_identity(row))
            case PeerSeen():
                self.peers.add(row.certificate_sha256)
            case Resumed():
                self.paths.update(aside.path for aside in row.set_aside)
                self.paths.update([row.torn_tail.path] if row.torn_tail else [])
            case Closed():
                self.closed = row
            case _:
                pass

    def knows(self, learned: WalkBegan | WalkEnded | Noted) -> bool:
        """True when an earlier run wrote this row."""
        return bool(self._learned) and _identity(learned) in self._learned

    def answer(self, ask: Ask) -> Answered | Unanswered | None:
        """The row that answers a question, or None: then it was never asked, or never answered for good."""
        place = self._places.get((ask.walk, ask.page, ask.ask))
        if place is None:
            return None
        with (self.root / layout.JOURNAL).open("rb") as stream:
            stream.seek(place[0])
            row = JOURNAL_CODEC.decode(stream.read(place[1])[:-1])
        return row if isinstance(row, Answered | Unanswered) else None

    def body(self, item: PayloadFile) -> bytes:
        """The bytes of an answer; raises PackageFault when they are no longer those that were journalled."""
        path = self.root / item.path
        try:
            descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
            with os.fdopen(descriptor, "rb") as stream:
                octets = stream.read(item.bytes + 1)
        except OSError:
            octets = b""
        if len(octets) != item.bytes or f"sha256:{sha256(octets).hexdigest()}" != item.sha256:
            raise PackageFault(
                f"{path} is not what the journal says", "seal it as it stands with `agentaudit seal`, and verify it"
            )
        return octets


class Nothing:
    """The index of an exhibit that has only begun."""

    peers: frozenset[str] = frozenset()
    closed: Closed | None = None

    def knows(self, learned: WalkBegan | WalkEnded | Noted) -> bool:
        """Never."""
        del learned
        return False

    def answer(self, ask: Ask) -> Answered | Unanswered | None:
        """None."""
        del ask
        return None

    def body(self, item: PayloadFile) -> bytes:
        """Nothing was journalled: nobody can ask for it."""
        raise PackageFault(f"{item.path} was never journalled")


def _identity(row: WalkBegan | WalkEnded | Noted) -> bytes:
    """A row without its envelope: what stays the same when it is learned again."""
    return sha256(encode(msgspec.structs.replace(row, seq=0, at=Instant(""), prev=""))).digest()[:16]


def payload_files(root: Path) -> Iterator[str]:
    """Every file below `data/`, as a path in the package; a link or special file is a PackageFault."""
    for folder, folders, files in os.walk(root / layout.DATA):
        folders.sort()
        for name in sorted([*files, *(entry for entry in folders if (Path(folder) / entry).is_symlink())]):
            path = Path(folder) / name
            if path.is_symlink() or not path.is_file():
                raise PackageFault(f"{path} is no regular file", "a partial exhibit holds nothing else: look at it")
            yield path.relative_to(root).as_posix()
