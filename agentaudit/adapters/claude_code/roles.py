"""What an entry of the store is, from its path alone (local reference, section 1.2).

- A path is never decoded: the name of a project folder is a name and says nothing about a place.
- A root inside a root (`.claude` below a task of the desktop application) has the same roles, and its path as `nested`.
- Only names of secrets are compared without case: see `secrets`.
- What is in no table is `unknown`, and keeps the project and session that its path states.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, Literal, TypeAlias

import msgspec

from agentaudit.adapters.claude_code.secrets import secret_of
from agentaudit.adapters.stores.secret import Secret
from agentaudit.model.local import true_name
from agentaudit.model.survey import Parts
from agentaudit.model.text import SourceText

Role = Literal[
    "transcript", "transcript_copy", "old_agent", "old_sidecar", "subagent", "subagent_sidecar", "workflow_agent",
    "workflow_sidecar", "workflow_journal", "workflow_record", "tool_result", "session_folder", "session_file",
    "project_folder", "memory", "index", "aliases", "file_history", "tasks", "todos", "debug", "image", "session_env",
    "history", "plan", "paste_cache", "shell_snapshot", "usage_data", "settings", "team", "running_session", "job",
    "feedback_bundle", "credentials", "config", "cache", "telemetry", "plugin", "installed", "authored",
    "desktop_record", "desktop_audit", "desktop_file", "store_folder", "unknown",
]  # fmt: skip

Category = Literal[
    "transcript", "subagents", "tool-results", "workflows", "file-history", "debug", "tasks", "todos", "images",
    "history", "plans", "memory", "paste-cache", "shell-snapshots", "session-env", "usage-data", "settings", "teams",
    "index", "running", "jobs", "feedback", "credentials", "caches", "telemetry", "plugins", "installed", "authored",
    "desktop", "other",
]  # fmt: skip

CATEGORY: Final[Mapping[Role, Category]] = {
    "transcript": "transcript", "transcript_copy": "transcript", "old_agent": "subagents", "old_sidecar": "subagents",
    "subagent": "subagents", "subagent_sidecar": "subagents", "workflow_agent": "subagents",
    "workflow_sidecar": "subagents", "workflow_journal": "workflows", "workflow_record": "workflows",
    "tool_result": "tool-results", "session_folder": "other", "session_file": "other", "project_folder": "other",
    "memory": "memory", "index": "index", "aliases": "index", "file_history": "file-history", "tasks": "tasks",
    "todos": "todos", "debug": "debug", "image": "images", "session_env": "session-env", "history": "history",
    "plan": "plans", "paste_cache": "paste-cache", "shell_snapshot": "shell-snapshots", "usage_data": "usage-data",
    "settings": "settings", "team": "teams", "running_session": "running", "job": "jobs",
    "feedback_bundle": "feedback", "credentials": "credentials", "config": "credentials", "cache": "caches",
    "telemetry": "telemetry", "plugin": "plugins", "installed": "installed", "authored": "authored",
    "desktop_record": "desktop", "desktop_audit": "desktop", "desktop_file": "desktop", "store_folder": "other",
    "unknown": "other",
}  # fmt: skip

# A path is asked for by what denies, peeks, plans and reads: of so many it is remembered, in some 25 MB.
PLACES_MAX: Final = 65_536

_Rule: TypeAlias = Callable[[Parts], "Placed"]

_UUID: Final = re.compile(rb"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_DESKTOP: Final = re.compile(rb"local_[0-9A-Za-z-]+(\.json)?\Z")
_SESSION_FOLDERS: Final = frozenset({b"subagents", b"tool-results", b"workflows"})
_MEMORY: Final = b"memory"
_AGENT: Final = b"agent-"
_LINES: Final = b".jsonl"
_SIDECAR: Final = b".meta.json"


class Placed(msgspec.Struct, frozen=True, gc=False):
    """What the path says: role, category, and the session, project folder and agent that it names.

    `nested` is the path of the root inside the root, empty in the root itself. `secret` is set when it is denied.
    """

    role: Role
    session: SourceText | None = None
    project: SourceText | None = None
    agent: SourceText | None = None
    nested: Parts = ()
    secret: Secret | None = None

    @property
    def category(self) -> Category:
        """The category that `--include` and `--exclude` name."""
        return CATEGORY[self.role]


@lru_cache(PLACES_MAX)
def place_of(parts: Parts) -> Placed:
    """The place of a path below a root; never fails, whatever the names."""
    nested, inner = _split(parts)
    secret = secret_of(parts)
    if secret is not None:
        return Placed("credentials" if secret.holds == "token" else "config", nested=nested, secret=secret)
    if not inner:
        return Placed("store_folder", nested=nested)
    placed = _in_root(inner, top=not nested)
    return msgspec.structs.replace(placed, nested=nested) if nested else placed


def _split(parts: Parts) -> tuple[Parts, Parts]:
    """The path of a root inside the root, and the rest; a folder of the store's own is never such a root."""
    if b".claude" not in parts or parts[0] in _TOP:
        return (), parts
    at = len(parts) - parts[::-1].index(b".claude")
    return parts[:at], parts[at:]


