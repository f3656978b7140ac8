"""Appending to a hash-chained log: the journal and the custody log share this writer.

- The envelope (`seq`, `at`, `prev`) is stamped here and nowhere else.
- Rows are staged, then written with one call and made durable together.
- A log that was begun here can hold its rows, so that who folds them need not decode what this process encoded; it
  holds all of them, or, beyond `HELD_MAX`, none.
- The first error fails every later act: a log is never appended to after a failed write.
"""

import os
from collections.abc import Callable, Iterator
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from agentaudit.encoding.canonical import Codec, encode_line
from agentaudit.errors import AgentAuditError, DestinationFault, PackageFault
from agentaudit.format.chain import Break, Link, links
from agentaudit.model.base import Digest, instant_of
from agentaudit.model.custody import CustodyRow
from agentaudit.model.journal import ZERO, Act, CustodyHead
from agentaudit.package.disk import Disk, destination
from agentaudit.package.lock import try_lock, wait_lock

Row = TypeVar("Row", bound=Act | CustodyRow)

LINE_MAX = 16 * 1024 * 1024
HELD_MAX = 100_000


class Tail(msgspec.Struct, frozen=True, gc=False):
    """Where a chained log stands: rows, bytes, digest of its last line; and how many bytes lie torn behind it."""

    rows: int
    length: int
    head: str
    torn: int


class ChainLog(Generic[Row]):
    """A chained log that is open for appending and locked; close it, or leave it to the end of the process."""

    def __init__(self, path: Path, tail: Tail, descriptor: int, disk: Disk, now: Callable[[], datetime]) -> None:
        """Take over an open, locked descriptor; use `open_log` or `create_log`."""
        self.path = path
        self.tail = tail
        self.descriptor = descriptor
        self._disk = disk
        self._now = now
        self._staged: list[bytes] = []
        self._held: list[Link[Row]] | None = None
        self._failed = False
        self._closed = False

    def stage(self, row: Row) -> Row:
        """Stamp a row and hold it for the next `settle`; the stamped row is returned."""
        self.check()
        stamped = msgspec.structs.replace(row, seq=self.tail.rows + 1, at=instant_of(self._now()), prev=self.tail.head)
        line = encode_line(stamped)
        digest = sha256(line).hexdigest()
        if self._held is not None:
            self._hold(Link(stamped, self.tail.length, len(line), digest))
        self.tail = Tail(stamped.seq, self.tail.length + len(line), digest, 0)
        self._staged.append(line)
        return stamped

    def hold(self) -> None:
        """Hold each row from now on; ValueError for a log that has rows already."""
        if self.tail.rows:
            raise ValueError("a log is held from its first row, or not at all")
        self._held = []

    @property
    def held(self) -> tuple[Link[Row], ...] | None:
        """Every row of the log, as it was staged; None where they are not all held."""
        return None if self._held is None else tuple(self._held)

    def _hold(self, link: Link[Row]) -> None:
        if self._held is not None:
            self._held.append(link)
            if len(self._held) > HELD_MAX:
                self._held = None

    @property
    def staged(self) -> int:
        """How many rows are staged."""
        return len(self._staged)

    def settle(self, rows: int | None = None) -> None:
        """Write what is staged, or its first `rows`, and make it durable: they are committed when this returns."""
        self.check()
        lines = self._staged[:rows]
        if not lines:
            return
        self._failed = True
        with destination(self.path):
            self._disk.write(self.descriptor, b"".join(lines))
            self._disk.settle(self.descriptor)
        self._failed = False
        del self._staged[: len(lines)]

    def bar(self) -> None:
        """Refuse every later act: what the rows would speak of is not durable."""
        self._failed = True

    def check(self) -> None:
        """Raise DestinationFault after an earlier error."""
        if self._failed:
            raise DestinationFault(
                f"{self.path} was not written to after an earlier error", "run it again with --resume"
            )

    def close(self) -> None:
        """Close the log, once; what was staged and not settled is dropped."""
        if self._closed:
            return
        self._closed = True
        with destination(self.path):
            self._disk.close(self.descriptor)

    @property
    def head(self) -> CustodyHead:
        """The last row, as others refer to it."""
        return CustodyHead(seq=self.tail.rows, digest=Digest(f"sha256:{self.tail.head}"))


def create_log(path: Path, disk: Disk, now: Callable[[], datetime], kind: type[Row]) -> ChainLog[Row]:
    """A new, empty, locked log; the path must be free."""
    del kind  # only for the type checker: what the log will hold
    descriptor = disk.create(path)
    _lock(path, descriptor, disk, wait=False)
    return ChainLog(path, Tail(0, 0, ZERO, 0), descriptor, disk, now)


def open_log(
    path: Path, disk: Disk, now: Callable[[], datetime], codec: Codec, kind: type[Row], *, wait: bool
) -> ChainLog[Row]:
    """An existing log, locked, its chain walked to the end; a torn tail is left for the caller to set aside.

    Raises DestinationFault when another process holds it (unless `wait`), PackageFault when its chain is broken.
    """
    descriptor = disk.append_to(path)
    _lock(path, descriptor, disk, wait=wait)
    try:
        tail = find_tail(path, codec, kind)
    except AgentAuditError:
        disk.close(descriptor)
        raise
    return ChainLog(path, tail, descriptor, disk, now)


def _lock(path: Path, descriptor: int, disk: Disk, *, wait: bool) -> None:
    if wait:
        wait_lock(descriptor)
    elif not try_lock(descriptor):
        disk.close(descriptor)
        raise DestinationFault(f"{path} is in use by another run", "wait for that run to end, or stop it")


def find_tail(path: Path, codec: Codec, kind: type[Row]) -> Tail:
    """The end of the chain; raises PackageFault when a whole line breaks it."""
    rows, length, head = 0, 0, ZERO
    for link in read_log(path, codec, kind):
        if isinstance(link, Break):
            if link.rule == "torn":
                return Tail(rows, length, head, path.stat().st_size - length)
            raise PackageFault(f"{path} breaks its chain at line {link.line}", "look at it with `agentaudit verify`")
        rows, length, head = link.row.seq, length + link.length, link.sha256
    return Tail(rows, length, head, 0)


def read_log(path: Path, codec: Codec, kind: type[Row]) -> Iterator[Link[Row] | Break]:
    """Each row of a log as a `Link`, or the `Break` that ends it; a line over `LINE_MAX` counts as torn."""
    with destination(path):
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(descriptor, "rb") as stream:
        yield from links(iter(lambda: stream.readline(LINE_MAX), b""), codec, kind)
