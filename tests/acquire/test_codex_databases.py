"""The databases of a home are copied as sets, judged as sets, and their word is set against the rollouts."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from agentaudit.acquire import preserve
from agentaudit.acquire.closing import seal_partial
from agentaudit.acquire.progress import Silent, State
from agentaudit.acquire.request import SealPartial
from agentaudit.model.actors import Said
from tests.support.around import surroundings
from tests.support.disks import FailingDisk, Killed
from tests.support.homing import A, B, C, Home, asked, homing, line, lines, only, path_of
from tests.support.storing import (
    Storing,
    comparable,
    copy_of,
    dict_of,
    gaps,
    is_intact,
    journal,
    kept,
    list_of,
    once_copying,
    payload,
    sessions,
)

MAIN, WAL, SHM = "state_5.sqlite", "state_5.sqlite-wal", "state_5.sqlite-shm"


@pytest.fixture(autouse=True)
def told_at_every_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress is shown after every stretch, so that a test can act between two files."""
    monkeypatch.setattr(preserve, "SHOW_BYTES", 1)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with one rollout and its databases."""
    built = Home(tmp_path / "home")
    built.rollout(A)
    built.state((A, path_of()))
    built.projection((A, len(lines()), 5))
    return built


def preserved(tmp_path: Path, home: Home, act: Callable[[State], None] | None = None) -> Storing:
    """The home, preserved and checked."""
    job = homing(tmp_path, home.root)
    job.preserve(asked(home.root), act=act)
    assert is_intact(job.sealed)
    return job


def goes(job: Storing, family: str = "state") -> list[dict[str, object]]:
    """The rows about one database."""
    rows = journal(job.sealed, "database_copied")
    return [row for row in rows if dict_of(row["database"])["family"] == family]


def looks(job: Storing) -> dict[str, dict[str, object]]:
    """What the databases showed, by family."""
    row = only(journal(job.sealed, "projection_compared"))
    return {str(look["family"]): look for look in list_of(row["databases"])}


def test_a_set_lies_side_by_side_in_the_package(tmp_path: Path, home: Home) -> None:
    """A copy of database and `-wal` opens with its rows; without the `-wal` it has no table."""
    job = preserved(tmp_path, home)
    go = only(goes(job))
    paths = [str(member["path"]) for member in list_of(go["members"])]
    assert [path.rpartition(".")[2] for path in paths] == ["sqlite", "sqlite-wal", "sqlite-shm"]
    assert len({path.rpartition(".")[0] for path in paths}) == 1
    assert dict_of(go["database"])["quiesced"] == "not_quiesced"
    assert (dict_of(go["database"])["torn"], go["tries"], go["appeared"]) == (False, 1, [])
    assert looks(job)["state"]["tables"] == 2
    alone = tmp_path / "alone.sqlite"
    alone.write_bytes(copy_of(job.sealed, MAIN))
    connection = sqlite3.connect(alone)
    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    connection.close()


def test_rollouts_are_copied_after_the_databases(tmp_path: Path, home: Home) -> None:
    """A database lags: copied later it would accuse a rollout that was whole when it was read."""
    job = preserved(tmp_path, home)
    assert [row["role"] for row in journal(job.sealed, "kept")][-1] == "rollout"
    standing = dict_of(sessions(job.sealed)[0]["standing"])
    assert (standing["file"], standing["size"], standing["ordinal"]) == ("present", "equal", "equal")


def test_a_set_that_changes_is_copied_again_and_every_go_is_kept(tmp_path: Path, home: Home) -> None:
    """The second go is whole; the first is marked torn."""

    def write() -> None:
        place = home.root / MAIN
        place.write_bytes(place.read_bytes() + bytes(4096))

    job = preserved(tmp_path, home, once_copying(write, 1))
    assert [dict_of(go["database"])["torn"] for go in goes(job)] == [True, False]
    assert [go["tries"] for go in goes(job)] == [1, 2]
    assert len(kept(job.sealed, WAL)) == 2
    assert copy_of(job.sealed, MAIN) == (home.root / MAIN).read_bytes()
    assert "changed_while_read" not in gaps(job.sealed)


def test_a_set_that_never_holds_still_is_a_gap_and_is_not_read(tmp_path: Path, home: Home) -> None:
    """All goes are kept, and nothing is said of what may be of two states."""

    def write(state: State) -> None:
        if state.phase == "copying":
            with (home.root / MAIN).open("ab") as stream:
                stream.write(bytes(16))

    job = preserved(tmp_path, home, write)
    assert [dict_of(go["database"])["torn"] for go in goes(job)] == [True, True, True]
    assert gaps(job.sealed) == {"changed_while_read": 1}
    assert looks(job)["state"]["problem"] == "torn"
    assert looks(job)["thread_history"]["tables"] == 2


def test_a_write_ahead_log_that_only_grew_is_an_earlier_state(tmp_path: Path, home: Home) -> None:
    """What was appended after the copy spoils nothing."""

    def write() -> None:
        with (home.root / WAL).open("ab") as stream:
            stream.write(bytes(64))

    job = preserved(tmp_path, home, once_copying(write, 4097))
    go = only(goes(job))
    assert dict_of(go["database"])["torn"] is False
    assert [member["change"] for member in list_of(go["members"])] == ["none", "grew", "none"]


def test_a_write_ahead_log_that_was_begun_anew_is_torn(tmp_path: Path, home: Home) -> None:
    """It grew, and its header is another: the copy is of two logs."""

    def write() -> None:
        place = home.root / WAL
        old = place.read_bytes()
        with place.open("r+b") as stream:
            stream.write(bytes(32))
            stream.seek(len(old))
            stream.write(bytes(64))

    size = (home.root / MAIN).stat().st_size
    job = preserved(tmp_path, home, once_copying(write, size + 1))
    first = goes(job)[0]
    assert dict_of(first["database"])["torn"] is True
    assert list_of(first["members"])[1]["change"] == "rewritten"


def test_a_write_ahead_log_that_appears_is_said(tmp_path: Path) -> None:
    """It was not in the survey, so it has no copy; the set is not whole without it."""
    home = Home(tmp_path / "home")
    home.rollout(A)
    home.put(MAIN, b"")
    connection = sqlite3.connect(home.root / MAIN)
    connection.execute("CREATE TABLE threads (id, rollout_path, archived)")
    connection.commit()
    connection.close()

    def appear() -> None:
        home.put(WAL, b"x")

    job = preserved(tmp_path, home, once_copying(appear, 1))
    assert goes(job)[-1]["appeared"] == ["-wal"]
    assert gaps(job.sealed) == {"changed_while_read": 1, "appeared_later": 1}


def test_a_write_ahead_log_that_was_written_back_is_a_gap_and_the_set_is_whole(tmp_path: Path, home: Home) -> None:
    """The program ended and took its `-wal` along: what the database holds by itself is copied."""

    def checkpoint() -> None:
        connection = sqlite3.connect(home.root / MAIN)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.close()

    job = preserved(tmp_path, home, once_copying(checkpoint))
    go = only(goes(job))
    assert (dict_of(go["database"])["wal"], dict_of(go["database"])["torn"]) == (False, False)
    assert gaps(job.sealed) == {"vanished": 2}
    assert looks(job)["state"]["tables"] == 2


def test_a_database_that_is_none_is_kept_and_said(tmp_path: Path, home: Home) -> None:
    """The bytes are evidence; what cannot be read says nothing of rollouts."""
    for end in ("-wal", "-shm"):
        (home.root / f"{MAIN}{end}").unlink()
    home.put(MAIN, b"no database at all" * 100)
    job = preserved(tmp_path, home)
    assert (looks(job)["state"]["problem"], looks(job)["state"]["error"]) == ("damaged", "SQLITE_NOTADB")
    assert gaps(job.sealed) == {}


def test_a_thread_that_names_a_missing_rollout_is_unavailable(tmp_path: Path, home: Home) -> None:
    """Whether or not anything else of the thread lies there."""
    home.state((A, path_of()), (B, path_of(B)), (C, path_of(C)), edges=((A, "9f8e7d6c"),))
    home.put(f"generated_images/{C}/1.png", b"x")
    job = preserved(tmp_path, home)
    assert gaps(job.sealed) == {"transcript_absent": 2, "subagent_absent": 1}
    assert dict_of(only(journal(job.sealed, "projection_compared"))["projection"])["missing"] == 2


def test_a_thread_whose_other_rollout_is_there_still_lacks_the_one_that_is_named(tmp_path: Path, home: Home) -> None:
    """A row names a file under another name than the one that lies there."""
    home.state((A, "sessions/2026/01/01/rollout-2026-01-01T00-00-00-x.jsonl"))
    job = preserved(tmp_path, home)
    assert gaps(job.sealed) == {"transcript_absent": 1}
    assert sessions(job.sealed)[0]["outcome"] == "all_given_with_losses"


def test_a_rollout_that_is_smaller_than_its_projection_lost_records(tmp_path: Path, home: Home) -> None:
    """The gap counts the ordinals beyond the file; a larger file is only ahead of its projection."""
    home.rollout(B)
    home.projection((A, 10_000, 12), (B, 10, 1))
    job = preserved(tmp_path, home)
    assert gaps(job.sealed) == {"projected_absent": 7}
    by_thread = {dict_of(row["bundle"])["session"]: dict_of(row["standing"]) for row in sessions(job.sealed)}
    assert (by_thread[A]["size"], by_thread[B]["size"]) == ("smaller", "larger")


def test_a_rollout_without_ordinals_is_compared_by_its_size(tmp_path: Path, home: Home) -> None:
    """How many records are lost is not known: the gap counts one."""
    home.rollout(A, line(0, "session_meta", {"id": A}).replace(b'"ordinal": 0, ', b""))
    job = preserved(tmp_path, home)
    assert gaps(job.sealed) == {"projected_absent": 1}


def test_the_size_of_a_compressed_rollout_is_that_of_its_text(tmp_path: Path, home: Home) -> None:
    """Its row names the plain file that was compressed."""
    (home.root / path_of()).unlink()
    home.rollout(A, packed=True)
    job = preserved(tmp_path, home)
    standing = dict_of(sessions(job.sealed)[0]["standing"])
    assert (standing["file"], standing["size"], standing["ordinal"]) == ("compressed", "equal", "equal")


@pytest.mark.parametrize("fatal", [12, 17, 20, 24, 28, 33, 40, 44])
def test_a_killed_run_goes_on_to_the_same_package(tmp_path: Path, home: Home, fatal: int) -> None:
    """A set of which not all is journalled is copied again as a whole; the rest is as in a run that nothing stopped."""
    whole = preserved(tmp_path / "whole", home)
    job = homing(tmp_path / "killed", home.root)
    disk = FailingDisk(fatal)
    with pytest.raises(Killed):
        job.preserve(asked(home.root), disk=disk)
    disk.release()
    job.resume()
    assert is_intact(job.sealed)
    assert payload(job.sealed) == payload(whole.sealed)
    assert comparable(job.sealed) == comparable(whole.sealed)


def test_a_killed_run_can_be_closed_as_it_stands(tmp_path: Path, home: Home) -> None:
    """What was not copied is a gap of each file; the home is not opened again."""
    job = homing(tmp_path, home.root)
    disk = FailingDisk(30)
    with pytest.raises(Killed):
        job.preserve(asked(home.root), disk=disk)
    disk.release()
    home.root.rename(tmp_path / "gone")
    seal_partial(SealPartial(job.partial, Said(), ("agentaudit",)), surroundings(), Silent())
    assert is_intact(job.sealed)
    assert gaps(job.sealed)["interrupted"] >= 1


def test_databases_that_lie_apart_are_held_against_their_home(tmp_path: Path, home: Home) -> None:
    """A rollout that lies in the home is not missing because its databases have a root of their own."""
    apart = Home(tmp_path / "apart")
    apart.state((A, path_of()), (B, path_of(B)), edges=((A, C),))
    apart.projection((A, len(lines()), 5))
    for path in home.root.glob("*.sqlite*"):
        path.unlink()
    job = homing(tmp_path, home.root, apart.root)
    job.preserve(asked(home.root, apart.root))
    assert is_intact(job.sealed)
    assert gaps(job.sealed) == {"transcript_absent": 1, "subagent_absent": 1}  # that of B, and C
    (row,) = sessions(job.sealed)
    assert (dict_of(row["standing"])["file"], dict_of(row["standing"])["size"]) == ("present", "equal")


def test_of_several_homes_no_shorter_copy_counts_as_a_loss(tmp_path: Path, home: Home) -> None:
    """Whose home it is cannot be told: what one of them holds whole is not lost, and no standing is stated."""
    apart, other = Home(tmp_path / "apart"), Home(tmp_path / "other")
    apart.state((A, path_of()))
    apart.projection((A, len(lines()), 5))
    other.rollout(A, lines(count=2))
    for path in home.root.glob("*.sqlite*"):
        path.unlink()
    job = homing(tmp_path, other.root, home.root, apart.root)
    job.preserve(asked(other.root, home.root, apart.root))
    assert is_intact(job.sealed)
    assert gaps(job.sealed).keys().isdisjoint({"transcript_absent", "projected_absent"})
    assert all("standing" not in row for row in sessions(job.sealed))
