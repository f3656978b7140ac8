"""A survey as its result: labels that stay the same, numbers that add up, and nothing written."""

import json
import os
from pathlib import Path

import pytest

from agentaudit.acquire.kinds import folder_label
from agentaudit.acquire.request import PreserveBundle
from agentaudit.acquire.surveyed import survey_store
from agentaudit.demo.store import StoreBuilder, Talk, session_id
from agentaudit.errors import Interrupted
from agentaudit.model.actors import Said
from agentaudit.model.local import true_name
from agentaudit.model.selection import BundleSelection
from tests.support.storing import storing, surrounding

S, T, U = (session_id(name) for name in ("one", "two", "three"))


@pytest.fixture
def store(tmp_path: Path) -> StoreBuilder:
    """Two sessions, one of them with everything; a history that names a third."""
    builder = StoreBuilder(tmp_path / "store", marked=False)
    builder.transcript("-w-client", Talk(S, turns=1, spilled="x.txt", subagent="a1"))
    builder.subagent("-w-client", Talk(S, agent="a1", turns=1))
    builder.put(f"projects/-w-client/{S}/tool-results/x.txt", b"spilled")
    builder.transcript("-w-other", Talk(T, turns=1))
    builder.put("history.jsonl", b"".join(b'{"sessionId":"%s"}\n' % one.encode() for one in (S, U, U)))
    builder.put(".credentials.json", b"token")
    return builder


def test_labels_stand_for_names_and_select_what_they_name(tmp_path: Path, store: StoreBuilder) -> None:
    """No name is in the result; a label of one run is a selection of the next."""
    job = storing(tmp_path, store.root)
    told = job.survey()
    text = repr(told)
    assert not [name for name in (S, T, "-w-client", "-w-other", str(store.root)) if name in text]
    label = folder_label("-w-client")
    assert {one.project for one in told.sessions} == {label, folder_label("-w-other")}
    root = true_name(os.fsencode(store.root))
    chosen = job.survey(names=True, selection=BundleSelection(agent="claude-code", roots=(root,), projects=(label,)))
    assert {one.id for one in chosen.sessions if one.preserved_files} == {S}


def test_files_and_bytes_are_those_that_a_preservation_copies(tmp_path: Path, store: StoreBuilder) -> None:
    """What is said before is what is there after."""
    told = storing(tmp_path / "look", store.root).survey()
    job = storing(tmp_path / "do", store.root)
    result = job.preserve()
    assert (told.files, told.bytes) == (result.counts.items, result.counts.payload_bytes)
    assert sum(one.preserved_files for one in told.sessions) == told.files
    assert [(one.subagents, one.spilled_results) for one in told.sessions] == [(1, 1), (0, 0)]
    assert dict(told.left_out) == {"category_opt_in": 1, "credentials_name": 1}


def test_of_a_sparse_file_the_room_is_told_beside_the_size(tmp_path: Path, store: StoreBuilder) -> None:
    """A tebibyte of holes takes nothing on the disk of the case."""
    place = store.put(f"projects/-w-client/{S}/tool-results/huge.txt", b"")
    os.truncate(place, 2**40)
    if place.stat().st_blocks:
        pytest.skip("this file system has no holes")
    told = storing(tmp_path, store.root).survey()
    assert told.bytes > 2**40
    assert told.room_bytes < 2**20
    place.unlink()
    plain = storing(tmp_path / "again", store.root).survey()
    assert plain.room_bytes <= plain.bytes < 2**20


def test_a_history_bears_witness_root_by_root(tmp_path: Path, store: StoreBuilder) -> None:
    """A session that another root holds is still one whose transcript this root lacks."""
    other = StoreBuilder(tmp_path / "other", marked=False)
    other.transcript("-w", Talk(U, turns=1))
    told = storing(tmp_path, store.root, other.root).survey()
    assert told.history_sessions_without_transcript == 1
    store.transcript("-w", Talk(U, turns=1))
    assert storing(tmp_path / "again", store.root, other.root).survey().history_sessions_without_transcript == 0


def test_what_was_named_in_vain_is_told(tmp_path: Path, store: StoreBuilder) -> None:
    """A session, a project, a root."""
    roots = tuple(true_name(os.fsencode(path)) for path in (store.root, tmp_path / "none"))
    selection = BundleSelection(agent="claude-code", roots=roots, sessions=("nobody", S), projects=("/nowhere",))
    told = storing(tmp_path, store.root).survey(selection=selection)
    assert (told.missing_sessions, told.missing_projects) == (("nobody",), ("/nowhere",))
    assert told.absent_roots == (str(tmp_path / "none"),)


def test_a_reported_root_is_named_and_was_not_counted(tmp_path: Path) -> None:
    """Its entries are not known: null, which is not none."""
    home = tmp_path / "home"
    StoreBuilder(home / ".claude", marked=False).transcript("-w", Talk(S, turns=1))
    (home / ".claude-work").mkdir()
    selection = BundleSelection(agent="claude-code", roots=(), everything=True)
    request = PreserveBundle(tmp_path / "none", selection, surrounding(home), Said(), ())
    told = survey_store(request, names=False)
    assert [(one.found, one.entries is None) for one in told.roots] == [("default", False), ("reported", True)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home"]


def test_a_running_session_is_said_to_be_one(tmp_path: Path, store: StoreBuilder) -> None:
    """By what a file says of a process."""
    store.put("sessions/4711.json", json.dumps({"pid": 4711, "sessionId": S}).encode())
    told = storing(tmp_path, store.root).survey()
    assert [one.running for one in told.sessions] == [(4711,), ()]


def test_a_signal_ends_a_dry_run(tmp_path: Path, store: StoreBuilder) -> None:
    """It is asked often."""
    selection = BundleSelection(agent="claude-code", roots=(str(store.root),), everything=True)

    def stop() -> None:
        raise Interrupted(2)

    request = PreserveBundle(tmp_path, selection, surrounding(), Said(), ())
    with pytest.raises(Interrupted):
        survey_store(request, names=False, check=stop)
