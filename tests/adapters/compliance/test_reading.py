"""The reading of raw pages: fed in the order of their paths, flat in memory, the same decisions as the plan."""

import json
import tracemalloc

import pytest
from msgspec.structs import replace

from agentaudit.adapters.compliance.reading import CompliancePageReader, ComplianceReading
from agentaudit.encoding.foreign import Json
from agentaudit.format.layout import answer_path
from agentaudit.format.readings import CursorReading, PageReader, Reading
from agentaudit.model.base import UNSET, Instant, Unset, digest_of
from agentaudit.model.journal import Answered, PayloadFile, WalkKind, WalkReason
from agentaudit.model.limits import ByteLimits
from agentaudit.model.losses import Gap, GapCode, GapKind
from agentaudit.model.readings import UNREAD, SessionRow
from agentaudit.model.selection import BundleSelection, NamedSession, SessionSelection, Window
from agentaudit.model.tagfiles import WalkRow
from agentaudit.model.walk import Answer, Ask, Request
from tests.support.openings import kept_row, opened_row
from tests.support.wires import exchange

LIST = "compliance/local/lists/l01"
MESSAGES = "compliance/local/s000001/messages"
SESSION = "compliance/local/s000001/session"
LOCAL = SessionSelection(families=("local",))


def opened(selection: SessionSelection = LOCAL, *walks: WalkRow) -> ComplianceReading:
    """A reading of an exhibit with this selection."""
    return CompliancePageReader().open(replace(opened_row(), selection=selection), walks)


def answered(walk: str, page: int = 1, status: int = 200, size: int = 0) -> Answered:
    """The row of an answer."""
    question = Ask(walk=walk, page=page, request=Request("/"))
    return Answered(
        walk=walk,
        page=page,
        ask=1,
        limits=ByteLimits(),
        exchange=exchange(question, 1, Answer(status, (), b"")),
        content_encoding=None,
        media_type=None,
        item=PayloadFile(path=answer_path(walk, page, 1, "json"), bytes=size, sha256=digest_of(b"")),
    )


def test_an_api_gives_no_files() -> None:
    """A kept file is of another source; truncations come with their answers."""
    reading = opened()
    assert reading.payload(kept_row()) is None
    assert (tuple(reading.events()), tuple(reading.clipped()), tuple(reading.streams())) == ((), (), ())


def walk_row(walk: str, ended: WalkReason | None = "exhausted") -> WalkRow:
    """A walk that ended so."""
    kind: WalkKind = "local_messages" if "messages" in walk else "local_list"
    return WalkRow(
        walk=walk, kind=kind, session=None, parameters=(), limits=None, cursors=(None,), pages=1, records=1, ended=ended
    )


def gap(code: GapCode, kind: GapKind, session: str | Unset = "s000001") -> Gap:
    """A gap of a session."""
    return Gap(kind=kind, code=code, basis="status", session=session)


def page(*data: Json, **more: Json) -> bytes:
    """A page as it travels."""
    return json.dumps({"data": list(data), "next_page": None, **more}).encode()


def listed(identifier: str = "clls_1", **more: Json) -> dict[str, Json]:
    """An entry of a list."""
    return {"id": identifier, "truncated": False, **more}


def message(identifier: str = "clsm_1", **more: Json) -> dict[str, Json]:
    """A message."""
    return {"id": identifier, "role": "user", "provenance": None, "content": [], **more}


def one_row(
    reading: ComplianceReading, *gaps: Gap, ended: WalkReason | None = "exhausted", walked: bool = True
) -> SessionRow:
    """The one session of a reading."""
    (row,) = reading.sessions([walk_row(MESSAGES, ended)] if walked else [], gaps)
    return row


def read(*messages: Json, session: Json = None) -> ComplianceReading:
    """A listed session with one page of messages."""
    reading = opened()
    reading.feed(answered(LIST), page(listed()))
    reading.feed(answered(MESSAGES), page(*messages, session=session))
    return reading


def test_the_adapter_is_what_the_package_asks_for() -> None:
    """Name and version, a reading, and where each page leads."""
    reader: PageReader = CompliancePageReader()
    reading: Reading = reader.open(opened_row(), ())
    assert reader.name == "compliance/1"
    assert isinstance(reading, CursorReading)


