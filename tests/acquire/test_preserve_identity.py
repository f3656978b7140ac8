"""Field cases D: identity and structure are notes of the inventory, never a reason to leave anything out."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from agentaudit.acquire.surveying import open_store, take_survey
from agentaudit.demo.store import StoreBuilder, Talk, lines, session_id
from agentaudit.model.selection import BundleSelection
from agentaudit.model.text import SourceText
from tests.support.storing import (
    Storing,
    copy_of,
    dict_of,
    entry,
    gaps,
    is_intact,
    is_kept,
    kept,
    list_of,
    rows,
    sessions,
    storing,
    surrounding,
)

S, T = session_id("one"), session_id("two")
PROJECT = "projects/-w"
NAME = f"{PROJECT}/{S}.jsonl"
Record = dict[str, object]


@pytest.fixture
def store(tmp_path: Path) -> StoreBuilder:
    """An empty store."""
    return StoreBuilder(tmp_path / "store", marked=False)


def preserved(tmp_path: Path, store: StoreBuilder) -> Storing:
    """The store, preserved and checked."""
    job = storing(tmp_path, store.root)
    job.preserve()
    assert is_intact(job.sealed)
    return job


def facts(job: Storing, name: str = NAME) -> Record:
    """The facts of a transcript's copy."""
    found = kept(job.sealed, name)[-1]["transcript"]
    assert isinstance(found, dict)
    return found


def record(number: int, session: str = S, parent: int | str | None = None, **more: object) -> Record:
    """A record with a uuid of that number."""
    return {"type": "user", "uuid": f"u{number}", "sessionId": session,
            "parentUuid": f"u{parent}" if isinstance(parent, int) else parent, **more}  # fmt: skip


def test_d01_entries_that_were_appended_again_are_counted_and_kept(tmp_path: Path, store: StoreBuilder) -> None:
    """The same uuids with another folder: five duplicates, ten records."""
    records = [record(number, cwd=cwd) for cwd in ("/a", "/b") for number in range(5)]
    store.put(NAME, lines(records))
    job = preserved(tmp_path, store)
    assert copy_of(job.sealed, NAME) == lines(records)
    found = facts(job)
    assert (found["records"], found["duplicate_uuids"], found["cwds"]) == (10, 5, 2)


def test_d02_one_uuid_on_hundreds_of_rows_of_an_unknown_type(tmp_path: Path, store: StoreBuilder) -> None:
    """A type that nobody knows is a label with its count."""
    store.put(NAME, lines([record(1) | {"type": "never_heard_of"} for _ in range(274)]))
    found = facts(preserved(tmp_path, store))
    assert found["duplicate_uuids"] == 273
    assert isinstance(found["types"], list)
    ((word, count),) = found["types"]
    assert word.startswith("#")
    assert count == 274


def test_d04_a_file_that_repeats_another_is_a_second_one(tmp_path: Path, store: StoreBuilder) -> None:
    """Nothing is dropped because it stands elsewhere too."""
    first = [record(number) for number in range(50)]
    second = [*(row | {"sessionId": T} for row in first), *(record(number, T) for number in range(50, 70))]
    store.put(NAME, lines(first))
    store.put(f"{PROJECT}/{T}.jsonl", lines(second))
    job = preserved(tmp_path, store)
    assert [facts(job, f"{PROJECT}/{one}.jsonl")["records"] for one in (S, T)] == [50, 70]


def test_d05_and_d06_parents_that_are_absent_or_run_in_a_circle(tmp_path: Path, store: StoreBuilder) -> None:
    """Each is a number; walking them ends."""
    records = [record(1, parent="gone"), record(2, parent=3), record(3, parent=2), record(4, parent=4)]
    store.put(NAME, lines(records))
    found = facts(preserved(tmp_path, store))
    assert (found["dangling_parents"], found["self_parents"], found["cyclic_records"]) == (1, 1, 2)


