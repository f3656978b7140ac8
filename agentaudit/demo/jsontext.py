"""JSON as text: the one place where values become characters and characters become bytes.

Laws:
    - Members keep the order in which they are given.
    - Non-ASCII travels as UTF-8; only what UTF-8 cannot hold (a lone surrogate) travels as an escape.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

_LONE = re.compile("[\ud800-\udfff]")
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)


def text_of(value: Json) -> str:
    """Compact JSON text of a value; lone surrogates stay in the text until the bytes are made."""
    return _ENCODER.encode(value)


def object_of(*members: tuple[str, str]) -> str:
    """An object from names and values that are JSON text already."""
    return "{" + ",".join(f"{_ENCODER.encode(name)}:{value}" for name, value in members) + "}"


def wire_bytes(text: str) -> bytes:
    r"""UTF-8 of JSON text; a lone surrogate becomes its ``\\udXXX`` escape, which strict readers refuse."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return _LONE.sub(lambda found: f"\\u{ord(found.group()):04x}", text).encode("utf-8")


def stamp(at: datetime) -> str:
    """RFC 3339 in UTC with ``Z``: whole seconds, or six digits when there is a fraction (section 4)."""
    moment = at.astimezone(UTC)
    form = "%Y-%m-%dT%H:%M:%S.%fZ" if moment.microsecond else "%Y-%m-%dT%H:%M:%SZ"
    return moment.strftime(form)