def test_records_come_with_their_place_and_the_limits_in_force() -> None:
    """Page, index, item, pointer."""
    reading = opened()
    records, truncations = reading.feed(answered(MESSAGES, 3), page(message("a"), message("b")))
    assert [(row.session, row.page, row.index, row.pointer, row.id) for row in records] == [
        ("s000001", 3, 0, "/data/0", "a"),
        ("s000001", 3, 1, "/data/1", "b"),
    ]
    assert {row.limits for row in records} == {ByteLimits()}
    assert truncations == ()


@pytest.mark.parametrize(
    ("walk", "body", "leads"),
    [
        (MESSAGES, page(next_page="t"), "t"),
        (MESSAGES, page(), None),
        (MESSAGES, b"<html>", UNREAD),
        (LIST, b'{"data": []}', None),
        (SESSION, b'{"id": "x"}', None),
        (SESSION, b"[]", UNREAD),
        ("compliance/context/o0001/users", page(next_page="u"), "u"),
        ("elsewhere", page(), UNREAD),
    ],
)
def test_each_answer_says_where_it_leads(walk: str, body: bytes, leads: object) -> None:
    """A token, an end, or nothing that could be read."""
    reading = opened()
    reading.feed(answered(walk), body)
    assert reading.next_cursor() == leads


def test_a_refusal_is_no_page() -> None:
    """Its body is evidence and gives no row."""
    reading = opened()
    assert reading.feed(answered(MESSAGES, status=404), page(message())) == ((), ())
    assert reading.next_cursor() is UNREAD


def test_a_session_stands_with_what_three_answers_say_of_it() -> None:
    """List, retrieve call and envelope, and where they disagree."""
    reading = opened()
    reading.feed(answered(LIST), page(listed(updated_at="a")))
    reading.feed(answered(MESSAGES), page(message(), session=listed(updated_at="b")))
    reading.feed(answered(SESSION), json.dumps(listed(updated_at="c")).encode())
    row = one_row(reading)
    assert row.listed is not None
    assert row.retrieved is not None
    assert row.envelope is not None
    assert [one.pointer for one in (row.listed, row.retrieved, row.envelope)] == ["/data/0", "", "/session"]
    assert row.disagree == ("updated_at",)


def test_everything_given_and_no_loss_stated() -> None:
    """The best that can be said of a session."""
    row = one_row(read(message()))
    assert (row.decision, row.rule, row.outcome, row.counts.messages) == ("kept", None, "all_given", 1)


@pytest.mark.parametrize(
    "ended", [None, "refused", "unreadable", "cursor_repeated", "expired", "failed", "interrupted"]
)
def test_a_transcript_that_did_not_come_to_its_end_is_incomplete(ended: WalkReason | None) -> None:
    """Whatever it ended with."""
    assert one_row(read(message()), ended=ended).outcome == "incomplete"


def test_a_transcript_that_was_never_walked_is_incomplete() -> None:
    """A kept session without a walk; and one whose last walk counts."""
    reading = opened()
    reading.feed(answered(LIST), page(listed()))
    assert one_row(reading, walked=False).outcome == "incomplete"
    (row,) = reading.sessions([walk_row(MESSAGES, "expired"), walk_row(f"{MESSAGES}02")], ())
    assert row.outcome == "all_given"


def test_something_not_obtained_makes_a_session_incomplete() -> None:
    """Though its transcript is whole."""
    row = one_row(read(message()), gap("refused", "not_obtained"))
    assert (row.outcome, row.counts.gaps) == ("incomplete", 1)


def test_a_gap_of_no_session_or_of_another_changes_nothing() -> None:
    """Each session has its own outcome."""
    gaps = (gap("refused", "not_obtained", UNSET), gap("refused", "not_obtained", "s000009"))
    assert one_row(read(message()), *gaps).outcome == "all_given"


def test_a_session_that_the_source_has_not_is_not_our_failure() -> None:
    """It states the loss, and no walk could have ended."""
    reading = opened()
    reading.feed(answered(LIST), page(listed()))
    row = one_row(reading, gap("session_not_found", "unavailable"), walked=False)
    assert (row.outcome, row.counts.gaps) == ("all_given_with_losses", 1)


@pytest.mark.parametrize(
    "reading",
    [
        read(message(), session=listed(truncated=True)),
        read(message(content=[{"type": "text", "text": "[image]", "truncated": True}])),
        read(message(content=[{"type": "tool_use", "input": "x", "truncated": True}])),
        read(message(content=[{"type": "tool_use", "input": "x" * 1_000_000, "truncated": True}])),
    ],
)
def test_a_loss_that_the_source_states_is_told_from_our_failure(reading: ComplianceReading) -> None:
    """Truncated session, marker, undetermined clipping, the server's limit."""
    assert one_row(reading).outcome == "all_given_with_losses"