def test_d08_and_d09_rows_of_other_sessions_than_the_name(tmp_path: Path, store: StoreBuilder) -> None:
    """The name states a session that no row has; several in one file are counted, all rows are."""
    store.put(NAME, lines([record(number, T) for number in range(10)]))
    store.put(f"{PROJECT}/{T}.jsonl", lines([record(number, one) for one in (S, T) for number in range(10)]))
    job = preserved(tmp_path, store)
    assert (facts(job)["own_session"], facts(job)["sessions"]) == (False, 1)
    both = facts(job, f"{PROJECT}/{T}.jsonl")
    assert (both["own_session"], both["sessions"], both["records"]) == (True, 2, 20)


@pytest.mark.parametrize(
    "first",
    [
        [{"type": "pr-link", "prNumber": 1, "sessionId": S}],
        [{"type": "mode"}, {"type": "permission-mode"}, {"type": "file-history-snapshot"}],
    ],
)
def test_d11_and_d12_a_transcript_is_one_by_its_path(tmp_path: Path, store: StoreBuilder, first: list[Record]) -> None:
    """Whatever its first lines are."""
    store.put(NAME, lines([*first, record(1)]))
    job = preserved(tmp_path, store)
    assert entry(job.sealed, NAME)["role"] == "transcript"
    assert facts(job)["conversation_records"] == 1


def test_d14_the_journal_of_a_workflow_is_no_conversation(tmp_path: Path, store: StoreBuilder) -> None:
    """It is preserved under its own role, and its lines are checked."""
    store.put(NAME, lines([record(1)]))
    name = f"{PROJECT}/{S}/subagents/workflows/wf_x/journal.jsonl"
    store.put(name, b'{"type":"started"}\n{"type":"result"\n')
    job = preserved(tmp_path, store)
    (row,) = kept(job.sealed, name)
    assert row["role"] == "workflow_journal"
    assert isinstance(row["framing"], dict)
    assert row["framing"]["findings_by_class"] == [["cut", 1]]


def test_d15_two_schemas_in_one_tree_of_the_desktop(tmp_path: Path, store: StoreBuilder) -> None:
    """Transcript and audit log are told apart by their place; both are framed, and no chain is said to be checked."""
    task = "aaaa/bbbb/local_cccc"
    inner = f"{task}/.claude/projects/-sessions-x/{S}.jsonl"
    store.put(inner, lines([record(1)]))
    audit = f"{task}/audit.jsonl"
    store.put(audit, b'{"session_id":"x","_audit_hmac":"00","type":"result"}\n')
    store.put(f"{task}/.audit-key", b"a key")
    job = preserved(tmp_path, store)
    assert [kept(job.sealed, name)[0]["role"] for name in (inner, audit)] == ["transcript", "desktop_audit"]
    assert all(isinstance(kept(job.sealed, name)[0]["framing"], dict) for name in (inner, audit))
    assert entry(job.sealed, f"{task}/.audit-key")["decision"] == "exclude"


def test_d18_lines_under_a_name_of_json_get_no_verdict(tmp_path: Path, store: StoreBuilder) -> None:
    """Telemetry that was not sent stays out; a spilled result under such a name is not framed."""
    store.put(NAME, lines([record(1)]))
    store.put("telemetry/1p_failed_events.x.json", b'{"a":1}\n{"a":2}\n')
    spilled = f"{PROJECT}/{S}/tool-results/x.json"
    store.put(spilled, b'{"a":1}\n{"a":2}\n')
    job = preserved(tmp_path, store)
    assert not is_kept(job.sealed, "telemetry/1p_failed_events.x.json")
    assert kept(job.sealed, spilled)[0]["framing"] is None


def test_g05_lines_that_the_product_appends_for_itself_are_carried(tmp_path: Path, store: StoreBuilder) -> None:
    """A line of an unknown type between records is content like any other."""
    octets = lines([record(1), {"type": "check", "digest": "00"}, record(2)])
    store.put(NAME, octets)
    job = preserved(tmp_path, store)
    assert copy_of(job.sealed, NAME) == octets
    assert facts(job)["records"] == 3


