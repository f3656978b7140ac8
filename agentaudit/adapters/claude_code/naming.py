"""The payload names of a preserved store: neutral counters by role (FORMAT.md, section 2.6).

- A name says root, session key and role; the true name stands in the entry's row alone.
- Counters run in the order of the survey, one for each root, session and role: never in the order of reading.
- A file that is read again because it changed gets `-2`, `-3` after its counter; every read is kept.
"""

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from agentaudit.adapters.claude_code.roles import Role

_LINES = "jsonl"
_JSON = "json"
_TEXT = "txt"
_ANY = "bin"

JSON_LINES_ROLES: frozenset[Role] = frozenset(
    {
        "transcript", "transcript_copy", "old_agent", "subagent", "workflow_agent", "workflow_journal", "history",
        "desktop_audit",
    }
)  # fmt: skip

_NAMES: Mapping[Role, tuple[str, str]] = MappingProxyType(
    {
        "transcript": ("transcript", _LINES),
        "transcript_copy": ("transcript-copies", _LINES),
        "old_agent": ("agents-beside", _LINES),
        "old_sidecar": ("agents-beside-meta", _JSON),
        "subagent": ("subagents", _LINES),
        "subagent_sidecar": ("subagents-meta", _JSON),
        "workflow_agent": ("workflow-agents", _LINES),
        "workflow_sidecar": ("workflow-agents-meta", _JSON),
        "workflow_journal": ("workflow-journals", _LINES),
        "workflow_record": ("workflows", _ANY),
        "tool_result": ("tool-results", _TEXT),
        "session_file": ("other", _ANY),
        "file_history": ("file-history", _ANY),
        "tasks": ("tasks", _ANY),
        "todos": ("todos", _JSON),
        "debug": ("debug", _TEXT),
        "image": ("images", _ANY),
        "history": ("history", _LINES),
        "index": ("index", _JSON),
        "memory": ("memory", _TEXT),
        "plan": ("plans", _TEXT),
        "settings": ("settings", _JSON),
    }
)


class Namer:
    """Gives each preserved entry its name; ask in the order of the survey."""

    def __init__(self, agent: str) -> None:
        """`agent` is the first folder below `data/`."""
        self._agent = agent
        self._counters: Counter[tuple[str, str]] = Counter()

    def name(self, root: str, session: str | None, role: Role) -> str:
        """`data/claude-code/r1/s000012/subagents/000001.jsonl`; `shared` stands for what no session owns.

        The one transcript of a session is `transcript.jsonl` itself.
        """
        folder = f"data/{self._agent}/{root}/{session or 'shared'}"
        stem, suffix = _NAMES.get(role, (role.replace("_", "-"), _ANY))
        self._counters[folder, stem] += 1
        number = self._counters[folder, stem]
        if role == "transcript" and number == 1 and session is not None:
            return f"{folder}/{stem}.{suffix}"
        return f"{folder}/{stem}/{number:06d}.{suffix}"


def again(path: str, attempt: int) -> str:
    """The name of a later read of the same file: `transcript-2.jsonl` for attempt 2."""
    if attempt == 1:
        return path
    stem, _, suffix = path.rpartition(".")
    return f"{stem}-{attempt}.{suffix}"


def attribute_name(path: str, number: int) -> str:
    """The name of an extended attribute's value beside its file: `transcript.jsonl.x01`."""
    return f"{path}.x{number:02d}"