def test_our_own_limit_changes_no_outcome() -> None:
    """It is counted beside it."""
    reading = opened()
    reading.feed(answered(LIST), page(listed()))
    row = replace(answered(MESSAGES), limits=ByteLimits(tool_input_max_bytes=4))
    reading.feed(row, page(message(content=[{"type": "tool_use", "input": "1234", "truncated": True}])))
    session = one_row(reading)
    assert (session.outcome, session.counts.clipped_by_our_limit) == ("all_given", 1)


def test_an_earlier_envelope_s_truncation_is_not_forgotten() -> None:
    """The last envelope stands, the cap stays."""
    reading = opened()
    reading.feed(answered(LIST), page(listed()))
    reading.feed(answered(MESSAGES), page(message(), session=listed(truncated=True)))
    reading.feed(answered(MESSAGES, 2), page(message(), session=listed()))
    row = one_row(reading)
    assert row.envelope is not None
    assert (row.envelope.truncated, row.outcome) == (False, "all_given_with_losses")


def test_a_message_is_known_again_within_its_session_only() -> None:
    """The same identifier in another session is another message."""
    reading = opened()
    repeated = [
        row.repeated
        for walk in (MESSAGES, f"{MESSAGES}02", MESSAGES.replace("s000001", "s000002"))
        for row in reading.feed(answered(walk), page(message("a"), message("b")))[0]
    ]
    assert repeated == [False, False, True, True, False, False]


def test_a_repetition_is_counted_as_one_and_as_nothing_else() -> None:
    """Messages, tool calls and provenance count once; what is clipped is counted each time it is there."""
    block: Json = {"type": "tool_use", "input": "x", "truncated": True}
    again = message("a", content=[block])
    counts = one_row(read(again, again)).counts
    assert (counts.messages, counts.repeated, counts.tool_uses, counts.clipped_undetermined) == (1, 1, 1, 2)
    assert counts.provenance == ((None, None, 1),)


def test_absent_provenance_is_not_counted_as_null() -> None:
    """Remote messages have none."""
    counts = one_row(read({"id": "x"})).counts
    assert (counts.messages, counts.provenance) == (1, ())


def test_metadata_alone_has_no_outcome_unless_something_failed() -> None:
    """No transcript was asked for."""
    reading = opened(SessionSelection(families=("local",), list_only=True))
    reading.feed(answered(LIST), page(listed()))
    assert one_row(reading, walked=False).outcome is None
    assert one_row(reading, gap("refused", "not_obtained"), walked=False).outcome == "incomplete"


def test_what_was_left_out_has_a_rule_and_no_outcome() -> None:
    """And keeps its listed words."""
    reading = opened(SessionSelection(families=("local",), users=("u1",)))
    reading.feed(answered(LIST), page(listed(user={"id": "u2"}), listed("clls_2", user=5)))
    left, open_one = reading.sessions((), ())
    assert (left.decision, left.rule, left.outcome) == ("excluded", "other_user", None)
    assert (open_one.decision, open_one.rule, open_one.outcome) == ("undecided", None, "incomplete")


def test_a_retrieve_call_decides_what_a_list_could_not() -> None:
    """As it did for the plan."""
    reading = opened(SessionSelection(families=("local",), users=("u1",)))
    reading.feed(answered(LIST), page(listed(user=5)))
    reading.feed(answered(MESSAGES), page(message()))
    reading.feed(answered(SESSION), json.dumps(listed(user={"id": "u1"})).encode())
    assert one_row(reading).decision == "kept"


def test_a_session_named_by_id_has_a_row_though_nothing_came() -> None:
    """It was asked for."""
    selection = SessionSelection(families=("remote",), sessions=(NamedSession(family="remote", id="cse_1"),))
    row = one_row(opened(selection), walked=False)
    assert (row.id, row.family, row.listed, row.outcome) == ("cse_1", "remote", None, "incomplete")


def test_a_session_seen_again_keeps_its_first_entry() -> None:
    """And its number."""
    reading = opened()
    reading.feed(answered(LIST), page(listed(updated_at="a"), listed(updated_at="b"), 5, {"id": None}))
    (row,) = reading.sessions((), ())
    assert row.listed is not None
    assert row.listed.updated_at == "a"