def test_an_old_agent_file_belongs_to_the_session_that_its_rows_name(tmp_path: Path, store: StoreBuilder) -> None:
    """Not to the folder, and not to what its name looks like."""
    agent = Talk(S, agent="0a1b2c3d", turns=1)
    store.transcript("-w", Talk(S, turns=1))
    store.put(f"{PROJECT}/agent-0a1b2c3d.jsonl", lines(agent.records()))
    store.transcript("-w", Talk(T, turns=1))
    job = preserved(tmp_path, store)
    key = {str(dict_of(row["bundle"])["session"]): row["session"] for row in sessions(job.sealed)}
    assert entry(job.sealed, f"{PROJECT}/agent-0a1b2c3d.jsonl")["session"] == key[S]
    assert gaps(job.sealed) == {}


def test_what_a_transcript_names_and_the_store_lacks_is_a_gap_and_the_reverse_a_note(
    tmp_path: Path, store: StoreBuilder
) -> None:
    """Spilled results and subagents, by what results say; a spilled file that nothing names is counted."""
    store.transcript("-w", Talk(S, spilled="gone.txt", subagent="ffee00"))
    store.put(f"{PROJECT}/{S}/tool-results/unnamed.txt", b"x")
    job = preserved(tmp_path, store)
    assert gaps(job.sealed) == {"spilled_result_absent": 1, "subagent_absent": 1}
    (session,) = sessions(job.sealed)
    bundle = dict_of(session["bundle"])
    assert (bundle["spilled_absent"], bundle["spilled_unnamed"], bundle["subagents_absent"]) == (
        ["gone.txt"],
        ["unnamed.txt"],
        ["ffee00"],
    )
    assert session["outcome"] == "all_given_with_losses"


def test_switches_and_witnesses_explain_what_is_not_there(tmp_path: Path, store: StoreBuilder) -> None:
    """Clean-up and persistence are read from settings, ids from the history; nothing else of them is."""
    store.transcript("-w", Talk(S, turns=1))
    env = {"CLAUDE_CODE_SKIP_PROMPT_HISTORY": "1", "SOME_KEY": "hidden"}
    store.put("settings.json", json.dumps({"cleanupPeriodDays": 7, "env": env, "model": "hidden"}).encode())
    store.put("history.jsonl", b'{"display":"hidden","sessionId":"%s"}\n' % T.encode() * 3)
    job = preserved(tmp_path, store)
    (row,) = [row for row in rows(job.sealed, "agentaudit/journal.jsonl") if row["event"] == "store_facts"]
    assert "hidden" not in json.dumps(row)
    assert row["history"] == [{"lines": 3, "root": "r1", "session": T}]
    assert [one["switch"] for one in list_of(row["switches"])] == [
        {"name": "cleanupPeriodDays", "value": 7},
        {"name": "CLAUDE_CODE_SKIP_PROMPT_HISTORY", "value": True},
    ]
    coverage = json.loads((job.sealed / "agentaudit/coverage.json").read_bytes())
    (cleanup,) = [limit for limit in coverage["limits"] if limit["code"] == "store.cleanup"]
    assert ["switch", "r1 cleanupPeriodDays=7"] in cleanup["values"]


def managed_store(tmp_path: Path) -> tuple[Path, Path]:
    """A home with a store, and a folder of the administrator's settings."""
    home, folder = tmp_path / "home", tmp_path / "managed"
    StoreBuilder(home / ".claude", marked=False).transcript("-w", Talk(S, turns=1))
    (folder / "managed-settings.d" / "deeper").mkdir(parents=True)
    (folder / "managed-settings.json").write_text('{"cleanupPeriodDays":3,"apiKeyHelper":"hidden"}')
    (folder / "managed-settings.d" / "10-x.json").write_text('{"env":{"CLAUDE_CODE_SKIP_PROMPT_HISTORY":"1"}}')
    (folder / "managed-settings.d" / "deeper" / "x.json").write_text('{"cleanupPeriodDays":4}')
    (folder / "managed-mcp.json").write_text('{"cleanupPeriodDays":5}')
    (folder / "managed-settings.d" / "20-x.json").symlink_to("10-x.json")
    return home, folder


