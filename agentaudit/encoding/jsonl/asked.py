"""What is asked of a framing beyond the verdict on each line, and what its probes bring back.

- The verdict on a line never depends on what else is asked.
- A probe looks at one member of each good line: the way for an adapter to see versions, times or ids in the same
  pass. It is data, so that it works in any process; what it brings is the text's own and is its asker's to guard.
"""

from dataclasses import dataclass
from typing import TypeAlias

Word: TypeAlias = str | int

MAX_LINE_BYTES = 256 * 1024 * 1024
HEAD_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Probe:
    """A member below the names of `path`; its first `distinct_max` different words are counted, in file order.

    Words are strings of at most 4,096 characters and integers of 64 bits; anything else is passed over. With
    `distinct_max` 0 only the bounds are kept.
    """

    path: tuple[str, ...]
    distinct_max: int = 256


@dataclass(frozen=True, slots=True)
class Probed:
    """What a probe saw: words with their lines in order of appearance, the rest as a number, and the bounds.

    `least` and `greatest` are of the strings by code point, or of the integers when there is no string.
    """

    path: tuple[str, ...]
    words: tuple[tuple[Word, int], ...]
    beyond: int
    first: Word | None
    last: Word | None
    least: Word | None
    greatest: Word | None


@dataclass(frozen=True, slots=True)
class Asked:
    """The limit of a line that is judged, whether key sets are counted, the probes, and the second look.

    The second look finds duplicate keys and raw line separators in lines that begin before `second_look_bytes`;
    None: in every line; 0: in none.
    """

    max_line_bytes: int = MAX_LINE_BYTES
    keys: bool = False
    probes: tuple[Probe, ...] = ()
    second_look_bytes: int | None = HEAD_BYTES
