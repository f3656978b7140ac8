"""The parsers that say yes to ordinary lines; the exact reader decides on everything that they refuse.

- A parser is taken for what it accepts: it must accept nothing that the grammar refuses, in a line that begins with
  a brace, and nothing of which a note has to be made (a lone surrogate escape, an integer beyond 64 bits).
- The simdjson binding is optional; without it the standard library does the same work more slowly.
- What a parser gives for an object lives until its next line.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Literal, NoReturn, assert_never

from agentaudit.encoding.jsonl.grammar import DEPTH_MAX
from agentaudit.encoding.jsonl.rows import RowLike
from agentaudit.encoding.nesting import nests_beyond

# What the parsers raise for a line that they refuse, and what a value that is no object raises when asked for a name.
REFUSALS = (ValueError, TypeError, RuntimeError, IndexError)
NO_ANSWER = (KeyError, *REFUSALS)
EngineName = Literal["simdjson", "standard"]
Parse = Callable[[bytes], RowLike]

_SMALL_DIGITS = 18


@dataclass(frozen=True, slots=True)
class Engine:
    """A parser of one line, by name; `kind` is the name `type` as its objects take it fastest."""

    name: EngineName
    parse: Parse
    kind: str | bytes = "type"


def engine(name: EngineName) -> Engine:
    """The engine of that name with a parser of its own; ImportError when it is not installed."""
    match name:
        case "simdjson":
            # A name as text is encoded again for each line.
            return Engine(name, import_module("simdjson").Parser().parse, b"type")
        case "standard":
            return Engine(name, _parse)
        case _:
            assert_never(name)


def engine_names() -> tuple[EngineName, ...]:
    """The engines that are installed, the fastest first."""
    return ("standard",) if find_spec("simdjson") is None else ("simdjson", "standard")


class _Pairs:
    """An object as the standard library reads it, duplicates kept."""

    __slots__ = ("_pairs",)

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        self._pairs = pairs

    def __getitem__(self, name: str, /) -> object:
        """The value of the first member of that name."""
        for standing, value in self._pairs:
            if standing == name:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        """The names in their order."""
        return (name for name, _ in self._pairs)


def _parse(line: bytes) -> RowLike:
    if nests_beyond(line, DEPTH_MAX):
        # How deep the standard library goes is its release's own.
        raise ValueError("nested deeper than is good")
    text = line.decode()
    if "\\ud" in text or "\\uD" in text:
        raise ValueError("an escape that may be half a pair")
    row: object = _DECODER.decode(text)
    if not isinstance(row, _Pairs):
        raise TypeError("no object")
    return row


def _refuse(_word: str) -> NoReturn:
    raise ValueError("no JSON word")


def _integer(digits: str) -> int:
    if len(digits) > _SMALL_DIGITS:
        raise ValueError("an integer that may be beyond 64 bits")
    return int(digits)


def _fraction(_digits: str) -> None:
    """Fractions are never converted."""


_DECODER = json.JSONDecoder(object_pairs_hook=_Pairs, parse_constant=_refuse, parse_int=_integer, parse_float=_fraction)
