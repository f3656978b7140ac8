"""The base of every value that is written to a package.

- Values are frozen, take keywords only, and refuse unknown fields when decoded.
- Sequences are tuples. Integers stay within 2^53-1 (RFC 8785 for this domain).
- Three states of knowledge: a value, `None` (known to be null), `UNSET` (absent, or not asked).
"""

import re
from datetime import UTC, datetime
from hashlib import sha256
from typing import NewType

import msgspec

UNSET = msgspec.UNSET
Unset = msgspec.UnsetType

Digest = NewType("Digest", str)
Instant = NewType("Instant", str)

INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z\Z", re.ASCII)


class Frozen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A value of the package format.

    It is made of values that were there before it, so it is part of no cycle: the collector need not go through it.
    """


def digest_of(octets: bytes | bytearray | memoryview) -> Digest:
    """`sha256:<64 hex digits>` of the octets (evidence format, section 3)."""
    return Digest("sha256:" + sha256(octets).hexdigest())


def instant_of(moment: datetime) -> Instant:
    """RFC 3339 in UTC with six digits and `Z`; a naive moment is refused with ValueError."""
    if moment.tzinfo is None:
        raise ValueError("a moment without an offset is no instant")
    return Instant(moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z"))


def moment_of(instant: str) -> datetime:
    """The aware moment of an RFC 3339 text; ValueError when it is naive or no timestamp."""
    moment = datetime.fromisoformat(instant)
    if moment.tzinfo is None:
        raise ValueError("a timestamp without an offset has no place in time")
    return moment
