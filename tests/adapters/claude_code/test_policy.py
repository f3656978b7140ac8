"""Policy: secrets stay out whatever is asked for; the rest follows kind, category and selection."""

import pytest

from agentaudit.adapters.claude_code.policy import denied_files, rule_on
from agentaudit.adapters.claude_code.roles import place_of
from agentaudit.adapters.stores.choice import Choice
from agentaudit.adapters.stores.ruling import Rule
from agentaudit.model.local import Decision, EntryKind
from agentaudit.model.survey import Look, Problem, Seen

S = "1c27c64e-5bd8-4142-9770-6171b4866689"
T = "5b50536b-fcfd-49c2-81b1-bb6cb637a10a"
ALL = Choice(everything=True)
ONE = Choice(sessions=frozenset({S}), touched=frozenset({"-p"}))
PROJECT = Choice(projects=frozenset({"-p"}), theirs=frozenset({S}))
GREEDY = Choice(
    everything=True,
    included=frozenset({"credentials", "other", "settings", "caches", "history"}),
)


def seen(path: str, kind: EntryKind = "file", inode: int = 7, problem: Problem | None = None) -> Seen:
    """An entry of that path."""
    look = Look(
        size=1, modified_ns=1, changed_ns=1, accessed_ns=1, born_ns=None, mode=0, user_id=0, group_id=0, device=1,
        inode=inode, links=1, allocated=None,
    )  # fmt: skip
    return Seen(
        root="r1", parts=tuple(path.encode().split(b"/")), kind=kind, look=None if problem else look, problem=problem
    )


def ruling(path: str, choice: Choice, kind: EntryKind = "file") -> tuple[Decision, Rule]:
    """What becomes of that path."""
    entry = seen(path, kind)
    found = rule_on(entry, place_of(entry.parts), choice, frozenset())
    return found.decision, found.rule


@pytest.mark.parametrize("choice", [ALL, ONE, PROJECT, GREEDY])
@pytest.mark.parametrize(
    ("path", "rule", "digest"),
    [
        (".credentials.json", "credentials_name", False),
        ("o/a/local_1/.claude/.credentials.json.bak", "credentials_name", False),
        ("ide/1.lock", "credentials_location", False),
        (".claude.json", "credentials_name", True),
        ("backups/x", "credentials_location", True),
    ],
)
def test_no_selection_lets_a_secret_in(path: str, rule: Rule, digest: bool, choice: Choice) -> None:
    """Denied by name or place under every choice; only the account file may be read for its digest."""
    entry = seen(path)
    found = rule_on(entry, place_of(entry.parts), choice, frozenset())
    assert (found.decision, found.rule, found.digest) == ("exclude", rule, digest)


def test_a_hard_link_to_a_secret_is_one() -> None:
    """Device and inode are those of a denied file: an innocent name lets nothing in."""
    entries = (seen(".credentials.json", inode=42), seen("ide", "folder", inode=43), seen("x", inode=44))
    denied = denied_files((*entries, seen(".claude.json", problem="vanished")))
    assert denied == {(1, 42)}
    twin = seen(f"projects/-p/{S}.jsonl", inode=42)
    other = seen(f"projects/-p/{S}.jsonl", inode=45)
    assert rule_on(twin, place_of(twin.parts), ALL, denied).rule == "credentials_inode"
    assert rule_on(twin, place_of(twin.parts), ALL, denied).decision == "exclude"
    assert rule_on(other, place_of(other.parts), ALL, denied).rule == "selected"


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        ("folder", "folder"), ("link", "link"), ("fifo", "special"), ("socket", "special"), ("device", "special"),
        ("unknown", "special"),
    ],
)  # fmt: skip
def test_only_a_regular_file_is_preserved(kind: EntryKind, rule: Rule) -> None:
    """A link, a folder or a pipe that is called like a transcript is listed."""
    assert ruling(f"projects/-p/{S}.jsonl", ALL, kind) == ("list", rule)


def test_a_denied_folder_is_listed_and_a_denied_link_is_excluded() -> None:
    """The folder of a secret is a folder; a link with the name of one is left out by that rule."""
    assert ruling("ide", ALL, "folder") == ("list", "folder")
    assert ruling(".credentials.json", ALL, "link") == ("exclude", "credentials_name")


def test_what_could_not_be_looked_at_is_listed() -> None:
    """An entry without a look has no bytes to decide about."""
    entry = seen(f"projects/-p/{S}.jsonl", "unknown", problem="unreadable")
    assert rule_on(entry, place_of(entry.parts), ALL, frozenset()).rule == "not_seen"


