"""What people do with exhibits, told to the custody log."""

import shutil
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from agentaudit.attest.handing import Handling, add, add_citing, add_received, add_with_copy
from agentaudit.errors import PackageFault, UsageFault
from agentaudit.format import layout
from agentaudit.model.base import Instant, digest_of
from agentaudit.model.custody import Cited, Handled, HandlingAct, Subject
from agentaudit.package.case import Case, Hand, seal_of
from agentaudit.verify import verify_case
from tests.forge import rewrite
from tests.golden import ScriptReader, clean_script, golden_case, golden_exhibit
from tests.support.around import ACTORS, hand


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """A case with two sealed exhibits."""
    made = golden_case(tmp_path / "case")
    for _ in range(2):
        golden_exhibit(made, clean_script)
    return made


def last(case: Case) -> Handled:
    """The last row of its log."""
    row = list(case.rows())[-1]
    assert isinstance(row, Handled)
    return row


def noting(note: str) -> Hand:
    """A hand whose people say something."""
    return replace(hand(), actors=msgspec.structs.replace(ACTORS, note=note))


def test_an_act_names_exhibits_with_the_seals_that_the_log_holds(case: Case) -> None:
    """Who, to whom, on what, where and when; each exhibit once; the log stays whole."""
    handling = Handling(
        "transferred",
        ("EX-0002", "EX-0001", "EX-0002"),
        "Ann",
        "Bob",
        "disk 7",
        "Room 1",
        Instant("2026-03-02T09:00:00.000000Z"),
    )
    head = add(case, handling, hand())
    row = last(case)
    assert [(one.exhibit, one.seal) for one in row.subjects] == [
        (name, seal_of(case.path / name)) for name in ("EX-0002", "EX-0001")
    ]
    assert (row.act, row.giver, row.receiver, row.medium, row.place) == (
        "transferred",
        "Ann",
        "Bob",
        "disk 7",
        "Room 1",
    )
    assert (row.happened_at, row.cites, row.seq) == ("2026-03-02T09:00:00.000000Z", None, head.seq)
    assert verify_case(case.path, readers=(ScriptReader(),)).codes == ()


def test_an_act_can_be_on_the_case_as_a_whole(case: Case) -> None:
    """No exhibit named: the case."""
    add(case, Handling("noted"), noting("locked away"))
    assert (last(case).subjects, last(case).actors.note) == ((), "locked away")


@pytest.mark.parametrize(
    ("act", "word"),
    [("transferred", "to"), ("received", "from"), ("returned", "to"), ("disposed", "note"), ("noted", "note")],
)
def test_an_act_without_what_it_needs_is_refused(case: Case, act: HandlingAct, word: str) -> None:
    """A transfer to nobody says nothing."""
    with pytest.raises(UsageFault, match=f"needs --{word}"):
        add(case, Handling(act, giver=" ", receiver=" "), hand())


@pytest.mark.parametrize("act", ["copied", "opened"])
def test_other_acts_need_no_more(case: Case, act: HandlingAct) -> None:
    """A copy may stay with whoever made it."""
    add(case, Handling(act, ("EX-0001",)), hand())
    assert last(case).act == act


def test_an_exhibit_that_the_log_does_not_hold_is_refused(case: Case) -> None:
    """A slip in a number gives no row."""
    with pytest.raises(UsageFault, match="no seal of EX-0009"):
        add(case, Handling("opened", ("EX-0009",)), hand())


def test_an_exhibit_travels_with_copies_and_the_receiver_cites_the_sender(case: Case, tmp_path: Path) -> None:
    """The sender's row is the last of the copied log, and the receiver's row names it by number and digest."""
    head = add_with_copy(case, Handling("transferred", ("EX-0001",), receiver="Bob"), tmp_path / "out", hand())
    other = golden_case(tmp_path / "other")
    add_received(other, Handling("received", giver="Ann"), tmp_path / "out/EX-0001", hand())
    row = last(other)
    assert row.cites == Cited(case="N-1", seq=head.seq, head=head.digest)
    assert row.subjects == (Subject(exhibit="EX-0001", seal=seal_of(case.path / "EX-0001")),)
    assert verify_case(other.path, readers=()).codes == ()


def test_one_exhibit_travels_at_a_time(case: Case, tmp_path: Path) -> None:
    """Each has its own copies."""
    for names in ((), ("EX-0001", "EX-0002")):
        with pytest.raises(UsageFault, match="copies one exhibit"):
            add_with_copy(case, Handling("copied", names), tmp_path / "out", hand())


def test_what_came_without_copies_or_with_others_is_not_received(case: Case, tmp_path: Path) -> None:
    """There is nothing to cite, or what there is does not fit."""
    alone = Path(shutil.copytree(case.path / "EX-0001", tmp_path / "alone/EX-0001"))
    with pytest.raises(UsageFault, match="no case and custody files"):
        add_received(case, Handling("received", giver="Ann"), alone, hand())
    add_with_copy(case, Handling("copied", ("EX-0001",)), tmp_path / "out", hand())
    rewrite(tmp_path / "out/EX-0001.case.json", b"{}\n")
    with pytest.raises(PackageFault, match="does not fit"):
        add_received(case, Handling("received", giver="Ann"), tmp_path / "out/EX-0001", hand())


def test_a_head_that_was_only_noted_can_be_cited(case: Case) -> None:
    """Without the sender's log its number and case are unknown, and that is said."""
    head, seal = digest_of(b"head"), digest_of(b"seal")
    add_citing(case, Handling("received", ("EX-0033",), giver="Ann"), head, seal, hand())
    assert last(case).cites == Cited(case=None, seq=None, head=head)
    assert last(case).subjects == (Subject(exhibit="EX-0033", seal=seal),)
    assert (case.path / layout.CUSTODY).is_file()
