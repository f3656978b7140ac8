"""One read of one local file: copied, hashed, framed and counted in the same pass.

- A job is plain data, so that it can be done in this process or in another.
- The bytes of the copy are the bytes that were read: nothing is interpreted before it is written.
- Nothing is read twice but a file that grew meanwhile: what was copied is its exact beginning when it still begins so.
- What the evidence holds never leaves in an error: a fault of the destination names the path alone.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from agentaudit.acquire.lines import gathered, gathering
from agentaudit.adapters.handed_over.withheld import Withheld
from agentaudit.model.bundle import TranscriptFacts
from agentaudit.model.codex import RolloutFacts
from agentaudit.model.framing import FramingFacts, StreamFault
from agentaudit.model.journal import PayloadFile
from agentaudit.model.local import nanoseconds_of
from agentaudit.model.selection import Keeper
from agentaudit.model.survey import Seen
from agentaudit.package.item import Item
from agentaudit.sources.local.read import Read, Reader, Unread

if TYPE_CHECKING:
    from agentaudit.acquire.sieving import Sieve

# So many of a hole's zeros are shown to a sieve at once.
ZEROS = 4096


class CopyJob(msgspec.Struct, frozen=True, gc=False):
    """One file to copy: what was seen of it, the payload name, whether it is read as JSON Lines, and by whom.

    `packed`: it is a compressed text of JSON Lines, which is looked into once its copy is there. `category` is what
    the survey let it through as.
    """

    seen: Seen
    path: str
    lines: bool
    stem: str | None
    agent: Keeper = "claude-code"
    role: str = ""
    packed: bool = False
    category: str = ""


class Copied(msgspec.Struct, frozen=True, gc=False):
    """The copy and what one read gave; `item` is None when not a byte came of a file that could not be read."""

    job: CopyJob
    read: Read | Unread
    item: PayloadFile | None
    framing: FramingFacts | None
    transcript: TranscriptFacts | None
    rollout: RolloutFacts | None = None
    stream_fault: StreamFault | None = None


def copy_file(job: CopyJob, reader: Reader, begin: Callable[[str], Item], tell: Callable[[int], None]) -> Copied:
    """Copy one file into a new item, which is begun with its first byte, or at its end where it has none.

    What a sieve holds back is not written: such a file is denied, whatever its survey said of it.
    Of a file that could not be read to its end, what was read is an item all the same, as far as a sieve had let it
    through: what was not judged is not written. `tell` is given the bytes of
    each stretch as it is copied; what it raises ends the copy. Raises DestinationFault when the copy cannot be written.
    """
    copy = _Copy(job, begin, tell)
    try:
        read = reader.read(job.seen, copy.take, copy.skip if copy.keeps_holes else None)
        if isinstance(read, Read):
            copy.let_through()
    except Withheld:
        read = Unread(problem="denied")
    if isinstance(read, Unread):
        return Copied(job, read, None if copy.begun is None else copy.begun.finish(), None, None)
    kept = copy.item().finish(_times(job.seen, read))
    if read.change == "grew" and read.runs is None:
        read = _proved(read, kept, reader.digest_again(job.seen, kept.bytes, lambda: tell(0)))
    if copy.facts is None:
        return Copied(job, read, kept, None, None)
    found = gathered(copy.facts)
    return Copied(job, read, kept, found.framing, found.transcript, found.rollout)


class _Copy:
    """One copy that is being made: `begun` is its item, once there is a byte of it."""

    __slots__ = ("_begin", "_path", "_sieve", "_tell", "begun", "facts")

    def __init__(self, job: CopyJob, begin: Callable[[str], Item], tell: Callable[[int], None]) -> None:
        self.begun: Item | None = None
        self.facts = gathering(job.agent, job.role, job.stem) if job.lines else None
        self._path = job.path
        self._begin = begin
        self._tell = tell
        self._sieve = _sieve_of(job)

    @property
    def keeps_holes(self) -> bool:
        """Holes stay holes, unless somebody has to see their zeros."""
        return self.facts is None and (self._sieve is None or not self._sieve.needs_all)

    def item(self) -> Item:
        """The item, begun now if it was not."""
        if self.begun is None:
            self.begun = self._begin(self._path)
        return self.begun

    def take(self, chunk: memoryview) -> None:
        """The next bytes of the file."""
        if self._sieve is None:
            self.item().write(chunk)
        else:
            self._sift(self._sieve, chunk)
        if self.facts is not None:
            self.facts.feed(chunk)
        self._tell(len(chunk))

    def skip(self, _at: int, length: int) -> None:
        """So many bytes of the file are a hole; as far as it has to be seen, it is written as the zeros that it is."""
        while self._sieve is not None and length:
            part = min(length, ZEROS)
            self._sift(self._sieve, bytes(part))
            length -= part
        if length:
            self.item().skip(length)

    def let_through(self) -> None:
        """The file was read: what a sieve still has may be written. Raises Withheld."""
        if self._sieve is not None and (rest := self._sieve.finish()):
            self.item().write(rest)

    def _sift(self, sieve: "Sieve", chunk: bytes | memoryview) -> None:
        """Write what comes through; a sieve that is settled is done with."""
        if octets := sieve.feed(chunk):
            self.item().write(octets)
        if sieve.settled:
            self._sieve = None


def _sieve_of(job: CopyJob) -> "Sieve | None":
    """What judges the bytes of a handed-over file; in an agent's own store names and places decide alone."""
    if job.agent in ("claude-code", "codex"):
        return None
    # Imported here: whoever preserves an agent's own store needs none of it.
    from agentaudit.acquire.sieving import sieve_of  # noqa: PLC0415

    return sieve_of(job.agent, job.seen.parts[-1], job.category)


def _proved(read: Read, kept: PayloadFile, now: str | None) -> Read:
    """A file that was only appended to begins with the bytes of its copy still; else it was rewritten meanwhile.

    `now` is the digest of its beginning; where that cannot be had, that its tail is the same has to do.
    """
    same = now is None or kept.sha256 == f"sha256:{now}"
    return read if same else msgspec.structs.replace(read, change="rewritten")


def _times(seen: Seen, read: Read) -> tuple[int, int]:
    """Access and modification time before the read; as numbers where it found the very state that the survey saw."""
    if seen.look is not None and read.before is seen.state:
        return seen.look.accessed_ns, seen.look.modified_ns
    return nanoseconds_of(read.before.accessed_at), nanoseconds_of(read.before.modified_at)
