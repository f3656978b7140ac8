"""The second look at the end of a preservation: what the store became since its survey is a row, and a gap."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from agentaudit.acquire.bundle import preserve_bundle
from agentaudit.acquire.closing import seal_partial
from agentaudit.acquire.progress import Silent, State
from agentaudit.acquire.request import PreserveBundle, SealPartial
from agentaudit.acquire.storegaps import later_gaps
from agentaudit.demo.store import StoreBuilder, Talk, session_id
from agentaudit.format import layout
from agentaudit.model.actors import Said
from agentaudit.model.base import Instant
from agentaudit.model.selection import BundleSelection
from agentaudit.model.storejournal import RootAgain, StoreLookedAgain
from agentaudit.sources.local.handles import Handles
from tests.support.around import surroundings
from tests.support.disks import FailingDisk, Killed
from tests.support.homing import A, Home, asked, homing
from tests.support.storing import (
    Act,
    Acting,
    Rows,
    Storing,
    dict_of,
    gaps,
    is_intact,
    is_kept,
    journal,
    list_of,
    once_copying,
    storing,
    surrounding,
)

S, T = session_id("one"), session_id("two")
LINE = b'{"display":"x","sessionId":"%s"}\n'


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with a session, and with what is only listed: history, settings, a cache, a link."""
    built = StoreBuilder(tmp_path / "store", marked=False)
    built.transcript("-w", Talk(S, turns=1))
    built.put("history.jsonl", LINE % S.encode())
    built.put("settings.json", b'{"cleanupPeriodDays":30}')
    built.put("stats-cache.json", b"{}")
    built.put("sessions/7.json", json.dumps({"pid": 7, "sessionId": S}).encode())
    (built.root / "link").symlink_to("settings.json")
    return built.root


def preserved(tmp_path: Path, store: Path, change: Callable[[], object] = lambda: None) -> Storing:
    """The store, preserved while that happened, and checked."""
    job = storing(tmp_path / "job", store)
    job.preserve(act=once_copying(change))
    assert is_intact(job.sealed)
    return job


def looked_again(job: Storing) -> dict[str, object]:
    """The row of the second look."""
    (row,) = journal(job.sealed, "store_looked_again")
    return row


def changed(job: Storing) -> dict[str, object]:
    """What became of each entry."""
    rows = journal(job.sealed, "entry_changed")
    assert len({str(row["name"]) for row in rows}) == len(rows)
    return {str(row["name"]): row["change"] for row in rows}


def later(job: Storing) -> dict[str, int]:
    """The gaps of the second look."""
    return {code: count for code, count in gaps(job.sealed).items() if code.endswith("_later")}


def test_a_store_that_holds_still_is_looked_at_again_and_has_no_gap(tmp_path: Path, store: Path) -> None:
    """The row is there, so that its absence says something; both times at which files were read stand in rows."""
    job = preserved(tmp_path, store)
    row = looked_again(job)
    assert row["roots"] == [{"root": "r1", "appeared": 0, "listed_changed": 0, "kept_gone": 0, "problem": None}]
    assert row["facts"] is None
    (facts,) = journal(job.sealed, "store_facts")
    last = journal(job.sealed, "kept")[-1]
    assert str(facts["read_at"]) <= str(facts["at"]) <= str(row["begun_at"]) <= str(row["at"])
    assert str(last["at"]) <= str(row["at"])
    assert (changed(job), later(job)) == ({}, {})


def test_what_appeared_is_named_and_counted_and_not_copied(tmp_path: Path, store: Path) -> None:
    """The survey bounds what is taken; the outcome is that of what it saw."""

    def appear() -> None:
        folder = store / "projects" / "-new"
        folder.mkdir()
        (folder / f"{T}.jsonl").write_bytes(b"{}\n")

    job = preserved(tmp_path, store, appear)
    name = f"projects/-new/{T}.jsonl"
    assert changed(job) == {"projects/-new": "appeared", name: "appeared"}
    assert later(job) == {"appeared_later": 2}
    (row,) = [row for row in journal(job.sealed, "entry_changed") if row["name"] == name]
    assert (row["entry"], row["kind"], dict_of(row["state"])["size_bytes"]) == (None, "file", 3)
    assert not is_kept(job.sealed, name)
    (closed,) = journal(job.sealed, "closed")
    assert closed["outcome"] == "all_given"