def _in_root(parts: Parts, *, top: bool) -> Placed:
    rule = _TOP.get(parts[0])
    if rule is not None:
        return rule(parts)
    if len(parts) == 1 and (loose := _loose(parts[0])) is not None:
        return Placed(loose)
    return _desktop(parts) if top else Placed("unknown")


def _loose(name: bytes) -> Role | None:
    """A file at the top of a root."""
    if name in _FILES:
        return _FILES[name]
    if name.startswith(b"settings") and b".json" in name:
        return "settings"
    if name.endswith((b"-cache.json", b".lock")):
        return "cache"
    return "history" if name.startswith(b"history.jsonl") else None


def _desktop(parts: Parts) -> Placed:
    """A root of the desktop application's tasks: `<org>/<account>/local_<id>/` and its record beside it."""
    for part in parts[:3]:
        if _DESKTOP.match(part):
            session = true_name(part.removesuffix(b".json"))
            if part == parts[-1] and part.endswith(b".json"):
                return Placed("desktop_record", session)
            return Placed("desktop_audit" if parts[-1] == b"audit.jsonl" else "desktop_file", session)
    return Placed("desktop_audit" if parts == (b"audit.jsonl",) else "unknown")


def _project(parts: Parts) -> Placed:
    if len(parts) == 1:
        return Placed("store_folder")
    project = true_name(parts[1])
    if len(parts) == 2:  # noqa: PLR2004 - projects/<folder>
        return Placed("project_folder", project=project)
    return _project_entry(project, parts[2]) if len(parts) == 3 else _session_entry(project, parts[2:])  # noqa: PLR2004


def _project_entry(project: SourceText, name: bytes) -> Placed:
    """An entry of a project folder itself."""
    if name in _PROJECT_FILES:
        return Placed(_PROJECT_FILES[name], None, project)
    if name.startswith(_AGENT) and name.endswith((_LINES, _SIDECAR)):
        return Placed("old_agent" if name.endswith(_LINES) else "old_sidecar", None, project, _agent(name))
    session = _UUID.match(name)
    if session is None:
        if name.endswith(_LINES):
            return Placed("transcript", true_name(name[: -len(_LINES)]), project)
        return Placed("unknown", None, project)
    rest = name[session.end() :]
    role: Role = "transcript" if rest == _LINES else "transcript_copy" if rest else "session_folder"
    return Placed(role, true_name(session.group()), project)


def _session_entry(project: SourceText, parts: Parts) -> Placed:
    """An entry below a folder of a project: the session's, or the shared memory."""
    if parts[0] == _MEMORY:
        return Placed("memory", None, project)
    if parts[1] not in _SESSION_FOLDERS:
        if _UUID.fullmatch(parts[0]):
            return Placed("session_file", true_name(parts[0]), project)
        return Placed("unknown", None, project)
    session = true_name(parts[0])
    if len(parts) == 2:  # noqa: PLR2004 - <session>/<folder>
        return Placed("session_folder", session, project)
    if parts[1] == b"subagents":
        role, agent = _subagent(parts[2:])
        return Placed(role, session, project, agent)
    return Placed("tool_result" if parts[1] == b"tool-results" else "workflow_record", session, project)


