"""One line of a rollout: its type and payload, its place and time, what a head says; all else is passed over.

- `line_in` and `line_of` agree on every line: the first reads text without making values of what it holds, and asks
  the tolerant reader where that does not fit.
- A member of a wrong type counts as absent; an ordinal is handed on whatever it is.
- A head is a `session_meta`, or the first line of an older release, which has an id and no type.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from agentaudit.encoding.envelope import Envelopes, Raw
from agentaudit.encoding.foreign import Json, NotJson, decode, mapping

HEAD: Final = "session_head"

_META: Final = "session_meta"
_NODES_MAX: Final = 64
_BRACE: Final = 0x7B


@dataclass(frozen=True, slots=True)
class Meta:
    """What a head says; `source` is the word, or the only key of an object, that tells how the session was started."""

    id: str | None
    cwd: str | None
    cli_version: str | None
    originator: str | None
    history_mode: str | None
    source: str | None
    forked_from: str | None
    parent: str | None


@dataclass(frozen=True, slots=True)
class Line:
    """One record; `role` is that of a message."""

    type: str | None
    payload_type: str | None
    role: str | None
    timestamp: str | None
    ordinal: Json
    enveloped: bool
    meta: Meta | None = None


class _Envelope(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    timestamp: str | None = None
    ordinal: int | float | None = None
    type: str | None = None
    role: str | None = None
    payload: Raw = Raw()


class _Payload(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    type: str | None = None
    role: str | None = None


_ENVELOPES: Final = Envelopes(_Envelope)
_PAYLOADS: Final = Envelopes(_Payload)
_NO_PAYLOAD: Final = _Payload()


def line_in(octets: bytes) -> Line | None:
    """The record of a line without its line feed; None when the line is no JSON object."""
    envelope = _ENVELOPES.read(octets)
    if envelope is None or envelope.type is None or envelope.type == _META:
        return line_of(_value(octets))
    text = memoryview(envelope.payload)
    payload: _Payload | None = _NO_PAYLOAD
    if text and text[0] == _BRACE:
        payload = _PAYLOADS.read(envelope.payload)
    if payload is None:
        return line_of(_value(octets))
    return Line(
        type=envelope.type,
        payload_type=payload.type,
        role=payload.role if text else envelope.role,
        timestamp=envelope.timestamp,
        ordinal=envelope.ordinal,
        enveloped=bool(text),
    )


def line_of(record: Json) -> Line | None:
    """The record of a value; None when it is no object."""
    members = mapping(record)
    if members is None:
        return None
    enveloped = "payload" in members
    payload = mapping(members.get("payload")) or {}
    kind = _text(members, "type")
    if kind is None and not enveloped:
        kind = _bare_kind(members)
    return Line(
        type=kind,
        payload_type=_text(payload, "type"),
        role=_text(payload if enveloped else members, "role"),
        timestamp=_text(members, "timestamp"),
        ordinal=members.get("ordinal"),
        enveloped=enveloped,
        meta=_meta(payload if enveloped else members) if kind in {_META, HEAD} else None,
    )


def _bare_kind(members: Mapping[str, Json]) -> str | None:
    """What a line without a type is in older releases: a head has an id and a time, a mark has its own type."""
    if _text(members, "id") is not None and _text(members, "timestamp") is not None:
        return HEAD
    return _text(members, "record_type")


def _meta(head: Mapping[str, Json]) -> Meta:
    source = head.get("source")
    return Meta(
        id=_text(head, "id"),
        cwd=_text(head, "cwd"),
        cli_version=_text(head, "cli_version"),
        originator=_text(head, "originator"),
        history_mode=_text(head, "history_mode"),
        source=source if isinstance(source, str) else next(iter(mapping(source) or {}), None),
        forked_from=_text(head, "forked_from_id"),
        parent=_text(head, "parent_thread_id") or _parent_in(source),
    )


def _parent_in(source: Json) -> str | None:
    """The thread that spawned this one, wherever in the source object it stands."""
    waiting = [source]
    for _ in range(_NODES_MAX):
        members = mapping(waiting.pop()) if waiting else None
        if members is None:
            continue
        parent = _text(members, "parent_thread_id")
        if parent is not None:
            return parent
        waiting.extend(members.values())
    return None


def _text(members: Mapping[str, Json], key: str) -> str | None:
    word = members.get(key)
    return word if isinstance(word, str) else None


def _value(octets: bytes) -> Json:
    """The value of a text; None for one that is no JSON."""
    try:
        return decode(octets)
    except NotJson:
        return None
