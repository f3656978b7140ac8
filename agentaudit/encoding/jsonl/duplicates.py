"""Whether any object of a text, at any depth, names a member twice (RFC 8259, section 4).

- Names are compared as strings, not as they are escaped.
- A text that is, byte for byte, what a writer makes of nothing but dictionaries has no name twice: no dictionary has.
  Released agents write like that writer, so most texts need no more than this.
- The text must be grammatical; it is read by the standard library, and beyond its depth token by token.
"""

import json
import re

from agentaudit.encoding.jsonl.grammar import Octets
from agentaudit.encoding.jsonl.judging import BOM

_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\]:]', re.DOTALL)


class _Twice(Exception):
    """A name stands twice."""


def has_duplicate_name(line: Octets) -> bool:
    """True when a name stands twice in one object of the line."""
    if _is_of_dictionaries(line):
        return False
    try:
        _DECODER.decode(bytes(line).removeprefix(BOM).decode())
    except _Twice:
        return True
    except RecursionError:
        return _by_tokens(line)
    return False


def _is_of_dictionaries(line: Octets) -> bool:
    """True when the text is the writer's own of what the reader makes of it; false says nothing."""
    # Imported here: small inputs, and the process that only reads and hashes, do not pay for it.
    import orjson  # noqa: PLC0415

    try:
        return orjson.dumps(orjson.loads(line)) == line
    except (ValueError, TypeError, RecursionError):
        return False


def _names_once(pairs: list[tuple[str, object]]) -> None:
    """Keep nothing of an object but the question."""
    if len(dict(pairs)) != len(pairs):
        raise _Twice


def _by_tokens(line: Octets) -> bool:
    names: list[set[str]] = []
    last = b""
    for token in _TOKEN.finditer(line):
        mark = token.group()
        if mark in (b"{", b"["):
            names.append(set())
        elif mark in (b"}", b"]"):
            names.pop()
        elif mark == b":":
            name = str(json.loads(last))
            if name in names[-1]:
                return True
            names[-1].add(name)
        last = mark
    return False


# Numbers are never converted: their digits stay text.
_DECODER = json.JSONDecoder(object_pairs_hook=_names_once, parse_int=str, parse_float=str)
