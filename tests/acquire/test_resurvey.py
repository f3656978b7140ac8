"""What a journal says of a survey that was interrupted, from rows alone."""

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from agentaudit.acquire.kinds import kind_of
from agentaudit.acquire.resurvey import Surveyed, surveyed
from agentaudit.format import layout
from agentaudit.model.base import digest_of
from agentaudit.model.journal import Act, Noted, PayloadFile, WalkBegan, WalkEnded, WalkReason
from agentaudit.model.local import Change, Root
from agentaudit.model.losses import Gap, GapCode
from agentaudit.model.storejournal import Entry, EntrySeen, Kept, RootSeen, StoreFacts
from agentaudit.model.survey import look_from
from agentaudit.package.disk import SystemDisk
from agentaudit.package.writer import create_exhibit
from tests.support.openings import entry_row, file_state, opened_row

KIND = kind_of("claude-code")
S = "1c27c64e-5bd8-4142-9770-6171b4866689"


def root(name: str = "r1") -> Root:
    """A root that was named."""
    return Root(
        root=name, path=f"/{name}", resolved=f"/{name}", found="named", device="1", file_system=None,
        mount_options=None, read_only=None, access_times_kept=None,
    )  # fmt: skip


def entry(number: int = 1, *, survey: int = 1) -> Entry:
    """A file of a project that is to be preserved."""
    row = entry_row(number, f"projects/-w/{S[:-1]}{number}.jsonl")
    return msgspec.structs.replace(
        row, survey=survey, role="transcript", category="transcript", session=f"s{number:06d}"
    )


def began(survey: int = 1, name: str = "r1") -> WalkBegan:
    """The begin of the survey of a root."""
    walk = f"claude-code/{name}/survey{survey:02d}"
    return WalkBegan(walk=walk, kind="survey", session=None, parameters=(), limits=None)


def ended(survey: int = 1, name: str = "r1", reason: WalkReason = "exhausted") -> WalkEnded:
    """Its end."""
    return WalkEnded(walk=began(survey, name).walk, reason=reason, pages=0, records=1)


def survey(number: int, *entries: Entry, reason: WalkReason | None = "exhausted") -> list[Act]:
    """The rows of one survey; without its end when it was cut short."""
    facts = StoreFacts(survey=number, history=(), history_cut=False, running=(), switches=())
    rows: list[Act] = [RootSeen(survey=number, root=root()), began(number)]
    rows += [EntrySeen(entry=one) for one in entries]
    return rows if reason is None else [*rows, facts, ended(number, reason=reason)]


def kept(number: int = 1, *, tries: int = 1, change: Change = "none", complete: bool = True) -> Kept:
    """The copy of an entry."""
    one = entry(number)
    return Kept(
        survey=1, root="r1", entry=number, role="transcript", session=one.session, item=_item(number, tries),
        before=file_state(), after=file_state() if complete else None, change=change, complete=complete, tries=tries,
        access_time_kept=None,
    )  # fmt: skip


def _item(number: int, tries: int) -> PayloadFile:
    return PayloadFile(path=f"data/{number}-{tries}", bytes=1, sha256=digest_of(b"x"))


def gap(number: int, code: GapCode = "vanished") -> Noted:
    """A gap of an entry."""
    return Noted(gap=Gap(kind="not_obtained", code=code, basis="status", walk=began().walk, index=number))


def read(tmp_path: Path, *rows: Act, torn: bytes = b"") -> Surveyed:
    """What the journal of these rows says; `torn` is the tail of a row that was cut."""
    folder = tmp_path / "EX-0001.partial"
    folder.mkdir()
    exhibit = create_exhibit(folder, opened_row, SystemDisk(), lambda: datetime.now(UTC))
    for row in rows:
        exhibit.stage(row)
    exhibit.settle()
    exhibit.release()
    with (folder / layout.JOURNAL).open("ab") as stream:
        stream.write(torn)
    return surveyed(folder, KIND)


def told(found: Surveyed) -> tuple[list[tuple[object, str]], list[tuple[object, str]]]:
    """The gaps that are owed, and those of what was not copied, as number and code."""
    return [(one.index, one.code) for one in found.owed()], [(one.index, one.code) for one in found.not_copied()]