def test_what_was_only_listed_and_is_another_is_told(tmp_path: Path, store: Path) -> None:
    """Grown, replaced, gone, and a link that leads elsewhere; each with what lies there now."""

    def change() -> None:
        with (store / "stats-cache.json").open("ab") as stream:
            stream.write(b" ")
        other = store.parent / "other"  # both at once: a file system may give an inode that is free again
        other.symlink_to("history.jsonl")
        other.rename(store / "link")
        (store / "sessions" / "7.json").unlink()

    job = preserved(tmp_path, store, change)
    assert changed(job) == {"link": "replaced", "sessions/7.json": "vanished", "stats-cache.json": "changed"}
    assert later(job) == {"changed_later": 3}
    states = {str(row["name"]): row["state"] for row in journal(job.sealed, "entry_changed")}
    assert dict_of(states["stats-cache.json"])["size_bytes"] == 3
    assert states["sessions/7.json"] is None


def test_a_copied_file_whose_name_is_gone_is_told_and_no_gap(tmp_path: Path, store: Path) -> None:
    """Its bytes are here."""
    job = storing(tmp_path / "job", store)
    place = store / "projects" / "-w" / f"{S}.jsonl"

    class Deleting(FailingDisk):
        """The agent's clean-up comes once the copy is durable."""

        def settle_group(self, within: int, files: tuple[int, ...], folders: tuple[Path, ...]) -> None:
            """Settle, then delete."""
            super().settle_group(within, files, folders)
            place.unlink(missing_ok=True)

    job.preserve(disk=Deleting())
    assert is_intact(job.sealed)
    assert changed(job) == {f"projects/-w/{S}.jsonl": "vanished"}
    assert gaps(job.sealed).keys().isdisjoint({"vanished", "changed_later"})
    assert is_kept(job.sealed, f"projects/-w/{S}.jsonl")
    assert list_of(looked_again(job)["roots"])[0]["kept_gone"] == 1


def test_a_copied_file_under_another_name_is_no_gap(tmp_path: Path, store: Path) -> None:
    """It moved to another folder, or got a second name: the row says of which entry it is the file."""
    place = store / "projects" / "-w" / f"{S}.jsonl"

    def link() -> None:
        (store / "twin.jsonl").hardlink_to(place)

    job = preserved(tmp_path, store, link)
    assert (changed(job), later(job)) == ({"twin.jsonl": "appeared"}, {})
    (row,) = journal(job.sealed, "entry_changed")
    (copy,) = journal(job.sealed, "kept")
    assert row["same_as"] == copy["entry"]


def come_and_go(root: Path, name: str, folder: Path) -> Act:
    """A folder is away when the store is surveyed, lies there while files are copied, and is away again at the end."""

    def act() -> None:
        folder.rename(root / name)
        (root / name).rename(folder)

    return once_copying(act)


def passing(tmp_path: Path, store: Path, name: str) -> Storing:
    """The store, preserved while a folder with a file came and went under that name."""
    folder = tmp_path / "away"
    folder.mkdir()
    (folder / "agent-1.jsonl").write_bytes(b"{}\n")
    job = storing(tmp_path / "job", store)
    job.preserve(act=come_and_go(store, name, folder))
    assert is_intact(job.sealed)
    return job


def test_what_was_away_at_both_looks_is_told_of_its_folder(tmp_path: Path, store: Path) -> None:
    """No listing has it: the times of the folder in which it came and went have moved."""
    job = passing(tmp_path, store, f"projects/-w/{S}")
    assert (changed(job), later(job)) == ({"projects/-w": "changed"}, {"changed_later": 1})
    (row,) = journal(job.sealed, "entry_changed")
    (seen,) = [one for one in journal(job.sealed, "entry_seen") if dict_of(one["entry"])["name"] == "projects/-w"]
    assert row["entry"] == dict_of(seen["entry"])["number"]
    assert dict_of(row["state"])["modified_at"] != dict_of(dict_of(seen["entry"])["state"])["modified_at"]


def test_what_was_away_from_a_root_at_both_looks_is_told_of_the_root(tmp_path: Path, store: Path) -> None:
    """The root has no entry: its row has an empty name, and its first state stands in the row of the root."""
    job = passing(tmp_path, store, "agents")
    assert (changed(job), later(job)) == ({"": "changed"}, {"changed_later": 1})
    (row,) = journal(job.sealed, "entry_changed")
    (root,) = journal(job.sealed, "root_seen")
    assert (row["entry"], row["kind"], row["root"]) == (None, "folder", "r1")
    assert dict_of(row["state"])["inode"] == dict_of(root["state"])["inode"]
    assert dict_of(row["state"])["modified_at"] != dict_of(root["state"])["modified_at"]


