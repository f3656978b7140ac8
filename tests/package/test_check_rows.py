"""The journal and what follows from it."""

import msgspec
import pytest

from agentaudit.format import layout
from agentaudit.format.chain import Break
from agentaudit.model.base import Instant
from agentaudit.model.journal import Closed, Counts, LossCounts
from agentaudit.package.check_rows import check_closed, check_journal, check_losses
from agentaudit.package.index import ItemMark, JournalIndex, Remark

COUNTS = Counts(
    items=1,
    payload_bytes=1,
    walks=1,
    pages=1,
    sessions_seen=1,
    sessions_kept=1,
    sessions_excluded=1,
    messages=1,
    losses=LossCounts(),
)
CLOSED = Closed(at=Instant(""), outcome="all_given", counts=COUNTS)


def test_a_sound_journal_has_no_finding() -> None:
    """Each listed file in one row."""
    assert list(check_journal(JournalIndex(items=[ItemMark("data/a", 0)]), ["data/a"])) == []


@pytest.mark.parametrize(("rule", "code"), [("torn", "J001"), ("canonical", "J001"), ("seq", "J003"), ("prev", "J002")])
def test_a_break_is_the_only_finding(rule: str, code: str) -> None:
    """What stands behind it is not judged."""
    index = JournalIndex(broken=Break(3, 99, rule), remarks=[Remark("J010", "2", "")])
    assert list(check_journal(index, ["data/a"])) == [(code, f"{layout.JOURNAL}:3", f"{rule}, at byte 99")]


def test_remarks_become_findings() -> None:
    """With their code, subject and word."""
    index = JournalIndex(remarks=[Remark("J010", "2", "earlier")])
    assert list(check_journal(index, [])) == [("J010", "2", "earlier")]


def test_every_payload_file_has_exactly_one_row() -> None:
    """Two rows for one file are J006, none is J007; a row without a listed file was remarked before."""
    index = JournalIndex(items=[ItemMark("data/a", 0), ItemMark("data/a", 9), ItemMark("data/c", 0)])
    assert [(code, subject) for code, subject, _ in check_journal(index, ["data/a", "data/b"])] == [
        ("J006", "data/a"),
        ("J007", "data/b"),
    ]


def test_the_last_row_states_what_the_rows_give() -> None:
    """The same outcome and the same numbers are no finding."""
    assert list(check_closed(CLOSED, "all_given", COUNTS)) == []


def test_another_outcome_is_named() -> None:
    """Both outcomes stand in the finding."""
    [(code, subject, detail)] = check_closed(CLOSED, "incomplete", COUNTS)
    assert (code, subject) == ("J009", "outcome")
    assert "all_given" in detail
    assert "incomplete" in detail


@pytest.mark.parametrize("name", [name for name in Counts.__struct_fields__ if name != "losses"])
def test_each_number_is_compared(name: str) -> None:
    """The finding names the number."""
    other = msgspec.structs.replace(COUNTS, **{name: 2})
    assert [(code, subject) for code, subject, _ in check_closed(CLOSED, "all_given", other)] == [("J009", name)]


@pytest.mark.parametrize("name", LossCounts.__struct_fields__)
def test_each_loss_is_compared(name: str) -> None:
    """The finding names the loss."""
    other = msgspec.structs.replace(COUNTS, losses=msgspec.structs.replace(LossCounts(), **{name: 2}))
    found = [(code, subject) for code, subject, _ in check_closed(CLOSED, "all_given", other)]
    assert found == [("J009", f"losses.{name}")]


@pytest.mark.parametrize(("number", "name"), list(enumerate(LossCounts.__struct_fields__, 1)))
def test_each_kind_of_loss_has_its_code(number: int, name: str) -> None:
    """With its number, and none for a kind that there is not."""
    [(code, _, detail)] = check_losses(msgspec.structs.replace(LossCounts(), **{name: 7}))
    assert (code, detail) == (f"L{number:03d}", "7")
    assert list(check_losses(LossCounts())) == []
