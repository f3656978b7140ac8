"""What was handed over of the bridge: exports as they are, and no database under another name."""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from agentaudit.acquire.bridgefiles import preserve_database, preserve_exports
from agentaudit.acquire.request import PreserveBundle
from agentaudit.errors import AgentAuditError, UsageFault
from agentaudit.format import layout
from agentaudit.model.actors import Said
from agentaudit.model.selection import HandedOver
from tests.sources.local.unprivileged import as_nobody
from tests.support.around import surroundings
from tests.support.bridging import job_id, usual
from tests.support.storing import Acting, Storing, rows, storing, surrounding

TOKEN = "-".join(("a", "value", "of", "a", "row", "of", "tokens"))


@pytest.fixture
def job(tmp_path: Path) -> Storing:
    """An empty case."""
    return storing(tmp_path)


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for private copies, which is empty again in the end."""
    place = tmp_path / "scratch"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield place
    assert list(place.iterdir()) == []


def request(case: Path) -> PreserveBundle:
    """A request whose selection the use case fills in."""
    selection = HandedOver(deposit="bridge", paths=())
    return PreserveBundle(case, selection, surrounding(), Said(), ("agentaudit",), 1)


def export(folder: Path, name: str = "export.json") -> Path:
    """An export file."""
    path = folder / name
    path.write_bytes(usual().export(job_id(1)))
    return path


@pytest.mark.parametrize("other", ["folder", "absent", "database", "fifo"])
def test_one_file_that_is_no_export_ends_it_before_anything_is_begun(job: Storing, tmp_path: Path, other: str) -> None:
    """Also when it comes after good ones: no exhibit, no row, and a pipe is not waited for."""
    wrong = tmp_path / "wrong.json"
    match other:
        case "folder":
            wrong.mkdir()
        case "database":
            usual().database(wrong, digest=TOKEN)
        case "fifo":
            os.mkfifo(wrong)
        case _:
            pass
    before = (job.case / layout.CUSTODY).read_bytes()
    with pytest.raises(UsageFault) as told:
        preserve_exports(request(job.case), (export(tmp_path), wrong), surroundings(), Acting())
    assert told.value.exit_status == 2
    assert not job.partial.exists()
    assert (job.case / layout.CUSTODY).read_bytes() == before


def test_a_file_that_may_not_be_read_is_named_with_the_systems_word() -> None:
    """And nothing of it is."""

    def work(top: Path) -> str:
        case = storing(top / "mine").case
        try:
            preserve_exports(request(case), (top / "closed.json",), surroundings(), Acting())
        except UsageFault as fault:
            return str(fault)
        return ""

    with tempfile.TemporaryDirectory() as name:
        export(Path(name), "closed.json").chmod(0)
        told = as_nobody(Path(name), work)
    assert told == "cannot read closed.json: Permission denied"


def test_exports_are_kept_byte_for_byte(job: Storing, tmp_path: Path) -> None:
    """Each of them, and nothing that lies beside them."""
    first, second = export(tmp_path, "a.json"), export(tmp_path, "b.json")
    (tmp_path / "owner.token").write_text(TOKEN)
    result = preserve_exports(request(job.case), (first, second), surroundings(), Acting())
    assert result.counts.items == 2
    copies = [(job.sealed / str(row["path"])).read_bytes() for row in rows(job.sealed, layout.ITEMS)]
    assert copies == [first.read_bytes(), second.read_bytes()]
    assert [row["name"] for row in rows(job.sealed, layout.ENTRIES)] == ["a.json", "b.json"]


def test_rows_of_tokens_are_counted_in_a_warning_and_their_values_are_nowhere(job: Storing, tmp_path: Path) -> None:
    """The originals are listed with their state; the copy and its note are what is packed."""
    path = tmp_path / "queue.sqlite"
    usual().database(path, digest=TOKEN)
    listener = Acting()
    preserve_database(request(job.case), path, surroundings(), listener)
    assert any(sentence.startswith("1 rows of tokens were left out") for sentence in listener.warnings)
    assert not [found for found in job.case.rglob("*") if found.is_file() and TOKEN.encode() in found.read_bytes()]
    decisions = {str(row["name"]): row["decision"] for row in rows(job.sealed, layout.ENTRIES)}
    assert decisions["queue.sqlite"] == "exclude"
    assert decisions["reduced.sqlite"] == "preserve"


@pytest.mark.parametrize("kind", ["none", "empty", "other", "fifo", "folder"])
def test_what_is_no_database_of_the_bridge_leaves_nothing_behind(job: Storing, tmp_path: Path, kind: str) -> None:
    """Neither an exhibit nor a private copy."""
    path = tmp_path / "queue.sqlite"
    if kind == "empty":
        path.touch()
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "other":
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE things (id TEXT)")
    with pytest.raises(AgentAuditError) as told:
        preserve_database(request(job.case), path, surroundings(), Acting())
    assert told.value.exit_status in {2, 5}
    assert not job.partial.exists()


def test_a_folder_that_is_no_case_is_refused_before_the_database_is_copied(tmp_path: Path, scratch: Path) -> None:
    """No private copy of somebody's tokens is made in vain."""
    path = tmp_path / "queue.sqlite"
    usual().database(path, digest=TOKEN)
    scratch.chmod(0o500)
    with pytest.raises(AgentAuditError) as told:
        preserve_database(request(tmp_path / "plain"), path, surroundings(), Acting())
    scratch.chmod(0o700)
    assert told.value.exit_status == 7


def test_a_database_under_another_name_stays_out(job: Storing, tmp_path: Path) -> None:
    """Its reduced copy is packed; the original with its rows of tokens is known by its bytes."""
    usual().database(tmp_path / "queue.bak", digest=TOKEN)
    preserve_database(request(job.case), tmp_path / "queue.bak", surroundings(), Acting())
    assert not [found for found in job.case.rglob("*") if found.is_file() and TOKEN.encode() in found.read_bytes()]
    decided = {str(row["name"]): (row["decision"], row["rule"]) for row in rows(job.sealed, layout.ENTRIES)}
    assert decided["queue.bak"] == ("exclude", "credentials_bytes")
    assert decided["reduced.sqlite"] == ("preserve", "selected")


@pytest.mark.parametrize("name", ["reduced.sqlite", "queue.sqlite"])
def test_a_database_may_not_have_the_name_of_a_reduced_copy(job: Storing, tmp_path: Path, name: str) -> None:
    """By that name a copy of ours is let through: an original that has it, or is led to by a link, is refused."""
    usual().database(tmp_path / "reduced.sqlite", digest=TOKEN)
    (tmp_path / "queue.sqlite").symlink_to(tmp_path / "reduced.sqlite")
    with pytest.raises(UsageFault, match="name of a reduced copy"):
        preserve_database(request(job.case), tmp_path / name, surroundings(), Acting())
    assert not job.partial.exists()


def test_an_export_may_not_have_the_name_of_a_reduced_copy(job: Storing, tmp_path: Path) -> None:
    """By that name every part of a database would be let through, such as a log with pages of tokens."""
    (tmp_path / "reduced.sqlite").write_bytes(b"\x37\x7f\x06\x82\x00\x2d\xe2\x18" + TOKEN.encode())
    with pytest.raises(UsageFault, match="name of a reduced copy"):
        preserve_exports(request(job.case), (tmp_path / "reduced.sqlite",), surroundings(), Acting())
    assert not job.partial.exists()
