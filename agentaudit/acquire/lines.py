"""The facts of a file of JSON Lines, gathered by the adapter whose file it is.

- Whose file it is is said by a word, so that another process finds the adapter by itself.
"""

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from agentaudit.adapters.claude_code.linefacts import LineFacts
from agentaudit.adapters.codex.linefacts import HomeLineFacts
from agentaudit.model.bundle import TranscriptFacts
from agentaudit.model.codex import RolloutFacts
from agentaudit.model.framing import FramingFacts
from agentaudit.model.selection import Keeper

Gathering: TypeAlias = LineFacts | HomeLineFacts


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a text came to; the facts of its records by the adapter that has them."""

    framing: FramingFacts | None = None
    transcript: TranscriptFacts | None = None
    rollout: RolloutFacts | None = None


def gathering(agent: Keeper, role: str, stem: str | None) -> Gathering:
    """Begin with a file of that role; `stem` is the session that its name states."""
    match agent:
        case "claude-code":
            return LineFacts(stem)
        case "codex":
            return HomeLineFacts(role, stem)
        case "telemetry" | "bridge" | "openai-logs":
            raise ValueError("handed-over files are not read line by line when they are copied")
        case _:
            assert_never(agent)


def gathered(lines: Gathering | None) -> Gathered:
    """The text is at its end; nothing is known of one whose lines were not read."""
    match lines:
        case LineFacts():
            framing, transcript = lines.finish()
            return Gathered(framing, transcript=transcript)
        case HomeLineFacts():
            framing, rollout = lines.finish()
            return Gathered(framing, rollout=rollout)
        case None:
            return Gathered()
        case _:
            assert_never(lines)
