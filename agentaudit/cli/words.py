"""Numbers, sizes, durations and times as a reader reads them.

- Pure: nothing here decides anything.
"""

_SMALL_BYTES = 10_000
_STEP = 1_000


def counted(count: int, noun: str) -> str:
    """`1 page`, `1,200 pages`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def sized(octets: int) -> str:
    """A size: bytes below 10,000, then kB, MB or GB of 1,000 with one decimal."""
    if octets < _SMALL_BYTES:
        return counted(octets, "byte")
    size, unit = octets / _STEP, "kB"
    for larger in ("MB", "GB"):
        if size < _STEP:
            break
        size, unit = size / _STEP, larger
    return f"{size:,.1f} {unit}"


def seconds(milliseconds: int) -> str:
    """A duration in whole seconds, from one up."""
    return f"{max(1, round(milliseconds / 1000))} s"


def minute(instant: str) -> str:
    """`2026-03-01 09:00` of an RFC 3339 text in UTC; any other text as it is."""
    utc = instant.endswith(("Z", "z", "+00:00"))
    return f"{instant[:10]} {instant[11:16]}" if utc and instant[10:11] in ("T", "t") else instant


def plainly(word: str) -> str:
    """One of our coded words, its underscores as spaces."""
    return word.replace("_", " ")