def _subagent(parts: Parts) -> tuple[Role, SourceText | None]:
    """Role and agent of an entry below `subagents/`, at any depth; workflows keep a journal that is no conversation."""
    name, in_workflow = parts[-1], parts[0] == b"workflows"
    if name.startswith(_AGENT) and name.endswith(_LINES):
        return ("workflow_agent" if in_workflow else "subagent"), _agent(name)
    if name.startswith(_AGENT) and name.endswith(_SIDECAR):
        return ("workflow_sidecar" if in_workflow else "subagent_sidecar"), _agent(name)
    return ("workflow_journal" if in_workflow and name == b"journal.jsonl" else "session_file"), None


def _agent(name: bytes) -> SourceText:
    return true_name(name[len(_AGENT) :].removesuffix(_LINES).removesuffix(_SIDECAR))


def _second(parts: Parts) -> Placed:
    """`transcripts/<session>.jsonl`: a second place of transcripts that one tool reads."""
    if len(parts) == 2 and parts[1].endswith(_LINES):  # noqa: PLR2004
        return Placed("transcript", true_name(parts[1][: -len(_LINES)]))
    return Placed("store_folder" if len(parts) == 1 else "unknown")


def _todo(parts: Parts) -> Placed:
    """`todos/<session>-agent-<agent>.json`."""
    session, found, agent = parts[-1].partition(b"-agent-")
    if not found or len(parts) == 1:
        return Placed("store_folder" if len(parts) == 1 else "todos")
    return Placed("todos", true_name(session), agent=true_name(agent.removesuffix(b".json")))


def _by_stem(role: Role) -> _Rule:
    """`debug/<session>.txt`: the session is what stands before the first dot, where it has the form of an id."""

    def rule(parts: Parts) -> Placed:
        if len(parts) == 1:
            return Placed("store_folder")
        session = _UUID.match(parts[-1])
        return Placed(role, true_name(session.group()) if session else None)

    return rule


def _by_folder(role: Role) -> _Rule:
    """`tasks/<session>/...`: the session is the folder."""

    def rule(parts: Parts) -> Placed:
        return Placed("store_folder") if len(parts) == 1 else Placed(role, true_name(parts[1]))

    return rule


def _shared(role: Role) -> _Rule:
    """A store that no session owns."""

    def rule(parts: Parts) -> Placed:
        return Placed("store_folder" if len(parts) == 1 else role)

    return rule


_PROJECT_FILES: Final[Mapping[bytes, Role]] = {
    b"sessions-index.json": "index", b".session-aliases": "aliases", _MEMORY: "memory",
}  # fmt: skip

_FILES: Final[Mapping[bytes, Role]] = {
    b"stats-cache.json": "cache", b"policy-limits.json": "cache", b"remote-settings.json": "cache",
    b".last-cleanup": "cache", b"managed-settings.json": "settings", b"CLAUDE.md": "authored",
    b"keybindings.json": "authored", b"loop.md": "authored",
}  # fmt: skip

_BY_FOLDER: Final[Mapping[bytes, Role]] = {
    b"file-history": "file_history", b"tasks": "tasks", b"image-cache": "image", b"session-env": "session_env",
}  # fmt: skip

_SHARED: Final[Mapping[bytes, Role]] = {
    b"plans": "plan", b"paste-cache": "paste_cache", b"shell-snapshots": "shell_snapshot", b"teams": "team",
    b"sessions": "running_session", b"jobs": "job", b"agent-memory": "memory", b"feedback-bundles": "feedback_bundle",
    b"cache": "cache", b"statsig": "telemetry", b"logs": "telemetry", b"telemetry": "telemetry", b"plugins": "plugin",
    b"local": "installed", b"security": "installed", b"skills": "authored", b"agents": "authored",
    b"commands": "authored", b"rules": "authored", b"output-styles": "authored", b"themes": "authored",
    b"workflows": "authored", b"hooks": "authored", b"scheduled-tasks": "authored",
}  # fmt: skip

_TOP: Final[Mapping[bytes, _Rule]] = {
    b"projects": _project,
    b"transcripts": _second,
    b"todos": _todo,
    b"debug": _by_stem("debug"),
    b"usage-data": _by_stem("usage_data"),
    **{name: _by_folder(role) for name, role in _BY_FOLDER.items()},
    **{name: _shared(role) for name, role in _SHARED.items()},
}
