"""What is taken of a Gateway's state, and what is held back while it is copied."""

import os
from pathlib import Path

import pytest

from agentaudit.acquire import ledgerstaging
from agentaudit.acquire.bundle import preserve_bundle, resume_preservation
from agentaudit.acquire.closing import seal_partial
from agentaudit.acquire.ledgerstaging import SETTINGS, stage_databases, stage_state
from agentaudit.acquire.lines import gathering
from agentaudit.acquire.progress import Silent, State
from agentaudit.acquire.request import PreserveBundle, ResumePreservation, SealPartial
from agentaudit.acquire.sieving import sieve_of
from agentaudit.adapters.openclaw.extract import NOTHING_ASKED
from agentaudit.adapters.openclaw.notes import ExtractNote, Note, SettingsNote, read_note
from agentaudit.cli.readers import page_readers
from agentaudit.errors import Interrupted, SourceRefused
from agentaudit.model.actors import Said
from agentaudit.model.local import true_name
from agentaudit.model.selection import HandedOver
from agentaudit.package.case import new_case_file, open_case
from agentaudit.sources.local.roots import Surrounding
from agentaudit.verify import verify_exhibit
from tests.support.around import ACTORS, hand, surroundings
from tests.support.clock import BEGIN
from tests.support.gatewaying import KEY, TOKEN, page, settings, standing_copy, usual, write_database, write_state

SURROUNDING = Surrounding(config_dir=None, home=None, user_id=None, mounts=lambda: None)


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """An empty case."""
    place = tmp_path / "case"
    open_case(place, new_case_file("N-1", "Title", ACTORS, "", BEGIN), hand())
    return place


def request(case: Path, *paths: Path) -> PreserveBundle:
    """A preservation of these paths."""
    names = tuple(true_name(os.fsencode(path)) for path in paths)
    return PreserveBundle(
        case, HandedOver(deposit="gateway-ledger", paths=names), SURROUNDING, Said(), ("agentaudit",), workers=1
    )


def staged(folder: Path) -> dict[str, Note]:
    """The notes in a folder."""
    found = {path.name: read_note(path.read_bytes()) for path in folder.glob("*.json")}
    return {name: note for name, note in found.items() if note is not None}


def place(tmp_path: Path) -> Path:
    """A folder of ours."""
    folder = tmp_path / "staged"
    folder.mkdir()
    return folder


def test_numbers_of_extracts_go_on(tmp_path: Path) -> None:
    """A state folder first, then databases that were named; each has its extract and its note."""
    folder = place(tmp_path)
    stage_state(write_state(tmp_path), folder, NOTHING_ASKED)
    stage_databases((standing_copy(tmp_path / "more", "any name"),), folder, NOTHING_ASKED)
    notes = staged(folder)
    assert sorted(notes) == [*(f"agentaudit-extract-{number:06d}.json" for number in (1, 2, 3)), SETTINGS]
    third = notes["agentaudit-extract-000003.json"]
    assert isinstance(third, ExtractNote)
    assert ([one.end for one in third.files], third.torn, third.log) == (["", "-wal"], False, "applied")
    assert int(third.files[0].modified_ns) > 0
    whole = b"".join(path.read_bytes() for path in folder.iterdir())
    assert KEY not in whole
    assert TOKEN.encode() not in whole


def test_a_state_folder_without_a_configuration_says_nothing_of_it(tmp_path: Path) -> None:
    """There is no note of switches."""
    state = write_state(tmp_path)
    (state / "openclaw.json").unlink()
    folder = place(tmp_path)
    stage_state(state, folder, NOTHING_ASKED)
    assert SETTINGS not in staged(folder)


def test_a_configuration_that_is_no_json_is_said(tmp_path: Path) -> None:
    """Its digest is kept alone."""
    state = write_state(tmp_path)
    (state / "openclaw.json").write_bytes(b"{ // " + settings())
    folder = place(tmp_path)
    stage_state(state, folder, NOTHING_ASKED)
    note = staged(folder)[SETTINGS]
    assert isinstance(note, SettingsNote)
    assert note.audit is None


def test_links_are_not_followed(tmp_path: Path) -> None:
    """A database that is a link is none of the state folder's, and is refused where it is named."""
    write_database(tmp_path / "elsewhere")
    (tmp_path / "dot" / "state").mkdir(parents=True)
    link = tmp_path / "dot" / "state" / "openclaw.sqlite"
    link.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SourceRefused):
        stage_state(tmp_path / "dot", tmp_path, NOTHING_ASKED)
    with pytest.raises(SourceRefused):
        stage_databases((link,), tmp_path, NOTHING_ASKED)


def test_a_database_over_the_bound_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would lie in memory whole."""
    write_database(tmp_path / "one")
    monkeypatch.setattr("agentaudit.acquire.ledgerstaging.IMAGE_MAX_BYTES", 100)
    with pytest.raises(SourceRefused):
        stage_databases((tmp_path / "one",), tmp_path, NOTHING_ASKED)


def test_a_database_that_never_holds_still_is_torn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read three times, and then said to be torn."""
    path = standing_copy(tmp_path / "more", "one")
    reads = []
    read = ledgerstaging._read

    def restless(name: Path) -> bytes | None:
        reads.append(name)
        os.utime(path, ns=(len(reads), len(reads)))
        return read(name)

    monkeypatch.setattr(ledgerstaging, "_read", restless)
    folder = place(tmp_path)
    stage_databases((path,), folder, NOTHING_ASKED)
    note = staged(folder)["agentaudit-extract-000001.json"]
    assert isinstance(note, ExtractNote)
    assert note.torn
    assert len(reads) == 3 * 3