def test_a_survey_counts_when_each_of_its_walks_has_ended(tmp_path: Path) -> None:
    """Of two roots one is still open: it counts for nothing, and is a gap when it is closed as it stands."""
    rows = [RootSeen(survey=1, root=root()), RootSeen(survey=1, root=root("r2")), began(), began(name="r2"), ended()]
    found = read(tmp_path, *rows)
    assert not found.whole
    assert found.open_walks == {"claude-code/r2/survey01"}
    (one,) = found.not_copied()
    assert (one.code, one.walk, one.basis) == ("interrupted", "claude-code/r1/survey01", "absence")


def test_the_look_at_a_root_is_that_of_its_row(tmp_path: Path) -> None:
    """A row without a state, as one that is only reported has, gives none."""
    rows = survey(1, entry())
    state = msgspec.structs.replace(RootSeen(survey=1, root=root("r2")), state=file_state())
    first = read(tmp_path, rows[0], state, *rows[1:]).first
    assert first is not None
    assert first.roots == {"r2": look_from(file_state())}


@pytest.mark.parametrize("reason", ["superseded", "interrupted"])
def test_a_survey_that_ended_otherwise_is_none(tmp_path: Path, reason: WalkReason) -> None:
    """Only one that came to its end is gone on with."""
    assert not read(tmp_path, *survey(1, entry(), reason=reason)).whole


def test_a_journal_without_a_survey_is_surveyed_anew(tmp_path: Path) -> None:
    """Killed after its first row: nothing is known, and that is a gap of the first root when it is closed."""
    found = read(tmp_path)
    assert (found.whole, found.number, found.entries) == (False, 0, [])
    assert [one.walk for one in found.not_copied()] == ["claude-code/r1/survey01"]


def test_a_later_survey_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    """Its copies and gaps are of other numbers: none of them is carried over."""
    first = [*survey(1, entry(1), entry(2), reason="superseded"), kept(1), gap(2)]
    found = read(tmp_path, *first, *survey(2, entry(1, survey=2)))
    assert (found.whole, found.number) == (True, 2)
    assert ([one.survey for one in found.entries], found.kept, found.missed) == ([2], {}, set())
    assert told(found) == ([], [(1, "interrupted")])


def test_a_torn_tail_ends_the_reading(tmp_path: Path) -> None:
    """What stands before it counts; half a row says nothing."""
    found = read(tmp_path, *survey(1, entry(1), entry(2)), kept(1), torn=b'{"event":"kept","entry":2')
    assert found.whole
    assert set(found.kept) == {1}


def test_what_is_an_item_or_a_gap_is_settled(tmp_path: Path) -> None:
    """The rest is what was not copied."""
    found = read(tmp_path, *survey(1, entry(1), entry(2), entry(3)), kept(1), gap(2))
    assert told(found) == ([], [(3, "interrupted")])


@pytest.mark.parametrize("change", ["shrank", "rewritten", "replaced"])
def test_a_file_that_never_held_still_owes_its_gap(tmp_path: Path, change: Change) -> None:
    """The run ended between the last read and the gap; with tries left it owes none, and is not good either."""
    rows = survey(1, entry(1), entry(2))
    found = read(tmp_path, *rows, *(kept(1, tries=one, change=change) for one in (1, 2, 3)), kept(2, change=change))
    assert told(found) == ([(1, "changed_while_read")], [(1, "interrupted"), (2, "interrupted")])
    assert found.copies[1] == 3


@pytest.mark.parametrize("change", ["none", "grew", "moved", "vanished"])
def test_a_file_that_was_read_as_it_was_owes_nothing(tmp_path: Path, change: Change) -> None:
    """Growth, a move and a deletion under the reading lose nothing."""
    assert told(read(tmp_path, *survey(1, entry()), kept(change=change))) == ([], [])


def test_a_read_that_broke_off_owes_its_gap_once(tmp_path: Path) -> None:
    """What came of it is an item, and the rest is unreadable; a gap that is journalled is not owed again."""
    found = read(tmp_path, *survey(1, entry(1), entry(2)), kept(1, complete=False), kept(2, complete=False), gap(2))
    assert told(found) == ([(1, "unreadable")], [(1, "interrupted")])


def test_a_gap_of_a_session_settles_no_entry(tmp_path: Path) -> None:
    """It has no number: what a transcript names and lacks is no file that was seen."""
    lacking = Noted(gap=Gap(kind="unavailable", code="subagent_absent", basis="field", session="s000001"))
    assert read(tmp_path, *survey(1, entry()), lacking).missed == set()
