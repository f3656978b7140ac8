"""The context of an organisation: its identifier, its retention periods, and scopes that nobody should hold.

- The layout of the settings is not documented to the last member: a period is looked for at the top and in the
  rows, and what is not found is not stated.
- A period speaks of the setting now; what was captured under another setting lives by that one (section 6).
"""

from collections.abc import Iterator

from agentaudit.adapters.answers import Unreadable, read_object
from agentaudit.adapters.compliance.errors import read_error
from agentaudit.encoding.foreign import Json, entries, mapping
from agentaudit.model.headers import Headers, header

PERIODS = "data_retention_periods"
DELETE_SCOPE = "delete:"

_OK = 200
_FORBIDDEN = 403
_WORD_CHARS_MAX = 64


def organization_id(entry: Json) -> str | None:
    """The UUID of an entry of the organisations list, when it can be asked for."""
    found = (mapping(entry) or {}).get("uuid")
    return found if isinstance(found, str) and _is_plain(found) else None


def retention_periods(settings: Json) -> tuple[tuple[str, str], ...]:
    """Each period as (kind of data, `fixed 30 day` or `indefinite`), in the order of their names."""
    top = mapping(settings) or {}
    rows = (mapping(row) or {} for row in entries(top.get("data")) or [])
    candidates = [top.get(PERIODS), *(row.get("value") for row in rows if row.get("type") == PERIODS)]
    found: dict[str, str] = {}
    for candidate in candidates:
        found.update(_periods(mapping(candidate) or {}))
    return tuple(sorted(found.items()))


def delete_scope_warning(status: int, headers: Headers, body: bytes) -> str | None:
    """A sentence when an answer shows a key that may delete: a 403 that lists ours, or settings that list all.

    Collecting needs no such scope, and nothing but GET is ever sent (trap 25).
    """
    if status == _FORBIDDEN and DELETE_SCOPE in (read_error(status, headers, body).message or ""):
        return "this key may be able to delete: collect with a key that only reads"
    if status != _OK:
        return None
    settings = read_object(body, header(headers, "content-encoding"))
    if not isinstance(settings, Unreadable) and any(_may_delete(row) for row in _keys(settings)):
        return "an active key of this organisation may delete: check that it is not the one in use"
    return None


def _periods(periods: dict[str, Json]) -> Iterator[tuple[str, str]]:
    for name, given in periods.items():
        period = mapping(given) or {}
        words = (period.get(part) for part in ("type", "duration", "timescale"))
        text = " ".join(str(word) for word in words if isinstance(word, str | int) and not isinstance(word, bool))
        if text and _is_plain(name) and _is_plain(text):
            yield name, text


def _keys(settings: Json) -> Iterator[dict[str, Json]]:
    for row in entries((mapping(settings) or {}).get("api_keys")) or []:
        key = mapping(row)
        if key is not None:
            yield key


def _may_delete(key: dict[str, Json]) -> bool:
    scopes = entries(key.get("scopes")) or []
    return key.get("is_active") is not False and any(
        isinstance(scope, str) and scope.startswith(DELETE_SCOPE) for scope in scopes
    )


def _is_plain(word: str) -> bool:
    return word.isascii() and word.isprintable() and 0 < len(word) <= _WORD_CHARS_MAX and word not in {".", ".."}
