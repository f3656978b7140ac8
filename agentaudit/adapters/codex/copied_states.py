"""What was in force in a rollout, as blocks of a working copy, and what is no more as it was before.

- A state stands as it is. What differs from the state of the same type before it in the same file is told member by
  member; ids of turns differ always and are not told.
"""

from collections.abc import Iterator
from typing import Final

from agentaudit.adapters.codex.copied import Members, shown
from agentaudit.adapters.stores.told import Facts, told
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.text import SourceText, display, source_text
from agentaudit.model.workingcopy import Block

SETTINGS: Final = "thread_settings_applied"
COMPACTED: Final = "compacted"
STATES: Final = frozenset({"session_meta", "session_head", "turn_context", "world_state"})

_COMPARED: Final = {"turn_context": "", SETTINGS: "thread_settings"}
_TURNS: Final = frozenset({"turn_id", "root_turn_id"})
_DEPTH_MAX: Final = 8


class Standing:
    """What the file said last, by type of state."""

    def __init__(self) -> None:
        self._last: dict[str, dict[str, SourceText]] = {}

    def changed(self, kind: str, values: dict[str, Json]) -> Facts:
        """What differs from the state of that type before it; nothing for the first one, or for a type not compared."""
        if kind not in _COMPARED:
            return ()
        member = _COMPARED[kind]
        now = dict(_flat("", mapping(values.get(member)) if member else values, 0))
        before, self._last[kind] = self._last.get(kind), now
        if before is None:
            return ()
        return tuple(
            (f"changed: {name}", source_text(f"{_said(before.get(name))} -> {_said(now.get(name))}"))
            for name in dict.fromkeys((*before, *now))
            if before.get(name) != now.get(name)
        )


def state_blocks(kind: str, state: Members) -> tuple[Block, ...]:
    """The state as it stands; in few words where its text cannot be cut out."""
    texts = shown(state.text)
    return (Block(kind="state", type=kind, way=state.way, texts=texts, facts=() if texts else state.facts()),)


def compacted_blocks(record: Members) -> tuple[Block, ...]:
    """What the model was given in the place of all before: the summary, then each item of the new history."""
    summary = record.word("message")
    said = (
        (Block(kind="text", type="message", way=record.way_to("message"), texts=(summary,)),)
        if isinstance(summary, SourceText)
        else ()
    )
    history = tuple(
        Block(kind="state", type="replacement_history", way=record.way_to("replacement_history", number),
              texts=shown(text))
        for number, text in enumerate(record.texts_in("replacement_history"))
    )  # fmt: skip
    return (*said, *history)


def _flat(prefix: str, values: dict[str, Json] | None, depth: int) -> Iterator[tuple[str, SourceText]]:
    """Every member that has no inside of its own, by the names that lead to it; lists as a whole."""
    for name, item in (values or {}).items():
        inner = mapping(item)
        if name in _TURNS:
            continue
        if inner and depth < _DEPTH_MAX:
            yield from _flat(f"{prefix}{name}.", inner, depth + 1)
        elif isinstance(item, list):
            yield display(source_text(f"{prefix}{name}")), source_text(_list(item))
        else:
            yield from told(f"{prefix}{name}", item)


def _list(items: list[Json]) -> str:
    """A list of words as these; of anything else how many there are, which is all that is compared then."""
    if all(isinstance(item, str) for item in items):
        return ", ".join(str(item) for item in items)
    return f"a list of {len(items):,}, in the raw bytes"


def _said(word: SourceText | None) -> str:
    return "not there" if word is None else display(word)
