"""Files that were handed over, preserved through the engine of stores."""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from agentaudit.acquire.bundle import preserve_bundle, resume_preservation
from agentaudit.acquire.closing import seal_partial
from agentaudit.acquire.deposits import handed_over
from agentaudit.acquire.kinds import NoBundles, kind_of
from agentaudit.acquire.lines import gathering
from agentaudit.acquire.progress import Silent, State
from agentaudit.acquire.request import PreserveBundle, ResumePreservation, SealPartial
from agentaudit.acquire.surveyed import survey_store
from agentaudit.adapters.handed_over.places import is_secret_name
from agentaudit.adapters.handed_over.planning import Keeping
from agentaudit.adapters.handed_over.reading import HandedOverReader
from agentaudit.cli.readers import page_readers
from agentaudit.errors import Interrupted, SourceRefused
from agentaudit.format import layout
from agentaudit.model.actors import Said
from agentaudit.model.local import true_name
from agentaudit.model.selection import HandedOver
from agentaudit.package.case import new_case_file, open_case
from agentaudit.review import exhibit_streams, show_exhibit
from agentaudit.sources.local.roots import Surrounding
from agentaudit.verify import verify_exhibit
from tests.support.around import ACTORS, hand, surroundings
from tests.support.clock import BEGIN
from tests.support.storing import Acting, once_copying
from tests.support.telemetry import Sent, log, own_json

SECRET = b"a credential that must never be packed"


def selection(*paths: Path) -> HandedOver:
    """These paths, as telemetry, databases among it."""
    names = tuple(true_name(os.fsencode(path)) for path in paths)
    return HandedOver(deposit="telemetry", paths=names, included=("databases",))


def request(case: Path, *paths: Path) -> PreserveBundle:
    """A preservation of these paths."""
    return PreserveBundle(case, selection(*paths), _surrounding(), Said(), ("agentaudit",), workers=1)


def _surrounding() -> Surrounding:
    return Surrounding(config_dir=None, home=None, user_id=os.getuid(), mounts=lambda: None)


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """An empty case."""
    place = tmp_path / "case"
    open_case(place, new_case_file("N-1", "Title", ACTORS, "", BEGIN), hand())
    return place


@pytest.fixture
def handed(tmp_path: Path) -> Iterator[Path]:
    """A folder with a file, a folder below it, a database whose content lies in its log, a credential, and a link."""
    folder = tmp_path / "handed"
    (folder / "below").mkdir(parents=True)
    (folder / "logs.jsonl").write_bytes(b'{"a":1}\n')
    (folder / "below" / "more.bin").write_bytes(b"\0\1")
    (folder / "owner.token").write_bytes(SECRET)
    os.link(folder / "owner.token", folder / "innocent.txt")
    (folder / "way out").symlink_to(tmp_path)
    with closing(sqlite3.connect(folder / "queue.sqlite")) as database:
        database.execute("pragma journal_mode=wal")
        database.execute("create table t(x)")
        database.commit()
        yield folder


def rows(exhibit: Path, name: str) -> list[dict[str, object]]:
    """The rows of a tag file."""
    return [json.loads(line) for line in (exhibit / name).read_bytes().splitlines()]


def test_what_comes_and_goes_beside_a_file_says_nothing_of_it(case: Path, handed: Path) -> None:
    """Its folder is a root for that file alone: the times of the folder are other people's."""
    asked = request(case, handed / "logs.jsonl")

    def pass_by() -> None:
        (handed / "another").write_bytes(b"x")
        (handed / "another").unlink()

    preserve_bundle(asked, surroundings(), Acting(once_copying(pass_by)))
    rows = (case / "EX-0001" / layout.JOURNAL).read_bytes()
    assert b'"event":"store_looked_again"' in rows
    assert b'"event":"entry_changed"' not in rows
    preserve_bundle(request(case, handed), surroundings(), Acting(once_copying(pass_by)))
    assert b'"event":"entry_changed"' in (case / "EX-0002" / layout.JOURNAL).read_bytes()


def test_a_folder_is_taken_with_all_that_it_holds_but_credentials(case: Path, handed: Path) -> None:
    """Files are copied, the link is listed, the credential and its hard link stay out, and it verifies."""
    result = preserve_bundle(request(case, handed), surroundings(), Silent())
    exhibit = Path(result.path)
    decided = {row["name"]: (row["decision"], row["rule"]) for row in rows(exhibit, layout.ENTRIES)}
    assert decided["logs.jsonl"] == ("preserve", "selected")
    assert decided["queue.sqlite"] == ("preserve", "included")
    assert decided["owner.token"] == ("exclude", "credentials_name")
    assert decided["innocent.txt"] == ("exclude", "credentials_inode")
    assert decided["way out"] == ("list", "link")
    assert decided["below"] == ("list", "folder")
    assert not any(SECRET in path.read_bytes() for path in exhibit.rglob("*") if path.is_file())
    assert result.preserved is not None
    assert result.preserved.files == 5
    assert verify_exhibit(exhibit, readers=page_readers()).integrity == "intact"


def test_the_files_of_a_database_lie_side_by_side(case: Path, handed: Path) -> None:
    """SQLite finds them together in the package, with what only the log holds."""
    result = preserve_bundle(request(case, handed), surroundings(), Silent())
    folder = Path(result.path) / "data/telemetry/r1/shared/databases"
    assert sorted(path.name for path in folder.iterdir()) == [
        "000001.sqlite", "000001.sqlite-shm", "000001.sqlite-wal",
    ]  # fmt: skip