def test_what_changed_in_its_place_explains_nothing_of_its_folder(tmp_path: Path, store: Path) -> None:
    """A file that grew leaves the times of its folder alone: something else came and went there, and it is told."""
    folder = tmp_path / "away"
    folder.mkdir()
    pass_by = come_and_go(store, "agents", folder)

    def grow() -> None:
        with (store / "stats-cache.json").open("ab") as stream:
            stream.write(b" ")

    grow_once = once_copying(grow)

    def act(state: State) -> None:
        pass_by(state)
        grow_once(state)

    job = storing(tmp_path / "job", store)
    job.preserve(act=act)
    assert (changed(job), later(job)) == ({"": "changed", "stats-cache.json": "changed"}, {"changed_later": 2})


def test_a_copied_file_that_is_replaced_later_is_told_of_its_folder(tmp_path: Path, store: Path) -> None:
    """Its name is the same, and only names of copied files are looked at."""
    job = storing(tmp_path / "job", store)
    place = store / "projects" / "-w" / f"{S}.jsonl"

    class Replacing(FailingDisk):
        """Somebody saves the file anew once its copy is durable."""

        def settle_group(self, within: int, files: tuple[int, ...], folders: tuple[Path, ...]) -> None:
            """Settle, then replace."""
            super().settle_group(within, files, folders)
            if not (tmp_path / "done").exists():
                (tmp_path / "done").touch()
                (tmp_path / "new").write_bytes(b"{}\n")
                (tmp_path / "new").rename(place)

    job.preserve(disk=Replacing())
    assert is_intact(job.sealed)
    assert (changed(job), later(job)) == ({"projects/-w": "changed"}, {"changed_later": 1})


def test_a_folder_of_which_its_entries_tell_has_no_row_of_its_own(tmp_path: Path, store: Path) -> None:
    """What appeared in it explains its times; what is deeper does not."""
    folder = store / "projects" / "-w"
    job = preserved(tmp_path, store, lambda: (folder / f"{T}.jsonl").write_bytes(b"{}\n"))
    assert changed(job) == {f"projects/-w/{T}.jsonl": "appeared"}


def test_a_root_that_is_another_folder_at_the_end_is_told(tmp_path: Path, store: Path) -> None:
    """What was surveyed is copied through its handle, wherever it lies now; the new folder is not looked into."""

    def swap() -> None:
        store.rename(tmp_path / "away")
        store.mkdir()
        (store / "unseen").write_bytes(b"x")

    job = preserved(tmp_path, store, swap)
    assert (changed(job), later(job)) == ({"": "replaced"}, {"changed_later": 1})
    assert is_kept(job.sealed, f"projects/-w/{S}.jsonl")


def test_a_root_that_is_away_at_the_end_is_told(tmp_path: Path, store: Path) -> None:
    """It was moved, not deleted: what was surveyed is copied all the same."""
    job = preserved(tmp_path, store, lambda: store.rename(tmp_path / "away"))
    assert (changed(job), later(job)) == ({"": "vanished"}, {"changed_later": 1})
    assert is_kept(job.sealed, f"projects/-w/{S}.jsonl")


def test_a_resumed_run_knows_what_its_roots_were(tmp_path: Path, store: Path) -> None:
    """The look at a root is that of the survey, not that of the run that goes on."""
    job = storing(tmp_path / "job", store)
    with pytest.raises(Killed):
        job.preserve(disk=(disk := FailingDisk(1, only="settle_group")))
    disk.release()
    (store / "passing").mkdir()
    (store / "passing").rmdir()
    job.resume()
    assert is_intact(job.sealed)
    assert changed(job) == {"": "changed"}


def facts_after(tmp_path: Path, store: Path, change: Callable[[], object]) -> dict[str, object]:
    """What files say of the store at the end, where it is not what they said at its beginning."""
    return dict_of(looked_again(preserved(tmp_path, store, change))["facts"])


def test_a_history_that_names_another_session_is_read_again(tmp_path: Path, store: Path) -> None:
    """Both readings stand there, each with its time."""

    def write() -> None:
        with (store / "history.jsonl").open("ab") as stream:
            stream.write(LINE % T.encode())

    found = facts_after(tmp_path, store, write)
    assert {str(one["session"]): one["lines"] for one in list_of(found["history"])} == {S: 1, T: 1}
    assert [one["session"] for one in list_of(found["running"])] == [S]


def test_a_setting_that_changes_is_read_again(tmp_path: Path, store: Path) -> None:
    """With the number of its file, as before; of other files nothing is new."""
    found = facts_after(tmp_path, store, lambda: (store / "settings.json").write_bytes(b'{"cleanupPeriodDays":1}'))
    (switch,) = list_of(found["switches"])
    job = Storing(tmp_path / "job" / "case", (store,))
    (facts,) = journal(job.sealed, "store_facts")
    (before,) = list_of(facts["switches"])
    assert (dict_of(switch["switch"])["value"], dict_of(before["switch"])["value"]) == (1, 30)
    assert switch["entry"] == before["entry"] != 0


