"""What lies beside telemetry and is none: settings of agents and Collectors, which may hold tokens.

- A name makes a file a candidate, its bytes decide: OTLP, another known form, the answer of a store, lines of JSON and
  what is no text are never settings, whatever they are called.
- Of settings only the switches that explain the telemetry are read.
"""

import re
from typing import Final

from agentaudit.adapters.handed_over.forms import plain
from agentaudit.adapters.handed_over.places import ADDED
from agentaudit.adapters.otlp.forms import HEAD_BYTES, named_form, shape_of
from agentaudit.adapters.otlp.tolerant import document_of
from agentaudit.adapters.settings.claude_code import switches_of as claude_switches
from agentaudit.adapters.settings.codex import switches_of as codex_switches
from agentaudit.adapters.stores.secret import folded
from agentaudit.encoding.foreign import NotJson, decode, mapping
from agentaudit.model.bundle import SwitchSetting

# Languages in which nobody writes telemetry; and documents of JSON whose name begins or ends with such a word.
_WORD: Final = r"(?:config(?:uration)?|settings|mcp|secrets)"
_NAME: Final = re.compile(
    rf"(?:\.?envrc|.*\.(?:ya?ml|toml|ini|conf|cfg|properties)"
    rf"|\.?(?:{_WORD}(?:[^a-z].*)?|.*[^a-z]{_WORD}|appsettings(?:\..*)?)\.json[5c]?){ADDED}",
    re.DOTALL,
)
# What a document has that is an answer of some store of events: a list under one of these names.
_ANSWERS: Final = (
    "data", "entries", "events", "items", "logs", "messages", "metrics", "records", "result", "results", "rows",
    "spans", "traces",
)  # fmt: skip
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def is_settings_name(name: bytes) -> bool:
    """True for a name that settings go by, or a copy of them."""
    return _NAME.fullmatch(folded(name)) is not None


def is_settings(octets: bytes) -> bool:
    """True for what a file of such a name holds, unless it is telemetry, lines of JSON, no text, or nothing at all.

    In doubt it is kept: a text that begins with a brace and is no document of JSON may be one that was cut.
    """
    text = plain(octets)
    if text.startswith(b"{"):
        return _is_document(text)
    if not text or _CONTROL.search(text) is not None or shape_of(text[:HEAD_BYTES]) == "console":
        return False
    # A table of TOML begins like an array of JSON.
    return not (text.startswith(b"[") and _is_json(text))


def switches_in(octets: bytes) -> tuple[SwitchSetting, ...]:
    """The known switches that settings of an agent set, in a fixed order."""
    text = plain(octets)
    try:
        return claude_switches(decode(text))
    except NotJson:
        return codex_switches(text)


def _is_json(text: bytes) -> bool:
    try:
        decode(text)
    except NotJson:
        return False
    return True


def _is_document(text: bytes) -> bool:
    """One object that is of none of the known forms, and no answer to a question."""
    try:
        members = mapping(decode(text))
    except NotJson:
        return False
    if members is None or "hits" in members or any(isinstance(members.get(name), list) for name in _ANSWERS):
        return False
    return not document_of(members).is_known and named_form(members) is None
