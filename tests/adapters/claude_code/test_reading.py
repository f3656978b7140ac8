"""The reading of a preserved store: the last read of a file counts, answers give nothing, facts can be drawn again."""

import msgspec
import pytest

from agentaudit.adapters.claude_code import ADAPTER
from agentaudit.adapters.claude_code.linefacts import LineFacts
from agentaudit.adapters.claude_code.reading import ClaudeCodeReader, StoreBundles
from agentaudit.model.base import digest_of
from agentaudit.model.journal import PayloadFile
from agentaudit.model.local import FileState, NanoInstant
from agentaudit.model.losses import Gap
from agentaudit.model.storejournal import Entry, Kept
from tests.support.openings import opened_row

S = "1c27c64e-5bd8-4142-9770-6171b4866689"
LINE = b'{"type":"user","sessionId":"%s","version":"2.1.0","timestamp":"2026-03-02T09:00:00.000Z"}\n' % S.encode()
AT = NanoInstant("1970-01-01T00:00:00.000000000Z")
STATE = FileState(
    size_bytes=1, modified_at=AT, changed_at=AT, accessed_at=AT, born_at=None, mode=0o100600, user_id=0, group_id=0,
    owner=None, group=None, device="1", inode="1", links=1, allocated_bytes=None,
)  # fmt: skip


def entry(number: int, name: str, decision: str = "preserve", session: str | None = "s000001") -> Entry:
    """An entry of that name."""
    row = {"survey": 1, "root": "r1", "number": number, "name": name, "kind": "file", "state": STATE,
           "decision": decision, "rule": "selected" if decision == "preserve" else "not_selected", "role": "transcript",
           "category": "transcript", "session": session}  # fmt: skip
    return msgspec.convert(row, Entry, from_attributes=True)


def kept(number: int, octets: bytes, tries: int = 1, session: str | None = "s000001") -> Kept:
    """The copy of an entry with these bytes."""
    facts = LineFacts(S)
    facts.feed(memoryview(octets))
    framing, transcript = facts.finish()
    item = PayloadFile(path=f"data/x{number}-{tries}", bytes=len(octets), sha256=digest_of(octets))
    return Kept(
        survey=1, root="r1", entry=number, role="transcript", session=session, item=item, before=STATE, after=STATE,
        change="none", complete=True, tries=tries, access_time_kept=None, framing=framing, transcript=transcript,
    )  # fmt: skip


def test_the_reader_has_a_name_and_opens_a_reading_without_pages() -> None:
    """Its name is that of the journal; a store gives no answers."""
    reader = ClaudeCodeReader()
    assert reader.name == ADAPTER
    reading = reader.open(opened_row(), ())
    assert isinstance(reading, StoreBundles)
    assert {limit.code for limit in reading.coverage()} >= {"store.absence", "store.cleanup"}


def test_of_several_reads_the_last_one_counts_in_whatever_order_they_come() -> None:
    """Payload paths put the second read before the first."""
    rows = []
    for order in ((1, 2), (2, 1)):
        reading = StoreBundles()
        reading.entry(entry(1, f"projects/-w/{S}.jsonl"))
        for tries in order:
            reading.kept(kept(1, LINE * 2 if tries == 1 else LINE + b'{"cut\n', tries))
        rows.append(next(iter(reading.sessions((), ()))))
    assert rows[0] == rows[1]
    assert (rows[0].preserved_files, rows[0].framing, rows[0].versions) == (1, (("cut", 1),), (("2.1.0", 1),))
    assert rows[0].preserved_bytes == 3 * len(LINE) + len(b'{"cut\n')


def test_outcomes_follow_the_gaps_of_a_bundle() -> None:
    """A failure, a statement of the store and a rule of ours are told apart; what was not asked for has none."""
    outcomes = {}
    for kind, code in (("not_obtained", "vanished"), ("unavailable", "transcript_absent"), ("excluded", "link")):
        reading = StoreBundles()
        reading.entry(entry(1, f"projects/-w/{S}.jsonl"))
        gap = msgspec.convert({"kind": kind, "code": code, "basis": "rule", "session": "s000001"}, Gap)
        (row,) = reading.sessions((), (gap,))
        outcomes[kind] = row.outcome
    assert outcomes == {
        "not_obtained": "incomplete",
        "unavailable": "all_given_with_losses",
        "excluded": "all_given",
    }
    reading = StoreBundles()
    reading.entry(entry(1, f"projects/-w/{S}.jsonl", "exclude"))
    (row,) = reading.sessions((), ())
    assert (row.decision, row.rule, row.outcome) == ("excluded", "not_selected", None)


@pytest.mark.parametrize(
    ("entries", "rule"),
    [
        ((("list", "link"),), "link"),
        ((("list", "special"), ("list", "link")), "special"),
        ((("list", "folder"), ("list", "not_seen")), "not_seen"),
        ((("list", "link"), ("exclude", "credentials_inode"), ("exclude", "not_selected")), "credentials_inode"),
        ((("list", "folder"),), "folder"),
    ],
)
def test_a_session_that_is_left_out_has_the_rule_that_left_it_out(
    entries: tuple[tuple[str, str], ...], rule: str
) -> None:
    """Its transcript may be a link, a pipe or a folder: nobody's selection left it out then."""
    reading = StoreBundles()
    for number, (decision, why) in enumerate(entries, 1):
        one = entry(number, f"projects/-w/{S}.jsonl", decision)
        reading.entry(msgspec.structs.replace(one, rule=why))
    (row,) = reading.sessions((), ())
    assert (row.decision, row.rule) == ("excluded", rule)


def test_a_survey_that_was_made_anew_takes_the_place_of_the_first() -> None:
    """Its first entry clears what was known."""
    reading = StoreBundles()
    reading.entry(entry(1, f"projects/-w/{S}.jsonl"))
    reading.kept(kept(1, LINE))
    reading.entry(entry(1, "history.jsonl", session=None))
    reading.kept(kept(1, LINE, session=None))
    assert list(reading.sessions((), ())) == []


def test_facts_are_drawn_again_from_the_bytes() -> None:
    """They agree with the bytes that they were drawn from and with no others; a file without facts has none to draw."""
    reading = StoreBundles()
    reading.entry(entry(1, f"projects/-w/{S}.jsonl"))
    for octets, agrees in ((LINE, True), (LINE * 2, False)):
        recheck = reading.recheck(kept(1, LINE))
        assert recheck is not None
        recheck.feed(memoryview(octets))
        assert recheck.agrees() is agrees
    assert reading.recheck(msgspec.structs.replace(kept(1, LINE), framing=None)) is None
    assert reading.recheck(msgspec.structs.replace(kept(1, LINE), transcript=None)) is None
    assert reading.recheck(kept(2, LINE)) is None


def test_an_answer_gives_nothing() -> None:
    """A store has no pages: what is fed is passed over."""
    from tests.package.test_index import _answer  # noqa: PLC0415 - any answer will do

    assert StoreBundles().feed(_answer("a", 1), b"{}") == ((), ())
