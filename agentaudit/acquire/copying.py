"""One read of one local file: copied, hashed, framed and counted in the same pass.

- A job is plain data, so that it can be done in this process or in another.
- The bytes of the copy are the bytes that were read: nothing is read twice, nothing is interpreted before it is
  written.
- What the evidence holds never leaves in an error: a fault of the destination names the path alone.
"""

from collections.abc import Callable
from dataclasses import dataclass

from agentaudit.adapters.claude_code.transcript import TranscriptReading
from agentaudit.encoding.jsonl.framer import framing
from agentaudit.model.bundle import TranscriptFacts
from agentaudit.model.framing import FramingFacts
from agentaudit.model.journal import PayloadFile
from agentaudit.model.local import nanoseconds_of
from agentaudit.model.survey import Seen
from agentaudit.package.item import Item
from agentaudit.sources.local.read import Read, Reader, Unread

LINE_MAX_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class CopyJob:
    """One file to copy: what was seen of it, the payload name, and whether it is read as JSON Lines."""

    seen: Seen
    path: str
    lines: bool
    stem: str | None


@dataclass(frozen=True, slots=True)
class Copied:
    """The copy and what one read gave; `item` is None when the file could not be read to its end."""

    job: CopyJob
    read: Read | Unread
    item: PayloadFile | None
    framing: FramingFacts | None
    transcript: TranscriptFacts | None


class LineCutter:
    """Cuts chunks into lines without their line feeds; a line over the bound is passed over, not kept in memory."""

    def __init__(self, take: Callable[[bytes], None]) -> None:
        """`take` is given each whole line."""
        self._take = take
        self._rest = bytearray()
        self._lost = False

    def feed(self, chunk: memoryview) -> None:
        """Take the next bytes."""
        octets = bytes(chunk)
        at = 0
        while (end := octets.find(b"\n", at)) >= 0:
            self._line(octets[at:end])
            at = end + 1
        self._keep(octets[at:])

    def finish(self) -> None:
        """The last line may have no line feed."""
        if self._rest or self._lost:
            self._line(b"")

    def _line(self, tail: bytes) -> None:
        if self._lost or len(self._rest) + len(tail) > LINE_MAX_BYTES:
            self._rest.clear()
            self._lost = False
            return
        if self._rest:
            tail = bytes(self._rest) + tail
            self._rest.clear()
        if tail:
            self._take(tail)

    def _keep(self, tail: bytes) -> None:
        if len(self._rest) + len(tail) > LINE_MAX_BYTES:
            self._rest.clear()
            self._lost = True
        elif not self._lost:
            self._rest += tail


class _Facts:
    """What is gathered of a file of JSON Lines beside its copy."""

    def __init__(self, job: CopyJob) -> None:
        self._feed = framing()
        self._reading = TranscriptReading(job.stem)
        self._cutter = LineCutter(self._reading.see_line)

    def take(self, chunk: memoryview) -> None:
        self._feed.feed(chunk)
        self._cutter.feed(chunk)

    def finish(self) -> tuple[FramingFacts, TranscriptFacts]:
        self._cutter.finish()
        return self._feed.finish().facts, self._reading.facts()


def copy_file(job: CopyJob, reader: Reader, begin: Callable[[str], Item]) -> Copied:
    """Copy one file into a new item, which is begun with its first byte, or at its end where it has none.

    Of a file that could not be read to its end, what was read is an item all the same. Raises DestinationFault when
    the copy cannot be written.
    """
    facts = _Facts(job) if job.lines else None
    begun: list[Item] = []

    def item() -> Item:
        if not begun:
            begun.append(begin(job.path))
        return begun[0]

    def take(chunk: memoryview) -> None:
        item().write(chunk)
        if facts is not None:
            facts.take(chunk)

    read = reader.read(job.seen, take, None if facts is not None else lambda _at, length: item().skip(length))
    if isinstance(read, Unread):
        return Copied(job, read, begun[0].finish() if begun else None, None, None)
    times = (nanoseconds_of(read.before.accessed_at), nanoseconds_of(read.before.modified_at))
    kept = item().finish(times)
    framing, transcript = facts.finish() if facts is not None else (None, None)
    return Copied(job, read, kept, framing, transcript)
