"""One text from its first byte to its last: read once, hashed as it lies there, decompressed when it is, framed.

- The digest is of the bytes as they lie there; a compressed text has a second one, of what is in it.
- Bytes are read in pieces that fit the nearest cache, so that hashing finds them there.
- A stream that breaks off or is corrupt is judged as far as it goes, and its fault is said beside the findings.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Protocol

from agentaudit.encoding.jsonl.framer import Framer
from agentaudit.encoding.jsonl.lanes import Lane
from agentaudit.encoding.jsonl.ledger import Framed
from agentaudit.encoding.streams import Faulty, compression_of, decompressed
from agentaudit.framing.opening import Readable, Unread, reason_of
from agentaudit.model.base import Digest
from agentaudit.model.framing import Compression, StreamFault

if TYPE_CHECKING:
    from agentaudit.framing.relay import Relay

PIECE_BYTES = 256 * 1024
_HEAD_BYTES = 4

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Checked:
    """A text that was read to its end: the bytes of its file, their digest, and what the framing found.

    For a compressed one `text_sha256` is the digest of the text, and `fault` what is wrong with the stream. `again`
    says that a process was lost which had a part in it, and that all of it was read again from the first byte.
    """

    bytes: int
    sha256: Digest
    framed: Framed
    compression: Compression | None = None
    text_sha256: Digest | None = None
    fault: StreamFault | None = None
    again: bool = False


def check(
    source: Readable, lane: Lane, named: Compression | None, progress: Progress, relay: "Relay | None" = None
) -> Checked:
    """Check a text to its end; `named` is the compression that its name says, `progress` is told of bytes read.

    A text is decompressed when its name or its first bytes say so; else it is the `relay`'s as far as that goes. Raises
    `Unread` when it cannot be read on.
    """
    if relay is None:
        return _checked(_Reading(source, progress, sha256()), lane, named, None)
    try:
        return _checked(_Reading(source, progress, relay.hash), lane, named, relay)
    except _Lost:
        _rewind(relay)
        return replace(_checked(_Reading(source, progress, sha256()), lane, named, None), again=True)


def _checked(reading: "_Reading", lane: Lane, named: Compression | None, relay: "Relay | None") -> Checked:
    framer = Framer(lane)
    try:
        compression = named or compression_of(reading.head())
        if compression is None:
            reading.into(framer, relay)
            return Checked(reading.octets, reading.digest(), framer.finish())
        text_sha256, fault = _unpack(reading, compression, framer)
        reading.skip()
        return Checked(reading.octets, reading.digest(), framer.finish(), compression, text_sha256, fault)
    except (Unread, _Lost):
        framer.abandon()
        raise


def _rewind(relay: "Relay") -> None:
    try:
        relay.rewind()
    except OSError as error:
        raise Unread(reason_of(error)) from None


def _unpack(reading: "_Reading", compression: Compression, framer: Framer) -> tuple[Digest, StreamFault | None]:
    """Frame the text of a stream as far as it goes; its digest, and what ended it before its end."""
    text = sha256()
    fault: StreamFault | None = None
    try:
        for piece in decompressed(reading, compression):
            text.update(piece)
            framer.feed(piece)
    except Faulty as broken:
        fault = broken.fault
    return Digest("sha256:" + text.hexdigest()), fault


class _Lost(Exception):
    """A process that had a part in the check is gone."""


class _Hash(Protocol):
    """What hashlib's digests and a relay's have in common."""

    def update(self, octets: memoryview, /) -> None:
        """Add the bytes."""
        ...

    def hexdigest(self) -> str:
        """The digest of all bytes so far."""
        ...


class _Reading:
    """The one pass over a source: every byte that is read is counted and hashed."""

    def __init__(self, source: Readable, progress: Progress, digest: _Hash) -> None:
        self._source = source
        self._progress = progress
        self._hash = digest
        self._head = b""
        self.octets = 0

    def head(self) -> bytes:
        """The first bytes; they come again with the first `read`."""
        room = memoryview(bytearray(_HEAD_BYTES))
        at = 0
        while at < len(room) and (taken := self._take(room[at:])):
            at += taken
        self._head = bytes(room[:at])
        return self._head

    def into(self, framer: Framer, relay: "Relay | None") -> None:
        """Everything from the first byte on, read where it is judged."""
        framer.feed(self._head)
        piece = PIECE_BYTES if relay is None else relay.measures.first_bytes
        while taken := self._take(framer.room()[:piece]):
            framer.filled(taken)
            if relay is not None and (begun := framer.lend()) is not None:
                self._relayed(relay, begun, framer)
                relay, piece = None, PIECE_BYTES

    def _relayed(self, relay: "Relay", begun: bytes, framer: Framer) -> None:
        """Everything that follows, as far as the relay goes."""
        try:
            reached = relay.run(self.octets, begun, framer, self._progress)
        except OSError as error:
            raise Unread(reason_of(error)) from None
        if reached is None:
            raise _Lost
        self.octets = reached

    def read(self, octets: int, /) -> bytes:
        """At most so many bytes; none at the end."""
        if self._head:
            head, self._head = self._head, b""
            return head
        room = memoryview(bytearray(octets))
        return bytes(room[: self._take(room)])

    def skip(self) -> None:
        """Hash what nobody wants to decompress any more."""
        while self.read(PIECE_BYTES):
            pass

    def digest(self) -> Digest:
        """The digest of every byte so far."""
        return Digest("sha256:" + self._hash.hexdigest())

    def _take(self, room: memoryview) -> int:
        try:
            taken = self._source.readinto(room) or 0
        except OSError as error:
            raise Unread(reason_of(error)) from None
        self._hash.update(room[:taken])
        self.octets += taken
        self._progress(self.octets)
        return taken
