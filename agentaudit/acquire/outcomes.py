"""What a copy gave, in the form in which it goes from the process that copied to the one that holds the exhibit.

- The job does not travel: both sides have it. Nor does the state of a file that was what the survey had seen.
- What arrives is what was sent: `copied_of` gives back the `Copied` that `outcome_of` was given.
"""

from typing import TypeAlias, assert_never

import msgspec

from agentaudit.acquire.copying import Copied, CopyJob
from agentaudit.model.base import Digest
from agentaudit.model.bundle import TranscriptFacts
from agentaudit.model.codex import RolloutFacts
from agentaudit.model.framing import FramingFacts, StreamFault
from agentaudit.model.journal import PayloadFile
from agentaudit.sources.local.read import Read, Unread

Attributes: TypeAlias = tuple[tuple[bytes, bytes], ...] | None


class Full(msgspec.Struct, frozen=True, gc=False):
    """A `Copied` without its job."""

    read: Read | Unread
    item: PayloadFile | None
    framing: FramingFacts | None
    transcript: TranscriptFacts | None
    rollout: RolloutFacts | None
    stream_fault: StreamFault | None


class Plain(msgspec.Struct, frozen=True, gc=False):
    """A whole copy of a file that was, before and after, what the survey had seen, and whose lines were not read."""

    octets: int
    sha256: Digest
    attributes: Attributes
    access_time_kept: bool


Outcome: TypeAlias = Full | Plain


def outcome_of(copied: Copied) -> Outcome:
    """The short form where it says all, else the whole."""
    read, item = copied.read, copied.item
    if isinstance(read, Read) and item is not None and _is_plain(copied, read):
        return Plain(item.bytes, item.sha256, read.attributes, read.access_time_kept)
    return Full(read, item, copied.framing, copied.transcript, copied.rollout, copied.stream_fault)


def _is_plain(copied: Copied, read: Read) -> bool:
    """Whether nothing happened to the file, and nothing was found in it."""
    still = read.before is read.after is copied.job.seen.state and read.change == "none"
    whole = read.runs is None and not read.hole_bytes and read.before.size_bytes == read.taken
    found = (copied.framing, copied.transcript, copied.rollout, copied.stream_fault)
    return still and whole and found == (None, None, None, None)


def copied_of(job: CopyJob, outcome: Outcome) -> Copied:
    """The copy of that job; ValueError for a short form where the survey saw no state."""
    match outcome:
        case Full(read, item, framing, transcript, rollout, stream_fault):
            return Copied(job, read, item, framing, transcript, rollout, stream_fault)
        case Plain(octets, digest, attributes, quiet):
            item = PayloadFile(path=job.path, bytes=octets, sha256=digest)
            return Copied(job, _still(job, octets, attributes, access_time_kept=quiet), item, None, None)
        case _:
            assert_never(outcome)


def _still(job: CopyJob, octets: int, attributes: Attributes, *, access_time_kept: bool) -> Read:
    state = job.seen.state
    if state is None:
        raise ValueError("a file that was copied was looked at before")
    return Read(
        before=state,
        after=state,
        change="none",
        taken=octets,
        hole_bytes=0,
        runs=None,
        attributes=attributes,
        access_time_kept=access_time_kept,
    )