def test_of_a_file_s_own_folder_nothing_else_is_looked_at(case: Path, handed: Path) -> None:
    """A file alone is a root for itself; a database brings its log along."""
    result = preserve_bundle(request(case, handed / "logs.jsonl", handed / "queue.sqlite"), surroundings(), Silent())
    names = [row["name"] for row in rows(Path(result.path), layout.ENTRIES)]
    assert names == ["logs.jsonl", "queue.sqlite", "queue.sqlite-shm", "queue.sqlite-wal"]


def test_what_is_not_there_is_refused_or_a_gap(case: Path, handed: Path, tmp_path: Path) -> None:
    """One path in vain is a gap beside what is there; nothing at all is a refusal."""
    with pytest.raises(SourceRefused):
        preserve_bundle(request(case, tmp_path / "nowhere"), surroundings(), Silent())
    result = preserve_bundle(request(case, handed, tmp_path / "nowhere"), surroundings(), Silent())
    assert [gap["code"] for gap in rows(Path(result.path), layout.GAPS)].count("root_absent") == 1
    assert result.outcome == "incomplete"


class Stopping(Silent):
    """A listener after whose first word of copying the run is interrupted."""

    def __init__(self) -> None:
        """Nothing was heard yet."""
        self.signum: int | None = None

    def show(self, state: State) -> None:
        """Stop once copying has begun."""
        if state.phase == "copying":
            self.signum = 2


def test_an_interrupted_run_goes_on_or_is_closed(case: Path, handed: Path) -> None:
    """The names are the same; what was not copied is a gap where nobody goes on."""
    stopping = Stopping()
    with pytest.raises(Interrupted):
        preserve_bundle(request(case, handed), surroundings(stop=lambda: stopping.signum), stopping)
    resumed = resume_preservation(
        ResumePreservation(case, "EX-0001", _surrounding(), Said(), (), workers=1), surroundings(), Silent()
    )
    assert resumed.outcome == "all_given"
    stopping = Stopping()
    with pytest.raises(Interrupted):
        preserve_bundle(request(case, handed), surroundings(stop=lambda: stopping.signum), stopping)
    closed = seal_partial(SealPartial(case / "EX-0002.partial", Said(), ()), surroundings(), Silent())
    assert closed.outcome == "incomplete"
    assert verify_exhibit(Path(closed.path), readers=page_readers()).integrity == "intact"


def test_a_file_alone_is_found_again_by_a_resumed_run(case: Path, handed: Path) -> None:
    """A run that goes on looks at no more than the one that was interrupted."""
    stopping = Stopping()
    with pytest.raises(Interrupted):
        preserve_bundle(request(case, handed / "logs.jsonl"), surroundings(stop=lambda: stopping.signum), stopping)
    resumed = resume_preservation(
        ResumePreservation(case, "EX-0001", _surrounding(), Said(), (), workers=1), surroundings(), Silent()
    )
    assert [row["name"] for row in rows(Path(resumed.path), layout.ENTRIES)] == ["logs.jsonl"]


def test_a_dry_run_counts_and_copies_nothing(case: Path, handed: Path) -> None:
    """What would be copied and what would stay out, and no exhibit."""
    result = survey_store(request(case, handed), names=False)
    assert (result.agent, result.files, result.sessions) == ("telemetry", 5, ())
    assert dict(result.left_out) == {"credentials_inode": 1, "credentials_name": 1, "link": 1}
    assert not any(case.glob("EX-*"))


def test_streams_are_shown_without_names(case: Path, handed: Path) -> None:
    """What was asked for is told by numbers, each file is a stream."""
    result = preserve_bundle(request(case, handed), surroundings(), Silent())
    shown = show_exhibit(Path(result.path), names=False)
    assert shown.selection is not None
    assert b"handed/" not in repr(shown.selection).encode()
    streams = list(exhibit_streams(Path(result.path), names=False))
    assert len(streams) == 5
    assert all(one.name is None for one in streams)


def test_of_a_file_that_moved_while_it_was_read_the_last_copy_is_fed(case: Path, tmp_path: Path) -> None:
    """Each copy is kept, none of its events is told twice, and a check draws the same from the package."""
    file = tmp_path / "logs.jsonl"
    lines = [own_json(Sent([log("api_request", order)])) + b"\n" for order in range(3_000)]
    file.write_bytes(b"".join(lines))
    listener = Acting(once_copying(lambda: os.truncate(file, sum(map(len, lines[:-1]))), after=1))
    exhibit = Path(preserve_bundle(request(case, file), surroundings(), listener).path)
    streams = {row["stream"]: row for row in rows(exhibit, layout.STREAMS)}
    copies = sorted((row for row in streams.values() if row["kind"] == "file"), key=lambda row: str(row["item"]))
    assert [str(row["item"]).rpartition("/")[2] for row in copies] == ["000001-2.jsonl", "000001.jsonl"]
    assert [row["events"] for row in copies] == [2_999, 0]
    assert [[one["code"] for one in row["findings"]] for row in copies] == [[], ["superseded_not_read"]]  # type: ignore[attr-defined]
    assert len(rows(exhibit, layout.EVENTS)) == 2_999
    assert ["duplicates", 1] not in streams["session/000001"]["counts"]  # type: ignore[operator]
    assert verify_exhibit(exhibit, readers=page_readers()).integrity == "intact"


def test_a_kind_of_handed_over_files_has_no_sessions_and_no_lines() -> None:
    """Nothing of them is read line by line when they are copied, and they belong to no session."""
    kind = handed_over(HandedOverReader(), Keeping("telemetry", is_secret_name))
    assert kind.roots is None
    assert kind.categories == frozenset()
    assert NoBundles().bundles() == ()
    assert kind_of("telemetry").agent == "telemetry"
    with pytest.raises(ValueError, match="line by line"):
        gathering("telemetry", "handed_over", None)