def test_live_marks_that_come_and_go_are_told(tmp_path: Path, store: Path) -> None:
    """A session that ended, and one that began, whose file is in no survey."""

    def change() -> None:
        (store / "sessions" / "7.json").unlink()
        (store / "sessions" / "9.json").write_bytes(json.dumps({"pid": 9, "sessionId": T}).encode())

    found = facts_after(tmp_path, store, change)
    assert [(one["process"], one["session"]) for one in list_of(found["running"])] == [(9, T)]


def test_a_file_that_changed_and_says_the_same_is_no_new_fact(tmp_path: Path, store: Path) -> None:
    """It was read again, and its entry is told of."""
    job = preserved(tmp_path, store, lambda: (store / "settings.json").write_bytes(b'{"cleanupPeriodDays": 30}'))
    assert looked_again(job)["facts"] is None
    assert later(job) == {"changed_later": 1}


def test_a_secret_that_appears_is_not_read_for_facts(tmp_path: Path, store: Path) -> None:
    """Also under the name of a file that tells of the store."""

    def appear() -> None:
        (store / ".credentials.json").write_bytes(json.dumps({"pid": 9, "sessionId": T}).encode())
        (store / "sessions" / "9.json").hardlink_to(store / ".credentials.json")

    job = preserved(tmp_path, store, appear)
    assert looked_again(job)["facts"] is None
    assert later(job) == {"appeared_later": 2}


def test_the_administrators_settings_are_looked_at_again(tmp_path: Path) -> None:
    """They lie outside every root."""
    home, managed = tmp_path / "home", tmp_path / "managed"
    StoreBuilder(home / ".claude", marked=False).transcript("-w", Talk(S, turns=1))
    managed.mkdir()
    place = managed / "managed-settings.json"
    place.write_bytes(b'{"cleanupPeriodDays":3}')
    job = storing(tmp_path / "job")
    request = PreserveBundle(
        job.case,
        BundleSelection(agent="claude-code", roots=(), everything=True),
        replace(surrounding(home), managed=os.fsencode(managed)),
        Said(),
        ("agentaudit",),
    )
    acting = Acting(once_copying(lambda: place.write_bytes(b'{"cleanupPeriodDays":4}')))
    preserve_bundle(request, surroundings(), acting)
    (switch,) = list_of(dict_of(looked_again(job)["facts"])["switches"])
    assert (switch["root"], dict_of(switch["switch"])["value"]) == ("managed", 4)


def test_a_home_of_codex_is_looked_at_again(tmp_path: Path) -> None:
    """Its configuration and its history tell of it; files of a database that appear are named."""
    home = Home(tmp_path / "home")
    home.rollout(A)
    home.put("config.toml", b'[history]\npersistence = "none"\n')
    job = homing(tmp_path, home.root)

    def change() -> None:
        home.put("config.toml", b'[history]\npersistence = "save-all"\n')
        home.put("state_5.sqlite", b"")

    job.preserve(asked(home.root), act=once_copying(change))
    assert is_intact(job.sealed)
    assert changed(job) == {"config.toml": "changed", "state_5.sqlite": "appeared"}
    (switch,) = list_of(dict_of(looked_again(job)["facts"])["switches"])
    assert dict_of(switch["switch"])["value"] == "save-all"


def test_a_selection_by_project_reads_no_folders_again(tmp_path: Path) -> None:
    """The working folders of rollouts are asked for in the survey alone."""
    home = Home(tmp_path / "home")
    home.rollout(A)
    job = homing(tmp_path, home.root)
    act = once_copying(lambda: home.put("history.jsonl", b'{"session_id":"x","ts":1,"text":"t"}\n'))
    job.preserve(asked(home.root, projects=("/w/project",)), act=act)
    assert [one["session"] for one in list_of(dict_of(looked_again(job)["facts"])["history"])] == ["x"]