def test_the_context_narrows_the_coverage() -> None:
    """Organisations listed, organisations seen, periods in force."""
    reading = opened()
    reading.feed(
        answered("compliance/context/o0001/settings"), b'{"data_retention_periods": {"all": {"type": "indefinite"}}}'
    )
    reading.feed(answered("compliance/context/o0002/settings"), b"<html>")
    reading.feed(answered("compliance/context/organizations"), page({"uuid": "a"}, {"uuid": "b"}, {"uuid": 5}))
    reading.feed(answered(LIST), page(listed(organization_uuid="a"), listed("clls_2", organization_uuid=None)))
    reading.feed(answered(MESSAGES), page(session=listed(organization_uuid="c")))
    values = {limit.code: dict(limit.values) for limit in reading.coverage()}
    assert values["key_reach"] == {
        "organizations_list": "obtained",
        "organizations_listed": "2",
        "organizations_seen": "2",
    }
    assert values["retention"] == {"settings_obtained": "1", "o0001.all": "indefinite"}


def test_only_the_parameters_of_lists_are_kept_of_the_walks() -> None:
    """They say whether the server applied the window itself."""
    window = Window(begins=Instant("2026-10-01T00:00:00.000000Z"), ends=None)
    selection = replace(LOCAL, window_kind="activity", window=window)
    by_activity = replace(walk_row(LIST), parameters=(("updated_at.gte", "2026-10-01T00:00:00.000000Z"),))
    reading = opened(selection, by_activity, walk_row(MESSAGES))
    reading.feed(answered(LIST), page(listed()))
    assert one_row(reading).decision == "kept"
    reading = opened(selection)
    reading.feed(answered(LIST), page(listed()))
    assert one_row(reading).decision == "undecided"


def test_trap_23_a_list_of_organisations_that_broke_off_is_not_called_obtained() -> None:
    """Its first page alone does not say how far the key reaches; neither does `has_more` without a token."""
    reading = opened()
    walk = "compliance/context/organizations"
    reading.feed(answered(walk), json.dumps({"data": [{"uuid": "a"}], "next_page": "page_2"}).encode())
    assert _reach(reading) == {"organizations_list": "not_obtained", "organizations_listed": "unknown"}
    reading.feed(answered(walk, 2), json.dumps({"data": [{"uuid": "b"}], "has_more": True}).encode())
    assert _reach(reading) == {"organizations_list": "not_obtained", "organizations_listed": "unknown"}
    assert reading.next_cursor() is UNREAD
    reading.feed(answered(walk, 2), page({"uuid": "b"}))
    assert _reach(reading) == {"organizations_list": "obtained", "organizations_listed": "2"}


def _reach(reading: ComplianceReading) -> dict[str, str]:
    values = dict(next(limit.values for limit in reading.coverage() if limit.code == "key_reach"))
    return {name: text for name, text in values.items() if name != "organizations_seen"}


def test_an_exhibit_of_another_selection_has_no_session_of_this_source() -> None:
    """A journal that contradicts itself is read and checked, not believed."""
    selection = BundleSelection(agent="claude-code", roots=())
    reading = CompliancePageReader().open(replace(opened_row(), selection=selection), ())
    assert list(reading.sessions((), ())) == []
    assert [limit for limit in reading.coverage() if limit.code.startswith("local.")] == []


def test_a_long_transcript_leaves_little_behind() -> None:
    """A session of 20,000 messages costs less than 4 MB once its pages are fed."""
    reading = opened()
    bodies = [page(*(message(f"clsm_{number:>080}_{part}") for number in range(1_000))) for part in range(20)]
    tracemalloc.start()
    for number, body in enumerate(bodies, 1):
        reading.feed(answered(MESSAGES, number), body)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 4_000_000


def test_a_long_list_is_held_small() -> None:
    """A listed session costs less than 800 bytes: 100,000 of them stay below 80 MB."""
    reading = opened()
    bodies = [
        page(*(
            listed(
                f"clls_{part:>04}{number:>0120}", organization_uuid="o", user={"id": f"u{number % 50}"},
                created_at=f"2026-10-01T00:{part:02}:{number % 60:02}.{number:06}Z",
                updated_at=f"2026-10-02T00:{part:02}:{number % 60:02}.{number:06}Z", product_surface="cowork",
            )
            for number in range(500)
        ))
        for part in range(10)
    ]  # fmt: skip
    tracemalloc.start()
    for number, body in enumerate(bodies, 1):
        reading.feed(answered(LIST, number), body)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 5_000 * 800