class Changing(Silent):
    """A listener that changes a file once copying has begun."""

    def __init__(self, path: Path, octets: bytes) -> None:
        """`octets` are what lies there then."""
        self.path = path
        self.octets = octets

    def show(self, state: State) -> None:
        """Write once."""
        if state.phase == "copying" and self.octets:
            self.path.write_bytes(self.octets)
            self.octets = b""


@pytest.mark.parametrize("length", [100, 300_000])
def test_what_became_a_database_since_the_survey_is_not_copied(length: int, case: Path, tmp_path: Path) -> None:
    """It is judged again as it is copied: no byte that holds a key is written, and the gap says why."""
    handed = tmp_path / "handed"
    handed.mkdir()
    (handed / "page.json").write_bytes(page(usual()))
    write_database(tmp_path / "one")
    late = b" " * length + b"\n" + (tmp_path / "one").read_bytes()
    result = preserve_bundle(
        request(case, handed), surroundings(), Changing(handed / "page.json", late if length > 100 else late[101:])
    )
    exhibit = Path(result.path)
    assert not [path for path in exhibit.rglob("*") if path.is_file() and KEY in path.read_bytes()]
    assert '"credentials"' in (exhibit / "agentaudit" / "gaps.jsonl").read_text()
    assert verify_exhibit(exhibit, readers=page_readers()).integrity == "intact"


def test_what_cannot_be_read_is_a_gap_and_no_secret(case: Path, tmp_path: Path) -> None:
    """A file that vanishes after the survey is not called a credential."""
    handed = tmp_path / "handed"
    handed.mkdir()
    (handed / "page.json").write_bytes(page(usual()))

    class Vanishing(Silent):
        def show(self, state: State) -> None:
            if state.phase == "copying":
                (handed / "page.json").unlink(missing_ok=True)

    result = preserve_bundle(request(case, handed), surroundings(), Vanishing())
    assert '"vanished"' in (Path(result.path) / "agentaudit" / "gaps.jsonl").read_text()


class Stopping(Silent):
    """A listener after whose first word of copying the run is interrupted."""

    def __init__(self) -> None:
        """Nothing was heard yet."""
        self.signum: int | None = None

    def show(self, state: State) -> None:
        """Stop once copying has begun."""
        if state.phase == "copying":
            self.signum = 2


def test_a_run_over_extracts_is_closed_and_not_resumed(case: Path, tmp_path: Path) -> None:
    """The folder of the extracts is gone: going on is refused, and `seal` closes what is there."""
    folder = place(tmp_path)
    stage_state(write_state(tmp_path), folder, NOTHING_ASKED)
    stopping = Stopping()
    with pytest.raises(Interrupted):
        preserve_bundle(request(case, folder), surroundings(stop=lambda: stopping.signum), stopping)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    with pytest.raises(SourceRefused) as refused:
        resume_preservation(ResumePreservation(case, "EX-0001", SURROUNDING, Said(), (), 1), surroundings(), Silent())
    assert "seal" in refused.value.hint
    closed = seal_partial(SealPartial(case / "EX-0001.partial", Said(), ()), surroundings(), Silent())
    assert closed.outcome == "incomplete"
    assert verify_exhibit(Path(closed.path), readers=page_readers()).integrity == "intact"


def test_a_run_over_pages_goes_on(case: Path, tmp_path: Path) -> None:
    """What the survey withheld stays out."""
    handed = tmp_path / "handed"
    handed.mkdir()
    (handed / "page.json").write_bytes(page(usual()))
    write_database(handed / "one")
    stopping = Stopping()
    with pytest.raises(Interrupted):
        preserve_bundle(request(case, handed), surroundings(stop=lambda: stopping.signum), stopping)
    resumed = resume_preservation(
        ResumePreservation(case, "EX-0001", SURROUNDING, Said(), (), 1), surroundings(), Silent()
    )
    assert resumed.outcome == "all_given"
    assert not [path for path in Path(resumed.path).rglob("*") if path.is_file() and KEY in path.read_bytes()]


def test_only_files_that_were_handed_over_go_through_a_sieve() -> None:
    """Names and places decide for stores; of a ledger every byte is judged, and none is read line by line."""
    assert [sieve_of(agent, b"", "") for agent in ("claude-code", "codex")] == [None, None]
    sieves = [sieve_of(deposit, b"", "") for deposit in ("gateway-ledger", "telemetry", "bridge", "openai-logs")]
    assert [sieve is not None and sieve.needs_all for sieve in sieves] == [True, False, False, False]
    with pytest.raises(ValueError, match="handed-over"):
        gathering("gateway-ledger", "handed_over", None)