KEYED = (
    f"projects/-p/{S}.jsonl", f"projects/-p/{S}.jsonl.bak", f"projects/-p/{S}/subagents/agent-x.jsonl",
    f"projects/-p/{S}/tool-results/x.txt", f"projects/-p/{S}/workflows/w.json", f"projects/-p/{S}/else/x",
    f"file-history/{S}/x@v1", f"debug/{S}.txt", f"tasks/{S}/1.json", f"todos/{S}-agent-{S}.json",
    f"image-cache/{S}/1.png",
)  # fmt: skip


@pytest.mark.parametrize("choice", [ALL, ONE, PROJECT])
@pytest.mark.parametrize("path", KEYED)
def test_all_that_is_keyed_by_a_selected_session_is_preserved(path: str, choice: Choice) -> None:
    """Named, in a named project, or one of all: its stores go with it."""
    assert ruling(path, choice) == ("preserve", "selected")
    assert ruling(path.replace(S, T), Choice(sessions=frozenset({S}))) == ("exclude", "not_selected")


def test_another_folder_with_the_same_session_is_not_in_a_named_project() -> None:
    """A project selects its own copy of a session; a session that is named selects every copy."""
    assert ruling(f"projects/-q/{S}.jsonl", PROJECT) == ("exclude", "not_selected")
    assert ruling(f"projects/-q/{S}.jsonl", ONE) == ("preserve", "selected")


@pytest.mark.parametrize(
    "path",
    [
        "history.jsonl", "plans/p.md", "projects/-p/memory/M.md", "paste-cache/x", "shell-snapshots/s.sh",
        f"session-env/{S}/x", "usage-data/report.html", "settings.json", "feedback-bundles/x", "jobs/j/state.json",
    ],
)  # fmt: skip
@pytest.mark.parametrize("choice", [ALL, ONE])
def test_a_shared_or_secret_prone_store_is_opt_in(path: str, choice: Choice) -> None:
    """It stays out with everything selected, may be digested, and comes in when its category is asked for."""
    entry = seen(path)
    placed = place_of(entry.parts)
    found = rule_on(entry, placed, choice, frozenset())
    assert (found.decision, found.rule, found.digest) == ("exclude", "category_opt_in", True)
    asked = Choice(
        everything=choice.everything,
        sessions=choice.sessions,
        touched=choice.touched,
        included=frozenset({placed.category}),
    )
    assert rule_on(entry, placed, asked, frozenset()).rule == "included"


def test_a_store_of_another_session_or_project_stays_out_though_asked_for() -> None:
    """An opt-in category gives what belongs to the selection, not what belongs to others."""
    asked = Choice(sessions=ONE.sessions, touched=ONE.touched, included=frozenset({"memory", "session-env"}))
    assert ruling("projects/-q/memory/M.md", asked) == ("exclude", "not_selected")
    assert ruling(f"session-env/{T}/x", asked) == ("exclude", "not_selected")
    named = Choice(projects=frozenset({"-q"}), included=frozenset({"memory"}))
    assert ruling("projects/-q/memory/M.md", named) == ("preserve", "included")


def test_an_excluded_category_stays_out() -> None:
    """Exclusion is stronger than selection and inclusion; its rule says so."""
    choice = Choice(everything=True, excluded=frozenset({"debug"}), included=frozenset({"debug"}))
    assert ruling(f"debug/{S}.txt", choice) == ("exclude", "category_excluded")


@pytest.mark.parametrize(
    "path", ["stats-cache.json", "telemetry/x.json", "plugins/p/x", "local/x", "CLAUDE.md", "sessions/1.json"]
)
def test_caches_and_installed_things_are_listed(path: str) -> None:
    """Their metadata is enough, unless they are asked for."""
    assert ruling(path, ALL) == ("list", "metadata_only")


def test_what_nobody_knows_is_preserved_only_where_it_is_owned() -> None:
    """An unknown entry of a selected project goes with it; one at the top is opt-in."""
    assert ruling("projects/-p/notes.txt", ALL) == ("preserve", "selected")
    assert ruling("projects/-p/notes.txt", PROJECT) == ("preserve", "selected")
    assert ruling("projects/-p/notes.txt", ONE) == ("exclude", "not_selected")
    assert ruling("something-new", ALL) == ("exclude", "category_opt_in")
    assert ruling("something-new", GREEDY) == ("preserve", "included")


def test_team_mailboxes_go_with_everything_only() -> None:
    """No session owns them: a single session does not select them."""
    assert ruling("teams/t/inboxes/a.json", ALL) == ("preserve", "selected")
    assert ruling("teams/t/inboxes/a.json", ONE) == ("exclude", "not_selected")
    assert ruling("projects/-p/sessions-index.json", ONE) == ("exclude", "not_selected")