def cut(job: Storing, folder: Path, *, after: str) -> Storing:
    """The same run, ended after the last row of that kind, before it was sealed."""
    probe = FailingDisk(only="write")
    job.elsewhere(folder / "probe").preserve(disk=probe, act=_appearing(job.roots[0], "probe"))
    for call in range(probe.calls, 0, -1):
        _gone(job.roots[0])
        found = job.elsewhere(folder / f"at{call}")
        disk = FailingDisk(call, only="write")
        with pytest.raises(Killed):
            found.preserve(disk=disk, act=_appearing(job.roots[0], "probe"))
        disk.release()
        rows = (found.partial / layout.JOURNAL).read_bytes().splitlines(keepends=True) if found.partial.is_dir() else []
        ends = [at for at, row in enumerate(rows) if f'"event":"{after}"'.encode() in row and row.endswith(b"\n")]
        if ends and not any(b'"event":"closed"' in row for row in rows if row.endswith(b"\n")):
            (found.partial / layout.JOURNAL).write_bytes(b"".join(rows[: ends[-1] + 1]))
            return found
    raise AssertionError("the second look is committed before the journal is closed")


def _appearing(root: Path, name: str) -> Act:
    return once_copying(lambda: (root / name).write_bytes(b"x"))


def _gone(root: Path) -> None:
    (root / "probe").unlink(missing_ok=True)


def test_a_run_that_ended_before_its_second_look_was_whole_looks_again(tmp_path: Path, store: Path) -> None:
    """The rows of the first one stay; the gaps are those of the last."""
    job = cut(storing(tmp_path / "job", store), tmp_path, after="entry_changed")
    (store / "another").write_bytes(b"x")
    job.resume()
    assert is_intact(job.sealed)
    assert [row["name"] for row in journal(job.sealed, "entry_changed")] == ["probe", "another", "probe"]
    assert later(job) == {"appeared_later": 2}


def test_a_run_that_ended_after_its_second_look_only_states_its_gaps(tmp_path: Path, store: Path) -> None:
    """What came since is not looked at: the look has one time."""
    job = cut(storing(tmp_path / "job", store), tmp_path, after="store_looked_again")
    assert b'"appeared_later"' not in (job.partial / layout.JOURNAL).read_bytes()
    (store / "another").write_bytes(b"x")
    job.resume()
    assert is_intact(job.sealed)
    looked_again(job)
    assert later(job) == {"appeared_later": 1}


def test_what_is_closed_as_it_stands_keeps_the_gaps_of_its_second_look(tmp_path: Path, store: Path) -> None:
    """Nothing of the store is opened for it."""
    job = cut(storing(tmp_path / "job", store), tmp_path, after="store_looked_again")
    store.rename(tmp_path / "away")
    seal_partial(SealPartial(job.partial, Said(), ("agentaudit",)), surroundings(), Silent())
    assert is_intact(job.sealed)
    assert later(job) == {"appeared_later": 1}


def test_what_is_closed_before_its_second_look_has_none(tmp_path: Path, store: Path) -> None:
    """The row is absent: nothing is said of what the store became."""
    job = storing(tmp_path / "job", store)
    with pytest.raises(Killed):
        job.preserve(disk=(disk := FailingDisk(1, only="settle_group")))
    disk.release()
    seal_partial(SealPartial(job.partial, Said(), ("agentaudit",)), surroundings(), Silent())
    rows: Rows = journal(job.sealed, "store_looked_again")
    assert rows == []


def test_a_store_that_is_taken_away_before_its_second_look_makes_the_exhibit_incomplete(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a system without handles, where a root is entered by its path: all copies are there, the look is not."""
    monkeypatch.setattr("agentaudit.acquire.surveying.Handles", partial(Handles, by_handle=False))

    class Leaving(FailingDisk):
        """The volume is unmounted once the copies are durable."""

        def settle_group(self, within: int, files: tuple[int, ...], folders: tuple[Path, ...]) -> None:
            """Settle, then leave."""
            super().settle_group(within, files, folders)
            if store.exists():
                store.rename(tmp_path / "away")

    job = storing(tmp_path / "job", store)
    assert job.preserve(disk=Leaving()).outcome == "incomplete"
    assert is_intact(job.sealed)
    (root,) = list_of(looked_again(job)["roots"])
    assert (root["problem"], root["appeared"], changed(job)) == ("vanished", 0, {})
    assert gaps(job.sealed)["vanished"] == 1


@pytest.mark.parametrize(("problem", "code"), [("vanished", "vanished"), ("failed", "unreadable")])
def test_a_root_that_cannot_be_listed_again_is_a_gap(problem: str, code: str) -> None:
    """Not even its numbers are known."""
    root = RootAgain(root="r2", appeared=0, listed_changed=0, kept_gone=0, problem=problem)
    row = StoreLookedAgain(survey=3, begun_at=Instant(""), roots=(root,), facts=None)
    (gap,) = later_gaps("codex", row)
    assert (gap.kind, gap.code, gap.walk, gap.count) == ("not_obtained", code, "codex/r2/survey03", 1)
