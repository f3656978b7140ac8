"""Roles: what an entry is, from its path alone; no name of a project folder is ever decoded."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.claude_code.roles import CATEGORY, Role, place_of
from agentaudit.model.text import SourceText, Unencodable

S = "1c27c64e-5bd8-4142-9770-6171b4866689"
T = "5b50536b-fcfd-49c2-81b1-bb6cb637a10a"
P = "-home-u-my-app"

PATHS: tuple[tuple[str, Role, str | None, str | None, str | None], ...] = (
    # path, role, session, project, agent
    ("projects", "store_folder", None, None, None),
    (f"projects/{P}", "project_folder", None, P, None),
    (f"projects/{P}/{S}.jsonl", "transcript", S, P, None),
    (f"projects/{P}/named-by-a-caller.jsonl", "transcript", "named-by-a-caller", P, None),
    (f"projects/{P}/{S}.jsonl.bak", "transcript_copy", S, P, None),
    (f"projects/{P}/{S} (1).jsonl", "transcript_copy", S, P, None),
    (f"projects/{P}/{S}.jsonl.relocate-tmp", "transcript_copy", S, P, None),
    (f"projects/{P}/{S}", "session_folder", S, P, None),
    (f"projects/{P}/{S}/subagents", "session_folder", S, P, None),
    (f"projects/{P}/{S}/subagents/agent-ae68fce6dd53ecc35.jsonl", "subagent", S, P, "ae68fce6dd53ecc35"),
    (f"projects/{P}/{S}/subagents/agent-acompact-a1b2c3.jsonl", "subagent", S, P, "acompact-a1b2c3"),
    (f"projects/{P}/{S}/subagents/agent-x.meta.json", "subagent_sidecar", S, P, "x"),
    (f"projects/{P}/{S}/subagents/agent-x.jsonl.bak", "session_file", S, P, None),
    (f"projects/{P}/{S}/subagents/deeper/agent-y.jsonl", "subagent", S, P, "y"),
    (f"projects/{P}/{S}/subagents/workflows/wf_1/agent-z.jsonl", "workflow_agent", S, P, "z"),
    (f"projects/{P}/{S}/subagents/workflows/wf_1/agent-z.meta.json", "workflow_sidecar", S, P, "z"),
    (f"projects/{P}/{S}/subagents/workflows/wf_1/journal.jsonl", "workflow_journal", S, P, None),
    (f"projects/{P}/{S}/subagents/journal.jsonl", "session_file", S, P, None),
    (f"projects/{P}/{S}/tool-results/b0ni2e0vv.txt", "tool_result", S, P, None),
    (f"projects/{P}/{S}/workflows/wf_1.json", "workflow_record", S, P, None),
    (f"projects/{P}/{S}/anything/else", "session_file", S, P, None),
    (f"projects/{P}/own-id/tool-results/x.txt", "tool_result", "own-id", P, None),
    (f"projects/{P}/own-id/else/x.txt", "unknown", None, P, None),
    (f"projects/{P}/own-id", "unknown", None, P, None),
    (f"projects/{P}/memory", "memory", None, P, None),
    (f"projects/{P}/memory/MEMORY.md", "memory", None, P, None),
    (f"projects/{P}/sessions-index.json", "index", None, P, None),
    (f"projects/{P}/.session-aliases", "aliases", None, P, None),
    (f"projects/{P}/agent-a1b2c3d4.jsonl", "old_agent", None, P, "a1b2c3d4"),
    (f"projects/{P}/agent-a1b2c3d4.meta.json", "old_sidecar", None, P, "a1b2c3d4"),
    ("transcripts", "store_folder", None, None, None),
    (f"transcripts/{S}.jsonl", "transcript", S, None, None),
    ("transcripts/other.txt", "unknown", None, None, None),
    ("file-history", "store_folder", None, None, None),
    (f"file-history/{S}/0123abcd@v2", "file_history", S, None, None),
    (f"tasks/{S}/1.json", "tasks", S, None, None),
    ("tasks/team-alpha/.highwatermark", "tasks", "team-alpha", None, None),
    ("todos", "store_folder", None, None, None),
    (f"todos/{S}-agent-{T}.json", "todos", S, None, T),
    ("todos/other.json", "todos", None, None, None),
    ("debug", "store_folder", None, None, None),
    (f"debug/{S}.txt", "debug", S, None, None),
    ("debug/latest", "debug", None, None, None),
    (f"image-cache/{S}/1.png", "image", S, None, None),
    (f"session-env/{S}", "session_env", S, None, None),
    (f"usage-data/session-meta/{S}.json", "usage_data", S, None, None),
    ("usage-data/report.html", "usage_data", None, None, None),
    ("history.jsonl", "history", None, None, None),
    ("history.jsonl.bak", "history", None, None, None),
    ("plans/a-plan.md", "plan", None, None, None),
    ("plans", "store_folder", None, None, None),
    ("paste-cache/0a1b.txt", "paste_cache", None, None, None),
    ("shell-snapshots/snapshot-zsh-1.sh", "shell_snapshot", None, None, None),
    ("teams/t/inboxes/a.json", "team", None, None, None),
    ("sessions/4242.json", "running_session", None, None, None),
    ("jobs/j1/state.json", "job", None, None, None),
    ("agent-memory/a/m.md", "memory", None, None, None),
    ("feedback-bundles/b.zip", "feedback_bundle", None, None, None),
    ("settings.json", "settings", None, None, None),
    ("settings.local.json", "settings", None, None, None),
    ("settings.json.bak", "settings", None, None, None),
    ("managed-settings.json", "settings", None, None, None),
    ("stats-cache.json", "cache", None, None, None),
    ("mcp-needs-auth-cache.json", "cache", None, None, None),
    (".update.lock", "cache", None, None, None),
    (".last-cleanup", "cache", None, None, None),
    ("cache/changelog.md", "cache", None, None, None),
    ("telemetry/1p_failed_events.x.json", "telemetry", None, None, None),
    ("plugins/store/.claude/commands/x.md", "plugin", None, None, None),
    ("local/node_modules/x", "installed", None, None, None),
    ("CLAUDE.md", "authored", None, None, None),
    ("skills/x/SKILL.md", "authored", None, None, None),
    ("settings", "settings", None, None, None),
    ("something-new", "unknown", None, None, None),
    ("something-new/x", "unknown", None, None, None),
)


def parts(path: str) -> tuple[bytes, ...]:
    """The components of a path."""
    return tuple(path.encode().split(b"/"))


@pytest.mark.parametrize(
    ("path", "role", "session", "project", "agent"), [row for row in PATHS if row[0] != "settings"]
)
def test_a_path_says_role_session_project_and_agent(
    path: str, role: Role, session: str | None, project: str | None, agent: str | None
) -> None:
    """Each kind of path of the reference has its role, and the ids that it writes."""
    placed = place_of(parts(path))
    assert (placed.role, placed.session, placed.project, placed.agent) == (role, session, project, agent)
    assert placed.secret is None
    assert placed.nested == ()


def test_a_folder_named_settings_is_no_settings_file() -> None:
    """Only a JSON name makes settings."""
    assert place_of((b"settings",)).role == "unknown"


def test_the_root_itself_is_a_store_folder() -> None:
    """The empty path is the root."""
    assert place_of(()).role == "store_folder"


@pytest.mark.parametrize("prefix", ["o/a/local_1f/.claude", "local-agent-mode-sessions/o/a/local_1f/.claude"])
def test_a_root_inside_a_root_has_the_same_roles(prefix: str) -> None:
    """A task of the desktop application has a whole root below it; its path is `nested`."""
    placed = place_of(parts(f"{prefix}/projects/{P}/{S}.jsonl"))
    assert (placed.role, placed.session, placed.project) == ("transcript", S, P)
    assert placed.nested == parts(prefix)
    assert place_of(parts(prefix)).role == "store_folder"
    assert place_of(parts(f"{prefix}/local_1f/x")).role == "unknown"


@pytest.mark.parametrize(
    ("path", "role", "session"),
    [
        ("o/a/local_1f.json", "desktop_record", "local_1f"),
        ("o/a/local_1f", "desktop_file", "local_1f"),
        ("o/a/local_1f/audit.jsonl", "desktop_audit", "local_1f"),
        ("o/a/local_1f/uploads/report.csv", "desktop_file", "local_1f"),
        ("audit.jsonl", "desktop_audit", None),
        ("o/a/other.json", "unknown", None),
    ],
)
def test_the_desktop_application_keeps_records_beside_its_tasks(path: str, role: Role, session: str | None) -> None:
    """Records, audit logs and files of a task are told apart, and carry the task's own id."""
    placed = place_of(parts(path))
    assert (placed.role, placed.session) == (role, session)


def test_a_folder_name_is_never_decoded() -> None:
    """Dashes stay dashes, and a name that is no UTF-8 keeps its bytes."""
    name: SourceText = Unencodable(hex="2dff", display="-\\xff")
    assert place_of((b"projects", b"-Users-u-Documents------", b"x.jsonl")).project == "-Users-u-Documents------"
    assert place_of((b"projects", b"-\xff", b"\xfe.jsonl")).project == name


def test_every_role_has_a_category() -> None:
    """The table of categories names each role once."""
    assert place_of(parts(f"tasks/{S}/1.json")).category == "tasks"
    assert set(CATEGORY) == set(get_args(Role))


@given(
    st.lists(st.binary(min_size=1, max_size=12) | st.sampled_from([b"projects", b".claude", b"subagents", b"agent-"]))
)
def test_no_path_is_too_strange(names: list[bytes]) -> None:
    """Any components at all have a place."""
    assert place_of(tuple(names)).role in CATEGORY
