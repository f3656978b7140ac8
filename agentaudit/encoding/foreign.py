"""Foreign JSON has one tolerant reader: the fast parser, then the standard one, then our own.

- A lone surrogate escape, a duplicate key (the last counts), a huge integer, deep nesting or a byte that is no
  UTF-8 inside a string never ends a walk.
- What nests too deep to be carried is `ELIDED`; the bytes on disk are untouched.
- Bytes are never repaired: what is no JSON to any of the three readers is `NotJson`.
"""

import json

import orjson

from agentaudit.encoding.nesting import DEPTH_MAX, nests_beyond
from agentaudit.encoding.skeleton import ELIDED, Elided, Json, NotJson, read_skeleton

__all__ = ["ELIDED", "Elided", "Json", "NotJson", "decode", "entries", "mapping"]


def decode(octets: bytes) -> Json:
    """The value of a JSON text; raises `NotJson`, whose text holds no content.

    A byte-order mark is passed over. NaN and Infinity are refused, as RFC 8259 does.
    """
    try:
        parsed: Json = orjson.loads(octets)
    except orjson.JSONDecodeError:
        return _decode_slowly(octets)
    return parsed


def _decode_slowly(octets: bytes) -> Json:
    text = octets.decode("utf-8-sig", "surrogateescape")
    if nests_beyond(octets, DEPTH_MAX):
        # How deep the standard library goes is its release's own: the same text has to have the same value everywhere.
        return read_skeleton(text)
    try:
        parsed: Json = json.loads(text, parse_constant=_refuse)
    except ValueError:
        # That covers integers beyond the interpreter's digit limit: the skeleton turns them into floats.
        return read_skeleton(text)
    return parsed


def _refuse(_name: str) -> float:
    raise NotJson("NaN and Infinity are no JSON")


def mapping(item: Json) -> dict[str, Json] | None:
    """The object, or None when the value is anything else."""
    return item if isinstance(item, dict) else None


def entries(item: Json) -> list[Json] | None:
    """The array, or None when the value is anything else."""
    return item if isinstance(item, list) else None