def installed(home: Path, *roots: Path) -> list[tuple[str, str, str]]:
    """The releases of a survey of these roots, or of the default one."""
    names = tuple(str(root) for root in roots)
    selection = BundleSelection(agent="claude-code", roots=names, everything=True)
    with open_store(selection, surrounding(home)) as store:
        found = take_survey(store, selection, 1, lambda: None).peeked.facts(1).installed
    return [(one.root, one.where, one.version) for one in found]


def test_releases_that_lie_on_the_machine_are_told_and_never_started(tmp_path: Path) -> None:
    """The package inside the root, the installer's folder and the command beside it; nothing else is named."""
    home = tmp_path / "home"
    store = StoreBuilder(home / ".claude", marked=False)
    package = {"name": "x", "version": "2.0.1", "author": "hidden"}
    store.put("local/node_modules/@anthropic-ai/claude-code/package.json", json.dumps(package).encode())
    store.put("local/node_modules/other/package.json", b'{"version":"9.9.9"}')
    releases = home / ".local" / "share" / "claude" / "versions"
    releases.mkdir(parents=True)
    for name in ("2.1.9", "2.1.332", "half-loaded"):
        (releases / name).write_bytes(b"#!/bin/sh\nexit 1\n")
    (home / ".local" / "bin").mkdir()
    (home / ".local" / "bin" / "claude").symlink_to(releases / "2.1.332")
    told = [("r1", "package", "2.0.1"), ("r1", "kept", "2.1.332"), ("r1", "kept", "2.1.9"), ("r1", "linked", "2.1.332")]
    assert installed(home) == told
    assert installed(tmp_path / "elsewhere", home / ".claude") == told
    job = storing(tmp_path, store.root)
    job.preserve()
    assert is_intact(job.sealed)
    (facts,) = [row for row in rows(job.sealed, "agentaudit/journal.jsonl") if row["event"] == "store_facts"]
    assert [one["version"] for one in list_of(facts["installed"])] == [version for _, _, version in told]
    assert "hidden" not in json.dumps(facts)


def test_releases_of_this_machine_say_nothing_of_a_copy(tmp_path: Path) -> None:
    """A root that was named under another name may come from anywhere."""
    home = tmp_path / "home"
    copy = StoreBuilder(home / "copy-of-a-store", marked=False).root
    releases = home / ".local" / "share" / "claude" / "versions"
    releases.mkdir(parents=True)
    (releases / "2.1.9").touch()
    assert installed(home, copy) == []
    around = replace(surrounding(home), config_dir=os.fsencode(copy))
    selection = BundleSelection(agent="claude-code", roots=(), everything=True)
    with open_store(selection, around) as store:
        found = take_survey(store, selection, 1, lambda: None).peeked.facts(1).installed
    assert [(one.where, one.version) for one in found] == [("kept", "2.1.9")]


def surveyed_switches(home: Path, roots: tuple[SourceText, ...], managed: Path) -> list[tuple[str, str, object]]:
    """The switches of a survey, with that folder of the administrator's settings."""
    around = replace(surrounding(home), managed=os.fsencode(managed))
    selection = BundleSelection(agent="claude-code", roots=roots, everything=True)
    with open_store(selection, around) as store:
        switches = take_survey(store, selection, 1, lambda: None).peeked.facts(1).switches
    return [(one.root, one.switch.name, one.switch.value) for one in switches]


def test_switches_of_the_administrator_are_read_for_a_store_of_this_machine(tmp_path: Path) -> None:
    """From the settings file and its drop-ins, values of known keys alone."""
    home, folder = managed_store(tmp_path)
    assert surveyed_switches(home, (), folder) == [
        ("managed", "CLAUDE_CODE_SKIP_PROMPT_HISTORY", True),
        ("managed", "cleanupPeriodDays", 3),
    ]
    assert surveyed_switches(home, (), tmp_path / "none") == []


def test_switches_of_this_machine_say_nothing_of_a_store_that_was_named(tmp_path: Path) -> None:
    """It may be a copy or a mounted image of another one."""
    home, folder = managed_store(tmp_path)
    assert surveyed_switches(home, (str(home / ".claude"),), folder) == []
