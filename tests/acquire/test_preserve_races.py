"""Field cases F: a store that lives while it is preserved. What changed is told apart, and nothing is a silent mix."""

import json
import os
import shutil
import threading
from functools import partial
from pathlib import Path

import pytest

from agentaudit.acquire.progress import State
from agentaudit.demo.store import StoreBuilder, Talk, lines, session_id
from agentaudit.errors import DestinationFault, Interrupted
from agentaudit.format import layout
from agentaudit.model.local import true_name
from agentaudit.model.selection import BundleSelection
from tests.support.around import surroundings
from tests.support.disks import FULL, FailingDisk
from tests.support.storing import (
    Storing,
    comparable,
    copy_of,
    dict_of,
    entry,
    gaps,
    is_intact,
    is_kept,
    journal,
    kept,
    list_of,
    once_copying,
    payload,
    rows,
    sessions,
    storing,
)

S, T, U = (session_id(name) for name in ("one", "two", "three"))
NAME = f"projects/-w/{S}.jsonl"
LINE = lines(Talk(S, turns=1).records()[:1])
BIG = LINE * (3 * 1024**2 // len(LINE))


@pytest.fixture
def store(tmp_path: Path) -> StoreBuilder:
    """A store whose first file is read in a dozen stretches."""
    builder = StoreBuilder(tmp_path / "store", marked=False)
    builder.put(NAME, BIG)
    return builder


def changes(job: Storing, name: str = NAME) -> list[object]:
    """What changed at each read."""
    return [row["change"] for row in kept(job.sealed, name)]


def places(job: Storing, name: str = NAME) -> list[object]:
    """Where each read found the file that had left its place, as the journal says and the inventory repeats."""
    read = kept(job.sealed, name)
    numbers = {row["seq"] for row in read}
    items = [dict_of(one["provenance"]) for one in rows(job.sealed, layout.ITEMS)]
    told = {one["row"]: one.get("moved_to") for one in items if one["row"] in numbers}
    assert told == {row["seq"]: row.get("moved_to") for row in read}
    return [row.get("moved_to") for row in read]


def test_f01_a_file_that_grows_gives_its_exact_beginning(tmp_path: Path, store: StoreBuilder) -> None:
    """A writer appends all the while: what was there when it was opened is kept, and `grew` is said."""
    job, place = storing(tmp_path, store.root), store.root / NAME

    def append(state: State) -> None:
        if state.phase == "copying" and state.octets:
            with place.open("ab") as stream:
                stream.write(LINE)

    result = job.preserve(act=append)
    assert copy_of(job.sealed, NAME) == BIG
    assert changes(job) == ["grew"]
    assert result.preserved is not None
    assert result.preserved.changes == (("grew", 1),)
    assert (result.outcome, gaps(job.sealed)) == ("all_given", {})
    (row,) = kept(job.sealed, NAME)
    before, after = dict_of(row["before"]), dict_of(row["after"])
    assert int(str(after["size_bytes"])) > int(str(before["size_bytes"])) == len(BIG)
    assert is_intact(job.sealed)


def test_f01_a_file_that_was_changed_at_its_beginning_and_appended_to_did_not_only_grow(
    tmp_path: Path, store: StoreBuilder
) -> None:
    """Its tail is what it was, yet the copy may be a mix: it is read again, and both reads are kept."""
    job, place = storing(tmp_path, store.root), store.root / NAME
    changed = LINE.upper() + BIG[len(LINE) :] + LINE

    def change() -> None:
        with place.open("r+b") as stream:
            stream.write(LINE.upper())
            stream.seek(0, os.SEEK_END)
            stream.write(LINE)

    job.preserve(act=once_copying(change, after=1024**2))
    assert changes(job) == ["rewritten", "none"]
    assert copy_of(job.sealed, NAME) == changed
    assert is_intact(job.sealed)


def test_f01_a_writer_that_never_rests_is_outrun(tmp_path: Path, store: StoreBuilder) -> None:
    """A thread appends half lines as fast as it can: every copy is a prefix of what lies there at last."""
    job, place, over = storing(tmp_path, store.root), store.root / NAME, threading.Event()

    def write() -> None:
        with place.open("ab", buffering=0) as stream:
            while not over.wait(0.001):
                stream.write(LINE[:40])

    writer = threading.Thread(target=write)
    writer.start()
    job.preserve()
    over.set()
    writer.join()
    assert place.read_bytes().startswith(copy_of(job.sealed, NAME))
    assert set(changes(job)) <= {"grew", "none"}


def test_f02_a_file_that_shrinks_is_read_again(tmp_path: Path, store: StoreBuilder) -> None:
    """The broken read is kept beside the good one, each with its facts; then there is no gap."""
    job, place = storing(tmp_path, store.root), store.root / NAME
    job.preserve(act=once_copying(lambda: os.truncate(place, len(BIG) - len(LINE)), after=1))
    assert changes(job) == ["shrank", "none"]
    assert [row["tries"] for row in kept(job.sealed, NAME)] == [1, 2]
    assert copy_of(job.sealed, NAME) == BIG[: -len(LINE)]
    assert [str(dict_of(row["item"])["path"])[-18:] for row in kept(job.sealed, NAME)] == [
        "1/transcript.jsonl",
        "transcript-2.jsonl",
    ]
    assert gaps(job.sealed) == {}
    (session,) = sessions(job.sealed)
    assert (session["preserved_files"], session["preserved_bytes"]) == (1, 2 * (len(BIG) - len(LINE)))
    assert is_intact(job.sealed)


def test_f02_a_file_of_equal_size_that_is_rewritten_at_every_try(tmp_path: Path, store: StoreBuilder) -> None:
    """Three reads are kept, and a gap says that it never held still."""
    job, place = storing(tmp_path, store.root), store.root / NAME

    def rewrite(state: State) -> None:
        if state.phase == "copying" and state.octets:
            with place.open("r+b") as stream:
                stream.write(LINE)

    result = job.preserve(act=rewrite)
    assert changes(job) == ["rewritten"] * 3
    assert gaps(job.sealed) == {"changed_while_read": 1}
    assert result.outcome == "incomplete"
    assert result.preserved is not None
    assert result.preserved.changes == (("rewritten", 3),)
    assert is_intact(job.sealed)


def test_f02_a_file_that_is_replaced_while_it_is_read(tmp_path: Path, store: StoreBuilder) -> None:
    """The old one is whole, and the one that took its name is read too."""
    job, place = storing(tmp_path, store.root), store.root / NAME
    other = tmp_path / "new"
    other.write_bytes(LINE)
    job.preserve(act=once_copying(partial(shutil.move, other, place), after=1))
    assert changes(job) == ["replaced", "none"]
    first = dict_of(kept(job.sealed, NAME)[0]["item"])
    assert (job.sealed / str(first["path"])).read_bytes() == BIG
    assert copy_of(job.sealed, NAME) == LINE


def test_a_file_that_is_replaced_before_it_is_opened_is_read_as_it_lies_there(
    tmp_path: Path, store: StoreBuilder
) -> None:
    """The survey saw another one: the state before shows it."""
    job, place = storing(tmp_path, store.root), store.root / NAME
    other = tmp_path / "new"
    other.write_bytes(LINE)
    job.preserve(act=once_copying(partial(shutil.move, other, place)))
    (row,) = kept(job.sealed, NAME)
    assert dict_of(row["before"])["inode"] != dict_of(entry(job.sealed, NAME)["state"])["inode"]
    assert (row["tries"], copy_of(job.sealed, NAME)) == (2, LINE)
    assert str(dict_of(row["item"])["path"]).endswith("/transcript.jsonl")
    assert gaps(job.sealed) == {"changed_later": 1}  # its folder


@pytest.mark.parametrize("kind", ["link", "fifo", "folder"])
def test_a_file_that_becomes_something_else_is_a_gap(tmp_path: Path, store: StoreBuilder, kind: str) -> None:
    """Nothing but the regular file is read, and nothing waits."""
    job, place = storing(tmp_path, store.root), store.root / NAME
    (tmp_path / "secret").write_bytes(b"secret")

    def swap() -> None:
        place.unlink()
        match kind:
            case "link":
                place.symlink_to(tmp_path / "secret")
            case "fifo":
                os.mkfifo(place)
            case _:
                place.mkdir()

    result = job.preserve(act=once_copying(swap))
    assert gaps(job.sealed) == {"vanished": 1, "changed_later": 1}  # the file, and its folder
    assert (result.outcome, is_kept(job.sealed, NAME)) == ("incomplete", False)


def test_f04_a_file_that_is_deleted_before_it_is_opened_is_a_gap(tmp_path: Path, store: StoreBuilder) -> None:
    """It is listed with what was seen of it; the others are here; the exhibit is incomplete."""
    store.transcript("-w", Talk(T, turns=1))
    job = storing(tmp_path, store.root)
    result = job.preserve(act=once_copying((store.root / NAME).unlink))
    assert gaps(job.sealed) == {"vanished": 1}
    assert dict_of(entry(job.sealed, NAME)["state"])["size_bytes"] == len(BIG)
    assert is_kept(job.sealed, f"projects/-w/{T}.jsonl")
    assert result.outcome == "incomplete"


def test_a_file_that_is_deleted_while_it_is_read_is_whole(tmp_path: Path, store: StoreBuilder) -> None:
    """What was open stays readable to its end."""
    job = storing(tmp_path, store.root)
    result = job.preserve(act=once_copying((store.root / NAME).unlink, after=1))
    assert (changes(job), copy_of(job.sealed, NAME)) == (["vanished"], BIG)
    assert result.outcome == "all_given"


def test_a_transcript_that_moves_to_another_folder_is_followed(tmp_path: Path, store: StoreBuilder) -> None:
    """A session that changes its folder takes its file along: the very file is found beside, once."""
    (store.root / "projects" / "-elsewhere").mkdir()
    job = storing(tmp_path, store.root)

    def move() -> None:
        (store.root / NAME).rename(store.root / "projects" / "-elsewhere" / f"{S}.jsonl")

    job.preserve(act=once_copying(move))
    assert (changes(job), copy_of(job.sealed, NAME)) == (["moved"], BIG)
    assert gaps(job.sealed) == {}
    assert places(job) == [f"projects/-elsewhere/{S}.jsonl"]
    assert is_intact(job.sealed)


def test_a_file_that_moves_while_it_is_read_names_its_new_place(tmp_path: Path, store: StoreBuilder) -> None:
    """What was read through the handle is whole, and where the file went stands in journal and inventory."""
    (store.root / "projects" / "-elsewhere").mkdir()
    job = storing(tmp_path, store.root)
    target = store.root / "projects" / "-elsewhere" / f"{S}.jsonl"
    job.preserve(act=once_copying(partial(os.rename, store.root / NAME, target), after=1))
    assert (changes(job), copy_of(job.sealed, NAME)) == (["moved"], BIG)
    assert places(job) == [f"projects/-elsewhere/{S}.jsonl"]


def test_a_place_that_is_not_found_is_not_stated(tmp_path: Path, store: StoreBuilder) -> None:
    """A file that left for a place that is not looked at has moved, and no place is guessed."""
    job = storing(tmp_path, store.root)
    target = store.root / "other-name.jsonl"
    job.preserve(act=once_copying(partial(os.rename, store.root / NAME, target), after=1))
    assert (changes(job), copy_of(job.sealed, NAME)) == (["moved"], BIG)
    assert places(job) == [None]


def test_a_rewrite_after_a_move_is_not_hidden_by_it(tmp_path: Path, store: StoreBuilder) -> None:
    """The followed file shrinks under its reading: that is said, and it is read again where it lies now."""
    target = store.root / "projects" / "-elsewhere" / f"{S}.jsonl"
    target.parent.mkdir()
    job, done = storing(tmp_path, store.root), set[str]()

    def disturb(state: State) -> None:
        if state.phase != "copying":
            return
        if "moved" not in done:
            (store.root / NAME).rename(target)
            done.add("moved")
        elif state.octets and "cut" not in done:
            os.truncate(target, len(BIG) - len(LINE))
            done.add("cut")

    job.preserve(act=disturb)
    assert done == {"moved", "cut"}
    assert changes(job) == ["shrank", "moved"]
    assert places(job) == [f"projects/-elsewhere/{S}.jsonl"] * 2
    assert copy_of(job.sealed, NAME) == BIG[: -len(LINE)]
    assert is_intact(job.sealed)


def test_another_file_of_the_same_name_is_not_followed(tmp_path: Path, store: StoreBuilder) -> None:
    """A copy elsewhere is another file."""
    store.put(f"projects/-elsewhere/{S}.jsonl", LINE)
    job = storing(tmp_path, store.root)
    job.preserve(act=once_copying((store.root / NAME).unlink))
    assert not is_kept(job.sealed, NAME)
    assert is_kept(job.sealed, f"projects/-elsewhere/{S}.jsonl")
    assert gaps(job.sealed) == {"vanished": 1}


def test_f06_a_husk_is_a_bundle_without_a_transcript(tmp_path: Path, store: StoreBuilder) -> None:
    """Subagents that outlived it are kept; that the transcript is missing is stated, and is no failure."""
    store.subagent("-w", Talk(T, agent="0a0b", turns=1))
    job = storing(tmp_path, store.root)
    result = job.preserve()
    husk = next(one for one in sessions(job.sealed) if dict_of(one["bundle"])["session"] == T)
    assert (dict_of(husk["bundle"])["transcript"], husk["preserved_files"]) == ("missing", 2)
    assert gaps(job.sealed) == {"transcript_absent": 1}
    assert result.outcome == "all_given_with_losses"


def test_f07_nested_agents_are_found(tmp_path: Path, store: StoreBuilder) -> None:
    """However deep a workflow lays them."""
    name = f"projects/-w/{S}/subagents/workflows/wf_1/deeper/agent-x.jsonl"
    store.put(name, LINE)
    job = storing(tmp_path, store.root)
    job.preserve()
    assert is_kept(job.sealed, name)
    assert entry(job.sealed, name)["role"] == "workflow_agent"


def test_f09_times_of_files_and_of_records_stand_apart(tmp_path: Path, store: StoreBuilder) -> None:
    """A file of today with records of long ago: both are stated, and neither is taken for the other."""
    job = storing(tmp_path, store.root)
    job.preserve()
    (session,) = sessions(job.sealed)
    assert str(session["last_record_at"]).startswith("2026-03-02T09:00")
    assert not str(dict_of(session["bundle"])["modified_at"]).startswith("2026-03-02")


def test_f10_and_f11_one_session_in_two_folders(tmp_path: Path, store: StoreBuilder) -> None:
    """Both are kept, whichever is longer or later; each names the other."""
    store.put(f"projects/-w-moved/{S}.jsonl", LINE)
    job = storing(tmp_path, store.root)
    job.preserve()
    assert copy_of(job.sealed, NAME) == BIG
    assert copy_of(job.sealed, f"projects/-w-moved/{S}.jsonl") == LINE
    assert [dict_of(one["bundle"])["also_in"] for one in sessions(job.sealed)] == [["s000002"], ["s000001"]]


def test_f12_an_index_is_data_and_no_list(tmp_path: Path, store: StoreBuilder) -> None:
    """What lies on the disk is preserved, whatever the index says; the index is kept."""
    store.put("projects/-w/sessions-index.json", json.dumps({"entries": [{"sessionId": U}]}).encode())
    job = storing(tmp_path, store.root)
    job.preserve()
    assert is_kept(job.sealed, NAME)
    assert is_kept(job.sealed, "projects/-w/sessions-index.json")
    assert [dict_of(one["bundle"])["session"] for one in sessions(job.sealed)] == [S]
    (facts,) = journal(job.sealed, "store_facts")
    number = entry(job.sealed, "projects/-w/sessions-index.json")["number"]
    assert facts["indexes"] == [{"root": "r1", "entry": number, "listed": 1, "absent": 1, "unlisted": 1}]
    assert job.elsewhere(tmp_path / "look").survey().indexes[0].listed == 1


def test_f14_a_store_with_nothing_but_file_history(tmp_path: Path) -> None:
    """What is left of a purged session is a bundle that only other stores know."""
    builder = StoreBuilder(tmp_path / "store", marked=False)
    builder.put(f"file-history/{S}/0a1b@v1", b"source code")
    job = storing(tmp_path, builder.root)
    job.preserve()
    (session,) = sessions(job.sealed)
    bundle = dict_of(session["bundle"])
    assert (bundle["project"], bundle["transcript"], bundle["witnesses"]) == (None, "missing", [["file-history", 2]])
    assert is_kept(job.sealed, f"file-history/{S}/0a1b@v1")


@pytest.mark.parametrize("octets", [b"", b'{"oauthAccount":{"emai'])
def test_f15_an_account_file_has_size_and_digest_and_is_never_read_for_more(
    tmp_path: Path, store: StoreBuilder, octets: bytes
) -> None:
    """Empty, cut or whole: denied, and digested."""
    store.put(".claude.json", octets)
    job = storing(tmp_path, store.root)
    job.preserve()
    found = entry(job.sealed, ".claude.json")
    assert (found["decision"], found["rule"]) == ("exclude", "credentials_name")
    assert dict_of(found["state"])["size_bytes"] == len(octets)
    assert str(found["sha256"]).startswith("sha256:")
    assert not is_kept(job.sealed, ".claude.json")


@pytest.mark.parametrize("call", ["write", "settle_group", "close", "create"])
def test_f16_a_full_destination_leaves_a_partial_that_goes_on(tmp_path: Path, store: StoreBuilder, call: str) -> None:
    """Status 7 at once; nothing looks sealed; with room again it resumes to the same payload."""
    store.transcript("-w", Talk(T, turns=1))
    whole = storing(tmp_path / "whole", store.root)
    whole.preserve()
    job = storing(tmp_path / "full", store.root)
    count = FailingDisk(only=call)
    job.elsewhere(tmp_path / "count").preserve(disk=count)
    disk = FailingDisk(count.calls // 2 + 1, code=FULL, only=call)
    with pytest.raises(DestinationFault, match="No space left"):
        job.preserve(disk=disk)
    disk.release()
    assert not job.sealed.exists()
    job.resume()
    assert payload(job.sealed) == payload(whole.sealed)
    assert comparable(job.sealed) == comparable(whole.sealed)


def test_f19_a_sweep_during_the_walk_ends_in_a_consistent_exhibit(tmp_path: Path, store: StoreBuilder) -> None:
    """Half of a project folder goes while it is preserved: each file is a copy or a gap, and none is both."""
    names = [f"projects/-x-sweep/{session_id(str(number))}.jsonl" for number in range(20)]
    for name in names:
        store.put(name, LINE)
    job = storing(tmp_path, store.root)

    def sweep() -> None:
        for name in names[::2]:
            (store.root / name).unlink()

    job.preserve(act=once_copying(sweep, after=len(BIG)))
    here = {name for name in names if is_kept(job.sealed, name)}
    missed = {row["index"] for row in rows(job.sealed, layout.GAPS) if row["code"] == "vanished"}
    gone = {name for name in names if entry(job.sealed, name)["number"] in missed}
    assert here | gone == set(names)
    assert not here & gone
    assert gone
    assert is_intact(job.sealed)


def test_a_signal_stops_in_the_middle_of_a_large_file_and_it_goes_on(tmp_path: Path, store: StoreBuilder) -> None:
    """SIGTERM: what is journalled is kept, the rest resumes, and the interruption stays visible."""
    store.transcript("-a", Talk(T, turns=1))
    whole = storing(tmp_path / "whole", store.root)
    whole.preserve()
    job, came = storing(tmp_path / "stopped", store.root), []

    def watch(state: State) -> None:
        if state.octets > 1024**2:
            came.append(15)

    with pytest.raises(Interrupted) as told:
        job.preserve(act=watch, around=surroundings(stop=lambda: came[0] if came else None))
    assert told.value.exit_status == 143
    assert job.partial.is_dir()
    job.resume()
    assert payload(job.sealed) == payload(whole.sealed)
    assert comparable(job.sealed) == comparable(whole.sealed)
    assert json.loads((job.sealed / layout.PACKAGE).read_bytes())["resumed"] == 1
    assert len(list_of(rows(job.sealed, layout.JOURNAL))) > 0


def test_one_session_of_a_store_that_is_used_is_preserved_alone(tmp_path: Path, store: StoreBuilder) -> None:
    """Somebody else's session changes all the while and does not matter."""
    other = store.transcript("-w", Talk(T, turns=1))
    job = storing(tmp_path, store.root)

    def rewrite(state: State) -> None:
        if state.phase == "copying":
            other.write_bytes(LINE * state.pages)

    root = true_name(os.fsencode(store.root))
    result = job.preserve(BundleSelection(agent="claude-code", roots=(root,), sessions=(S,)), act=rewrite)
    assert result.outcome == "all_given"
    assert not is_kept(job.sealed, f"projects/-w/{T}.jsonl")
