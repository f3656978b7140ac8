"""One record of a log file, read into facts: ids, words, numbers, sizes, and never its texts.

- The kind is the record's `event_type`; a record without one is known by the type of its details, then of its log.
- The forms are those of the documentation's examples; a field of another form marks the record and is left alone.
- A text that is null or absent is a fact of its own: the source withheld it, or there was none.
"""

from dataclasses import dataclass
from typing import Final

from agentaudit.adapters.wording import identifier, number, time, tool_name, word
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.stream import KeyName

KNOWN: Final = frozenset({"PROMPT_RESPONSE_RECEIVED", "TOOL_CALL_COMPLETED", "APP_MCP_CALL", "ACCESS_TOKEN_CREATED"})
"""The kinds that are documented by name; others are read alike and marked."""

CODEX_LOG: Final = "CODEX_LOG"

_PROMPT: Final = "PROMPT_RESPONSE_RECEIVED"
_WORDS: Final = (
    "status", "decision", "tool_type", "model", "service_tier", "reasoning_effort", "phase", "error_code",
    "elicitation_type", "plugin_scope",
)  # fmt: skip
_NAMES: Final = ("tool_name", "name")
_KEYS: Final[tuple[tuple[str, KeyName], ...]] = (
    ("session_id", "session"), ("turn_id", "turn"), ("tool_call_id", "tool_call"), ("call_id", "call"),
)  # fmt: skip
_TOKENS: Final = ("input_tokens", "output_tokens", "cached_input_tokens", "reasoning_output_tokens")
_TEXTS: Final = (("prompt_text", "prompt_bytes"), ("response_text", "response_bytes"), ("tool_input", "input_bytes"))


@dataclass(frozen=True, slots=True)
class Record:
    """One record; `odd` names the fields of another form than documented, `withheld` marks texts that are not there."""

    kind: str
    log: str | None
    id: str | None
    at: str | None
    session: str | None
    keys: tuple[tuple[KeyName, str], ...]
    words: tuple[tuple[str, str], ...]
    numbers: tuple[tuple[str, int], ...]
    withheld: tuple[str, ...]
    odd: tuple[str, ...]

    @property
    def is_known(self) -> bool:
        """True for a kind that is documented by name."""
        return self.kind in KNOWN


def is_record(top: dict[str, Json]) -> bool:
    """True for an object that has what every record has: an id of its own, or a type and a time."""
    return "event_id" in top or ("type" in top and "timestamp" in top)


def read_record(top: dict[str, Json]) -> Record:
    """The facts of a record."""
    odd: list[str] = []
    told = mapping(top.get("event_details")) or {}
    log = _said(odd, "type", top.get("type"), word(top.get("type")))
    detail = _said(odd, "detail_type", told.get("detail_type"), word(told.get("detail_type")))
    kind = _said(odd, "event_type", top.get("event_type"), word(top.get("event_type"))) or detail or log or "unknown"
    keys = _keys(odd, top, told)
    return Record(
        kind=kind,
        log=log,
        id=_said(odd, "event_id", top.get("event_id"), identifier(top.get("event_id"))),
        at=_said(odd, "timestamp", top.get("timestamp"), time(top.get("timestamp"))),
        session=dict(keys).get("session"),
        keys=keys,
        words=_words(odd, top, told, log, None if detail == kind else detail),
        numbers=_numbers(told),
        withheld=_withheld(kind, told),
        odd=tuple(odd),
    )


def _keys(odd: list[str], top: dict[str, Json], told: dict[str, Json]) -> tuple[tuple[KeyName, str], ...]:
    actor, principal = mapping(top.get("actor")) or {}, mapping(top.get("principal")) or {}
    of_all = word(principal.get("type")) == "CHATGPT_WORKSPACE"
    owner: KeyName = "workspace" if of_all else "organization"
    named: tuple[tuple[KeyName, str, Json], ...] = (
        *((key, name, told.get(name)) for name, key in _KEYS),
        ("user", "user_id", actor.get("user_id")),
        ("account", "redacted_id", actor.get("redacted_id")),
        (owner, "principal", principal.get("id")),
        ("workspace", "workspace_id", top.get("workspace_id")),
    )
    found: dict[KeyName, str] = {}
    for key, name, item in named:
        read = _said(odd, name, item, identifier(item))
        if read is not None:
            found[key] = read
    return tuple(sorted(found.items()))


def _words(
    odd: list[str], top: dict[str, Json], told: dict[str, Json], log: str | None, detail: str | None
) -> tuple[tuple[str, str], ...]:
    actor, principal = mapping(top.get("actor")) or {}, mapping(top.get("principal")) or {}
    said = {
        "log": log,
        "detail": detail,
        "client": _said(odd, "client_id", top.get("client_id"), word(top.get("client_id"))),
        "actor": _said(odd, "actor", actor.get("type"), word(actor.get("type"))),
        "principal": _said(odd, "principal_type", principal.get("type"), word(principal.get("type"))),
        **{name: _said(odd, name, told.get(name), word(told.get(name))) for name in _WORDS},
        **{name: _said(odd, name, told.get(name), tool_name(told.get(name))) for name in _NAMES},
    }
    return tuple(sorted((name, text) for name, text in said.items() if text is not None))


def _numbers(told: dict[str, Json]) -> tuple[tuple[str, int], ...]:
    usage = mapping(told.get("token_usage")) or {}
    found = {name: whole for name in _TOKENS if (whole := number(usage.get(name))) is not None}
    for name, ours in _TEXTS:
        text = told.get(name)
        if isinstance(text, str):
            found[ours] = len(text.encode("utf-8", "surrogatepass"))
    return tuple(sorted(found.items()))


def _withheld(kind: str, told: dict[str, Json]) -> tuple[str, ...]:
    if kind != _PROMPT:
        return ()
    return tuple(f"{name}_absent" for name, _ in _TEXTS[:2] if told.get(name) is None)


def _said(odd: list[str], name: str, item: Json, read: str | None) -> str | None:
    """What was read; a thing that is there and could not be read is odd."""
    if read is None and item is not None:
        odd.append(name)
    return read
