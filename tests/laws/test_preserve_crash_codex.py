"""A preservation of a Codex home that ends at any call to the disk, or after any row, goes on to the same end."""

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from agentaudit.errors import AgentAuditError
from agentaudit.format import layout
from tests.support.disks import FailingDisk, Killed
from tests.support.homing import A, B, C, Home, asked, homing, lines, path_of
from tests.support.storing import (
    Act,
    Storing,
    comparable,
    dict_of,
    gaps,
    is_intact,
    journal,
    kept,
    list_of,
    once_copying,
    payload,
)

SHARES = 4
MAIN, WAL, SHM = "state_5.sqlite", "state_5.sqlite-wal", "state_5.sqlite-shm"


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder in memory where there is one: a barrier costs nothing there."""
    memory = Path("/dev/shm")  # noqa: S108 - a fresh folder of ours below it
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


def small_home(root: Path) -> Home:
    """Rollouts of each form, two databases that are read and one that is none, and what stays out."""
    home = Home(root)
    home.rollout(A)
    home.rollout(B, lines(B, count=3, forked_from_id=A), packed=True)
    home.rollout(C, lines(C, count=2), archived=True)
    home.state((A, path_of()), (B, path_of(B)), edges=((A, C),))
    home.projection((A, len(lines()), 5))
    home.put("logs_2.sqlite", b"no database at all" * 100)
    for name in ("history.jsonl", "session_index.jsonl", "auth.json", "config.toml"):
        home.put(name, b"{}\n")
    return home


@dataclass(frozen=True)
class Undisturbed:
    """A home, and what a preservation of it that nothing disturbs gives."""

    job: Storing
    calls: int
    payload: dict[str, bytes]
    folds: dict[str, list[str]]

    def is_reached_by(self, job: Storing) -> bool:
        """Whether another exhibit of the home holds the same."""
        return payload(job.sealed) == self.payload and comparable(job.sealed) == self.folds and is_intact(job.sealed)


def undisturbed(place: Path) -> Undisturbed:
    """Preserve a small home once, counting the calls to the disk."""
    home = small_home(place / "home")
    disk, job = FailingDisk(), homing(place / "undisturbed", home.root)
    job.preserve(asked(home.root), disk=disk)
    assert is_intact(job.sealed)
    return Undisturbed(job, disk.calls, payload(job.sealed), comparable(job.sealed))


def killed(job: Storing, disk: FailingDisk, act: Act | None = None) -> Storing:
    """A preservation that ended where the disk ends it."""
    with pytest.raises(Killed):
        job.preserve(asked(*job.roots), disk=disk, act=act)
    disk.release()
    return job


def goes_on(job: Storing, whole: Undisturbed) -> bool:
    """Resume what is there; True when there was something to go on with."""
    if job.sealed.exists() or not (job.partial / layout.JOURNAL).is_file():
        return False
    try:
        job.resume()
    except AgentAuditError as error:
        assert "no journal that begins" in error.message  # noqa: PT017 - only this one is right
        return False
    assert whole.is_reached_by(job)
    return True


@pytest.mark.parametrize("share", range(SHARES))
def test_killed_at_any_call_it_resumes_to_the_same_payload_and_folds(place: Path, share: int) -> None:
    """Every write, barrier, rename and close, those between the rows of one database included."""
    whole, resumed = undisturbed(place), 0
    for call in range(share + 1, whole.calls + 1, SHARES):
        folder = place / f"at{call}"
        resumed += goes_on(killed(whole.job.elsewhere(folder), FailingDisk(call)), whole)
        shutil.rmtree(folder)
    assert resumed > whole.calls // SHARES // 2


def before_closing(place: Path, run: Callable[[Path, FailingDisk], None]) -> tuple[Storing, list[bytes]]:
    """A run that ended as its journal was to be closed, and the whole rows of that journal."""
    probe = FailingDisk(only="write")
    run(place / "probe", probe)
    for call in range(probe.calls, 0, -1):
        disk = FailingDisk(call, only="write")
        with pytest.raises(Killed):
            run(folder := place / f"before{call}", disk)
        disk.release()
        found = Storing(folder / "case", ())
        if found.partial.is_dir():
            rows = whole_rows(found)
            if not any(b'"event":"closed"' in row for row in rows):
                return found, rows
    raise AssertionError("the journal is closed by a write of its own")


def before_sealing(place: Path, job: Storing, act: Callable[[], Act] | None = None) -> tuple[Storing, list[bytes]]:
    """A preservation of that store that ended as its journal was to be closed."""

    def run(folder: Path, disk: FailingDisk) -> None:
        job.elsewhere(folder).preserve(asked(*job.roots), disk=disk, act=act() if act else None)

    found, rows = before_closing(place, run)
    return Storing(found.case, job.roots), rows


def whole_rows(job: Storing) -> list[bytes]:
    """The rows of a journal but for a torn one at its end."""
    lines_of = (job.partial / layout.JOURNAL).read_bytes().splitlines(keepends=True)
    return [row for row in lines_of if row.endswith(b"\n")]


def cut_after(found: Storing, folder: Path, rows: list[bytes], torn: bytes = b"") -> Storing:
    """The same run, ended after these rows; of the next one a part is there."""
    shutil.copytree(found.case, folder / "case")
    job = Storing(folder / "case", found.roots)
    (job.partial / layout.JOURNAL).write_bytes(b"".join(rows) + torn)
    return job


@pytest.mark.parametrize("torn", [False, True])
def test_cut_after_any_row_it_resumes_to_the_same_payload_and_folds(place: Path, *, torn: bool) -> None:
    """However many rows of one write reached the disk: a go at a database is finished with the copies that it has."""
    whole = undisturbed(place)
    found, rows = before_sealing(place, whole.job)
    assert sum(b'"event":"database_copied"' in row for row in rows) == 3
    for count in range(1, len(rows)):
        job = cut_after(found, place / "cut", rows[:count], rows[count][: len(rows[count]) // 2] if torn else b"")
        assert goes_on(job, whole), count
        shutil.rmtree(job.case.parent)


def up_to(rows: list[bytes], event: str, role: str | None = None) -> list[bytes]:
    """The rows up to the first one of that kind that is of the state database, and this one."""
    wanted = [f'"event":"{event}"'.encode(), b"/000002.sqlite"]
    if role is not None:
        wanted.append(f'"role":"{role}"'.encode())
    at = next(at for at, row in enumerate(rows) if all(word in row for word in wanted))
    return rows[: at + 1]


def state_goes(job: Storing) -> list[dict[str, object]]:
    """The rows about the state database."""
    return [row for row in journal(job.sealed, "database_copied") if dict_of(row["database"])["family"] == "state"]


def test_a_database_that_was_written_since_its_go_was_cut_is_copied_anew(place: Path) -> None:
    """The old copy is kept and belongs to no go; the new one is of one state."""
    whole = undisturbed(place)
    found, rows = before_sealing(place, whole.job)
    job = cut_after(found, place / "cut", up_to(rows, "kept", "database"))
    database = job.roots[0] / MAIN
    with sqlite3.connect(database) as connection:
        connection.execute("DELETE FROM threads")
    connection.close()
    job.resume()
    assert is_intact(job.sealed)
    first, second = kept(job.sealed, MAIN)
    (go,) = state_goes(job)
    assert dict_of(go["database"])["torn"] is False
    paths = [str(member["path"]) for member in list_of(go["members"]) if member["path"] is not None]
    assert str(dict_of(second["item"])["path"]) in paths
    assert str(dict_of(first["item"])["path"]) not in paths
    assert (job.sealed / paths[0]).read_bytes() == database.read_bytes()


def test_a_write_ahead_log_that_grew_since_its_go_was_cut_is_an_earlier_state(place: Path) -> None:
    """The go is finished with both copies that it had, and says what became of the log."""
    whole = undisturbed(place)
    found, rows = before_sealing(place, whole.job)
    job = cut_after(found, place / "cut", up_to(rows, "kept", "database_wal"))
    with (job.roots[0] / WAL).open("ab") as stream:
        stream.write(bytes(64))
    job.resume()
    (go,) = state_goes(job)
    assert [member["change"] for member in list_of(go["members"])] == ["none", "grew", "none"]
    assert (dict_of(go["database"])["torn"], len(kept(job.sealed, WAL))) == (False, 1)
    assert payload(job.sealed) == whole.payload


def gone(path: Path) -> None:
    """The file is taken away."""
    path.unlink()


def linked(path: Path) -> None:
    """A link to another file takes its place."""
    path.unlink()
    path.symlink_to("logs_2.sqlite")


@pytest.mark.parametrize("change", [gone, linked])
def test_a_go_that_lost_a_file_since_it_was_cut_is_made_anew(place: Path, change: Callable[[Path], None]) -> None:
    """An index that is gone spoils no copy, but it is of no go that does not find it."""
    whole = undisturbed(place)
    found, rows = before_sealing(place, whole.job)
    job = cut_after(found, place / "cut", up_to(rows, "kept", "database_shm"))
    change(job.roots[0] / SHM)
    job.resume()
    assert is_intact(job.sealed)
    (go,) = state_goes(job)
    assert [dict_of(go["database"])[end] for end in ("main", "wal", "shm")] == [True, True, False]
    assert (len(kept(job.sealed, MAIN)), len(kept(job.sealed, SHM)), gaps(job.sealed)["vanished"]) == (2, 1, 1)


def test_a_go_that_is_cut_twice_is_finished_with_its_last_copies(place: Path) -> None:
    """What an earlier go left, that was given up, is not taken for a copy of this one."""
    whole = undisturbed(place)
    found, rows = before_sealing(place, whole.job)
    first = cut_after(found, place / "cut", up_to(rows, "kept", "database_wal"))
    wal = first.roots[0] / WAL
    wal.write_bytes(wal.read_bytes()[:-1])

    def go_on(folder: Path, disk: FailingDisk) -> None:
        shutil.copytree(first.case, folder / "case")
        Storing(folder / "case", first.roots).resume(disk=disk)

    found, rows = before_closing(place / "second", go_on)
    at = next(at for at, row in enumerate(rows) if b'000002-2.sqlite"' in row)
    job = cut_after(Storing(found.case, first.roots), place / "twice", rows[: at + 1])
    job.resume()
    assert is_intact(job.sealed)
    assert [len(kept(job.sealed, name)) for name in (MAIN, WAL, SHM)] == [2, 2, 1]
    (go,) = state_goes(job)
    ends = [str(member["path"]).rpartition("/")[2] for member in list_of(go["members"])]
    assert ends == ["000002-2.sqlite", "000002-2.sqlite-wal", "000002-2.sqlite-shm"]


def written_back(home: Path) -> None:
    """The program ends, and takes what lay beside its database along."""
    for name in (WAL, SHM):
        (home / name).unlink()


def exposed(home: Path) -> None:
    """The log becomes a name of a secret."""
    (home / WAL).unlink()
    (home / WAL).hardlink_to(home / "auth.json")


@pytest.mark.parametrize(("change", "lost"), [(written_back, {"vanished": 2}), (exposed, {"credentials": 1})])
def test_the_gaps_of_a_go_survive_a_cut_between_them(
    place: Path, change: Callable[[Path], None], lost: dict[str, int]
) -> None:
    """Each file of a database that has no copy is a gap of its own, under the code that tells why."""
    homes = (small_home(place / "home").root, small_home(place / "other").root)
    before = homing(place / "whole", homes[0])
    before.preserve(asked(homes[0]), act=once_copying(lambda: change(homes[0])))
    seen = gaps(before.sealed)
    assert lost.items() <= {code: seen[code] - (code == "credentials") for code in seen}.items()
    kept_aside = place / "kept-aside"
    shutil.copytree(homes[1], kept_aside)

    def act() -> Act:
        shutil.rmtree(homes[1])
        shutil.copytree(kept_aside, homes[1])
        return once_copying(lambda: change(homes[1]))

    found, rows = before_sealing(place, homing(place / "first", homes[1]), act)
    end = len(up_to(rows, "database_copied"))
    for count in range(end, end + 3):
        job = cut_after(found, place / f"cut{count}", rows[:count])
        job.resume()
        assert (gaps(job.sealed), is_intact(job.sealed)) == (seen, True)
