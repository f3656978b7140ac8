"""Walks against the synthetic organisation: how they end, begin anew, and lose no more than they must."""

from dataclasses import replace
from datetime import timedelta

import pytest

from agentaudit.demo.blocks import Omitted, Text, ToolResult, ToolUse
from agentaudit.demo.compose import local_call, local_message, remote_call
from agentaudit.demo.errors import Documented
from agentaudit.demo.sessions import Call, Provenance
from agentaudit.model.base import UNSET
from agentaudit.model.limits import ByteLimits
from agentaudit.model.selection import NamedSession, SessionSelection
from agentaudit.model.walk import Ask, Failure, Missed
from tests.demo.asking import NOON, Clock, new_world
from tests.sources.compliance.driving import Drive, Outcome

DAY = timedelta(days=1)
LOCAL = SessionSelection(families=("local",))
REMOTE = SessionSelection(families=("remote",))
MESSAGES = "compliance/local/s000001/messages"


def driven(turns: int = 4, items: int | None = 3) -> tuple[Drive, Clock, str]:
    """An organisation with one session of so many turns, and pages of so many messages."""
    world, clock, _ = new_world()
    session = world.add_session(turns=turns, at=NOON - DAY)
    world.set_page_shape(max_items=items)
    return Drive(world, clock), clock, session


def on(drive: Drive, walk: str, page: int, act: object) -> None:
    """Let something happen before a page of a walk is asked for, once."""

    def before(ask: Ask) -> None:
        if (ask.walk, ask.page) == (walk, page) and drive.before is before:
            drive.before = lambda _ask: None
            assert callable(act)
            act()

    drive.before = before


def ids(outcome: Outcome) -> list[object]:
    """The identifiers of the records that are no repetitions."""
    return [row.id for row in outcome.records if not row.repeated]


def test_trap_01_a_session_over_the_cap_ends_well_and_lacks_its_tail() -> None:
    """The walk is exhausted, the session is not whole, and that is the source's loss, stated once."""
    drive, _, session = driven(turns=9)
    drive.world.put(replace(drive.world.local(session), call_cap=5))
    outcome = drive.run(LOCAL)
    assert drive.ends()[MESSAGES].reason == "exhausted"
    assert [(gap.kind, gap.code, gap.session) for gap in drive.gaps] == [("unavailable", "session_call_cap", "s000001")]
    assert outcome.session(session).outcome == "all_given_with_losses"


def test_trap_01_a_cap_that_only_the_envelope_knows_is_noted_too() -> None:
    """The list and the retrieve call may be older."""
    drive, _, session = driven()
    drive.world.rewrite_next(
        lambda body: body.replace(b'"truncated":false},"data"', b'"truncated":true},"data"'), match="/messages"
    )
    outcome = drive.run(LOCAL)
    assert drive.codes() == ["session_call_cap"]
    assert outcome.session(session).outcome == "all_given_with_losses"
    assert outcome.session(session).disagree == ()


def test_trap_02_session_and_block_truncation_are_counted_apart() -> None:
    """One is a gap, the other truncations of their own kinds."""
    drive, _, session = driven(turns=0, items=None)
    local = drive.world.local(session)
    long = ToolUse("t", "n", "x" * 50)
    calls = tuple(
        local_call(session, number, NOON - DAY, (Text("cited", truncated=True),), (long,)) for number in range(3)
    )
    drive.world.put(replace(local, calls=calls, call_cap=2))
    outcome = drive.run(LOCAL, ByteLimits(tool_input_max_bytes=20))
    counts = outcome.session(session).counts
    assert (counts.clipped_by_our_limit, counts.clipped_marker, counts.gaps) == (2, 2, 1)
    assert {one.raise_parameter for one in outcome.truncations} == {"tool_use_input_max_bytes", None}


def test_trap_03_nothing_is_clipped_by_a_default() -> None:
    """An input of 50,000 bytes is whole, because the maximum was asked for on every page."""
    drive, _, session = driven(turns=0, items=1)
    use, result = ToolUse("t", "n", "x" * 50_000), ToolResult("t", "n", ("y" * 50_000,))
    call = local_call(session, 0, NOON - DAY, (result,), (use,))
    drive.world.put(replace(drive.world.local(session), calls=(call,)))
    outcome = drive.run(LOCAL)
    assert outcome.truncations == []
    assert [block.bytes for row in outcome.records for block in row.blocks] == [50_000, 50_000]
    for ask in drive.asked:
        if "messages" in ask.walk:
            assert {("tool_use_input_max_bytes", "-1"), ("tool_result_max_bytes", "-1")} < set(ask.request.query)


@pytest.mark.parametrize("absent", [True, False])
def test_trap_04_short_and_empty_pages_do_not_end_a_walk(absent: bool) -> None:
    """Only a null or absent token does."""
    drive, _, session = driven(turns=4)
    drive.world.set_page_shape(max_items=3, empty_pages=(0, 2), absent_next_page=absent)
    outcome = drive.run(LOCAL)
    assert outcome.session(session).counts.messages == 8
    assert drive.ends()[MESSAGES].pages == 5
    assert drive.ends()["compliance/local/lists/l01"].pages == 2


@pytest.mark.parametrize("place", ["/messages", "sessions/local?", "/users"])
def test_trap_04_a_repeated_cursor_ends_a_walk_as_a_gap(place: str) -> None:
    """A token that leads in a circle is followed once."""
    drive, _, session = driven(turns=9)
    for _ in range(9):
        drive.world.add_session(at=NOON - 2 * DAY)
    drive.world.set_page_shape(max_items=1)
    drive.world.loop_cursor_next(
        match=lambda request: place in request.target and (place != "sessions/local?" or "page=" in request.target)
    )
    outcome = drive.run(SessionSelection(families=("local",), with_directory=True))
    (gap,) = drive.gaps
    assert (gap.code, gap.kind, gap.basis, gap.page) == ("cursor_repeated", "not_obtained", "field", 2)
    assert drive.ends()[str(gap.walk)].reason == "cursor_repeated"
    if place == "/messages":
        assert outcome.session(session).outcome == "incomplete"


def test_trap_07_a_transcript_older_than_a_day_begins_anew_and_is_reconciled() -> None:
    """Told so by the source: the second walk gives everything, what came twice is marked."""
    drive, _, session = driven()
    on(drive, MESSAGES, 2, drive.world.expire_cursors)
    outcome = drive.run(LOCAL)
    assert [drive.ends()[f"{MESSAGES}{again}"].reason for again in ("", "02")] == ["expired", "exhausted"]
    assert len(ids(outcome)) == len(set(ids(outcome))) == 8
    counts = outcome.session(session).counts
    assert (counts.messages, counts.repeated, outcome.session(session).outcome) == (8, 3, "all_given")
    assert drive.gaps == []


def test_trap_07_an_old_token_is_not_even_sent() -> None:
    """Our clock says that it is too old: counted from the walk's first page."""
    drive, clock, _ = driven()
    on(drive, MESSAGES, 3, lambda: clock.forward(DAY))
    drive.run(LOCAL)
    assert [ask.page for ask in drive.asked if ask.walk == MESSAGES] == [1, 2]
    assert drive.ends()[f"{MESSAGES}02"].reason == "exhausted"
    assert drive.gaps == []


def test_trap_07_a_transcript_that_expires_again_and_again_is_given_up() -> None:
    """After three new beginnings; the pages read are kept."""
    drive, clock, session = driven()
    drive.before = lambda ask: clock.forward(DAY) if "messages" in ask.walk and ask.page == 2 else None
    outcome = drive.run(LOCAL)
    assert [walk.walk for walk in drive.walks() if "messages" in walk.walk] == [
        MESSAGES, *(f"{MESSAGES}{number:02d}" for number in (2, 3, 4)),
    ]  # fmt: skip
    (gap,) = drive.gaps
    assert (gap.code, gap.basis, gap.walk) == ("messages_walk_expired", "clock", f"{MESSAGES}04")
    assert outcome.session(session).outcome == "incomplete"
    assert len(ids(outcome)) == 3


def test_trap_07_a_list_older_than_a_day_ends_as_a_gap_and_a_new_one_begins() -> None:
    """Such a token would still be accepted, and skip silently."""
    drive, clock, _ = driven()
    for _ in range(8):
        drive.world.add_session(at=NOON - 2 * DAY)
    on(drive, "compliance/local/lists/l01", 2, lambda: clock.forward(DAY))
    outcome = drive.run(LOCAL)
    ends = drive.ends()
    assert [ends[f"compliance/local/lists/l0{number}"].reason for number in (1, 2)] == ["expired", "exhausted"]
    (gap,) = drive.gaps
    assert (gap.code, gap.kind, gap.basis) == ("list_walk_expired", "not_obtained", "clock")
    assert len(outcome.sessions) == 9


def test_trap_07_a_list_begins_anew_three_times_at_most() -> None:
    """Then the run goes on with what was seen."""
    drive, clock, _ = driven()
    for _ in range(8):
        drive.world.add_session(at=NOON - 2 * DAY)
    drive.before = lambda ask: clock.forward(DAY) if "lists" in ask.walk and ask.page == 2 else None
    outcome = drive.run(LOCAL)
    assert drive.codes() == ["list_walk_expired"] * 4
    assert len(outcome.sessions) == 3


def test_a_remote_token_has_no_documented_age() -> None:
    """It is sent, however old."""
    world, clock, _ = new_world()
    world.add_remote_session(turns=3)
    world.set_page_shape(max_items=2)
    drive = Drive(world, clock)
    drive.run(REMOTE)
    assert {ask.expires_at for ask in drive.asked if "messages" in ask.walk} == {None}


def test_trap_08_the_retention_placeholder_is_noted_once_though_its_identifier_changes() -> None:
    """A walk that begins anew meets another placeholder: it is no new message and no new gap."""
    drive, _, session = driven(turns=6)
    drive.world.advance_retention(NOON - DAY + timedelta(minutes=1, seconds=30))

    def expire() -> None:
        drive.world.advance_retention(NOON - DAY + timedelta(minutes=2, seconds=30))
        drive.world.expire_cursors()

    on(drive, MESSAGES, 2, expire)
    outcome = drive.run(LOCAL)
    (gap,) = drive.gaps
    assert (gap.code, gap.kind, gap.page, gap.index) == ("retention_elapsed", "unavailable", 1, 0)
    placeholders = [row for row in outcome.records if row.provenance not in (None, UNSET)]
    assert [row.repeated for row in placeholders] == [False, True]
    assert len({row.id for row in placeholders}) == 2
    assert outcome.session(session).outcome == "all_given_with_losses"


def test_unavailable_messages_are_noted_once_though_the_walk_begins_anew() -> None:
    """Each with its reason, at the place where it was met first."""
    drive, _, session = driven(turns=0, items=1)
    losses = [Provenance("content_unavailable", reason) for reason in ("not_captured", "oversize")]
    calls = tuple(
        Call(NOON - DAY, (local_message(session, number, "user", provenance=loss),))
        for number, loss in enumerate([*losses, Provenance("synthetic_marker"), None])
    )
    drive.world.put(replace(drive.world.local(session), calls=calls))
    on(drive, MESSAGES, 3, drive.world.expire_cursors)
    drive.run(LOCAL)
    assert [(gap.code, gap.page, gap.source) for gap in drive.gaps] == [
        ("content_unavailable", 1, (("reason", "not_captured"),)),
        ("content_unavailable", 2, (("reason", "oversize"),)),
    ]


def test_an_unavailable_message_without_an_identifier_is_noted_each_time() -> None:
    """Nothing tells it from another one."""
    drive, _, session = driven(turns=0, items=None)
    loss = Provenance("content_unavailable", "not_captured")
    calls = tuple(Call(NOON - DAY, (local_message(session, number, "user", provenance=loss),)) for number in range(2))
    drive.world.put(replace(drive.world.local(session), calls=calls))
    drive.world.inject_unknown("message", "id", None)
    drive.run(LOCAL)
    assert [gap.index for gap in drive.gaps] == [0, 1]


def test_trap_09_the_404_of_one_session_is_its_gap_and_no_more() -> None:
    """Gone between list and retrieve call: its transcript is not asked for, the next session is read."""
    drive, _, session = driven()
    other = drive.world.add_session(at=NOON - 3 * DAY)
    drive.world.problem_next(Documented.LOCAL_NOT_FOUND, match="local/clls_")
    outcome = drive.run(LOCAL)
    (gap,) = drive.gaps
    assert (gap.code, gap.kind, gap.basis, gap.status) == ("session_not_found", "unavailable", "status", 404)
    assert MESSAGES not in {ask.walk for ask in drive.asked}
    assert [outcome.session(one).outcome for one in (session, other)] == ["all_given_with_losses", "all_given"]


def test_trap_09_a_pending_remote_session_is_told_from_a_lost_one() -> None:
    """Both answer 404; the list says which is which."""
    world, clock, _ = new_world()
    pending = world.add_remote_session(turns=0, status="pending")
    lost = world.add_remote_session(at=NOON - DAY)
    drive = Drive(world, clock)
    drive.world.problem_next(
        Documented.REMOTE_NOT_FOUND,
        match=lambda request: "/messages" in request.path and lost in "/".join(request.path_segments),
    )
    outcome = drive.run(REMOTE)
    codes = {gap.session: gap.code for gap in drive.gaps}
    assert codes[outcome.session(pending).session] == "session_pending"
    assert codes[outcome.session(lost).session] == "session_not_found"
    assert outcome.session(pending).outcome == "all_given_with_losses"


@pytest.mark.parametrize(
    ("case", "code"),
    [
        (Documented.RETENTION_UNKNOWN, "retention_overrides"),
        (Documented.CONTENT_LOCKED, "captured_content_unreadable"),
        (Documented.BAD_CURSOR, "cursor_refused"),
        (Documented.FINAL_ERROR, "refused"),
        (Documented.READER_BUSY, "retries_exhausted"),
    ],
)
def test_trap_10_and_11_what_ends_a_transcript_is_that_session_s_gap(case: Documented, code: str) -> None:
    """The pages read are kept, the session is incomplete, the run goes on."""
    drive, _, session = driven()
    on(drive, MESSAGES, 2, lambda: drive.world.problem_next(case, times=99, match="/messages"))
    outcome = drive.run(LOCAL)
    (gap,) = drive.gaps
    # Locked content says nothing of a status: which sessions were asked for is a matter of chance.
    status = UNSET if case is Documented.CONTENT_LOCKED else case.value.status
    assert (gap.code, gap.kind, gap.page, gap.status) == (code, "not_obtained", 2, status)
    row = outcome.session(session)
    assert (row.outcome, row.counts.messages) == ("incomplete", 3)


def test_trap_11_a_busy_reader_gets_the_same_request_again() -> None:
    """The same page, the same token, after the stated wait."""
    drive, _, session = driven()
    on(drive, MESSAGES, 2, lambda: drive.world.problem_next(Documented.READER_BUSY, match="/messages"))
    outcome = drive.run(LOCAL)
    second = [ask for ask in drive.asked if (ask.walk, ask.page) == (MESSAGES, 2)]
    assert len(second) == 2
    assert second[0] == second[1]
    assert [wait.wait_ms for wait in drive.waits] == [2_000]
    assert outcome.session(session).outcome == "all_given"


def test_trap_12_an_unreadable_page_is_asked_for_once_and_its_session_is_incomplete() -> None:
    """Never a smaller limit, never another order; the next session is read."""
    drive, _, session = driven()
    drive.world.put(replace(drive.world.local(session), unreadable_pages=(1,)))
    other = drive.world.add_session(at=NOON - 3 * DAY)
    outcome = drive.run(LOCAL)
    (gap,) = drive.gaps
    assert (gap.code, gap.page, gap.status) == ("page_unreadable_at_source", 2, 400)
    assert ("error_code", "transcript_page_read_limit_exceeded") in gap.source
    assert [ask.page for ask in drive.asked if ask.walk == MESSAGES] == [1, 2]
    assert [outcome.session(one).outcome for one in (session, other)] == ["incomplete", "all_given"]


def test_trap_13_records_keep_the_order_returned() -> None:
    """Remote times tie and invert; place on the page is the order of record."""
    world, clock, _ = new_world()
    session = world.remote(world.add_remote_session(turns=0, at=NOON - DAY))
    minutes = (3, 1, 1, 2)
    calls = tuple(
        call
        for number, minute in enumerate(minutes)
        for call in [remote_call(session.id, number, NOON - DAY + timedelta(minutes=minute), "user", Text(str(number)))]
    )
    world.put(replace(session, calls=calls))
    world.set_page_shape(max_items=3)
    outcome = Drive(world, clock).run(REMOTE)
    assert [(row.page, row.index) for row in outcome.records] == [(1, 0), (1, 1), (1, 2), (2, 0)]
    assert ids(outcome) == [call.messages[0].id for call in calls]


def test_trap_14_what_an_envelope_blanks_is_taken_from_the_list() -> None:
    """Side by side, and no contradiction."""
    world, clock, _ = new_world()
    world.add_session()
    world.add_remote_session()
    outcome = Drive(world, clock).run(SessionSelection(families=("local", "remote")))
    for row in outcome.sessions:
        assert row.listed is not None
        assert row.envelope is not None
        assert row.listed.user_email_address is not None
        assert row.envelope.user_email_address is None
        assert row.disagree == ()


def test_trap_15_provenance_is_counted_and_never_collapsed() -> None:
    """Type and reason, new ones among them; verified messages under null."""
    drive, _, session = driven(turns=0)
    kinds = [
        None,
        None,
        Provenance("client_asserted"),
        Provenance("dreamt", "deeply"),
        Provenance("content_unavailable", "oversize"),
    ]
    calls = tuple(
        Call(NOON - DAY, (local_message(session, number, "assistant", Text("[content unavailable]"), provenance=kind),))
        for number, kind in enumerate(kinds)
    )
    drive.world.put(replace(drive.world.local(session), calls=calls))
    outcome = drive.run(LOCAL)
    assert outcome.session(session).counts.provenance == (
        (None, None, 2),
        ("client_asserted", None, 1),
        ("content_unavailable", "oversize", 1),
        ("dreamt", "deeply", 1),
    )


def test_trap_16_a_picture_leaves_a_marker_locally_and_nothing_remotely() -> None:
    """Equal completeness is not implied: the coverage says so."""
    world, clock, _ = new_world()
    local, remote = world.local(world.add_session(turns=0)), world.remote(world.add_remote_session(turns=0))
    world.put(replace(local, calls=(local_call(local.id, 0, NOON, (Omitted("image"),), (Text("I see."),)),)))
    world.put(replace(remote, calls=(remote_call(remote.id, 0, NOON, "user", Omitted("image"), Text("Look.")),)))
    outcome = Drive(world, clock).run(SessionSelection(families=("local", "remote")))
    assert outcome.session(local.id).counts.clipped_marker == 1
    assert outcome.session(remote.id).counts.clipped_marker == 0
    assert {"remote.no_placeholders", "local.binary_replaced"} < {limit.code for limit in outcome.reading.coverage()}


def test_trap_17_calls_and_results_can_be_joined_without_content() -> None:
    """By their tool-use ids, where they are given; an empty input is told from one that is not."""
    drive, _, session = driven(turns=0)
    call = local_call(
        session, 0, NOON - DAY, (ToolResult("t1", "grep", ("a", "bc"), is_error=True), ToolResult(None, "x", ())),
        (ToolUse("t1", "grep", "{}"), ToolUse(None, "grep", '{"a":1}')),
    )  # fmt: skip
    drive.world.put(replace(drive.world.local(session), calls=(call,)))
    outcome = drive.run(LOCAL)
    (result, bare), (use, free) = (row.blocks for row in outcome.records)
    assert (result.tool_use_id, result.is_error, result.item_bytes) == ("t1", True, (1, 2))
    assert (use.id, use.input_state, free.id, free.input_state) == ("t1", "empty", None, "present")
    assert (bare.tool_use_id, bare.item_bytes) == (None, ())


def test_trap_18_the_bytes_are_kept_as_they_travelled() -> None:
    """Unknown members and compressed bodies included; the reading expands for itself."""
    drive, _, session = driven()
    drive.world.inject_unknown("message", "hint", {"a": 1})
    drive.world.gzip_next(match="/messages")
    outcome = drive.run(LOCAL)
    bodies = {row.item.path: body for row, body in drive.answered}
    assert bodies[f"data/{MESSAGES}/000001.json"].startswith(b"\x1f\x8b")
    assert outcome.session(session).counts.messages == 8
    assert {name for row in outcome.records for name in row.unknown_fields} == {"hint"}


def test_trap_19_ugly_identifiers_reach_the_source_and_no_name() -> None:
    """Base64 identifiers are found again, and stand in no walk's name."""
    drive, _, session = driven()
    assert set("+/=") < set(session)
    outcome = drive.run(LOCAL)
    assert outcome.session(session).outcome == "all_given"
    assert not any(session in walk.walk for walk in drive.walks())


@pytest.mark.parametrize("place", ["/messages", "sessions/local?", "local/clls_"])
def test_an_unreadable_answer_is_asked_for_once_more(place: str) -> None:
    """Under its own name; the second one is read."""
    drive, _, session = driven(items=None)
    drive.world.html_next(match=lambda request: place in request.target)
    outcome = drive.run(LOCAL)
    twice = [row for row, _ in drive.answered if row.ask == 2]
    assert [row.item.path.endswith("000001-2.json") for row in twice] == [True]
    assert outcome.session(session).outcome == "all_given"
    assert drive.gaps == []


@pytest.mark.parametrize("place", ["/messages", "sessions/local?", "local/clls_"])
def test_an_answer_that_stays_unreadable_ends_its_walk_as_a_gap(place: str) -> None:
    """Never as an empty success."""
    drive, _, session = driven(items=None)
    drive.world.html_next(match=lambda request: place in request.target, times=2 if "clls" not in place else 4)
    outcome = drive.run(LOCAL)
    assert {(gap.code, gap.kind, gap.subject) for gap in drive.gaps} == {
        ("unreadable_answer", "not_obtained", "unreadable:not_json")
    }
    assert "unreadable" in {row.reason for row in drive.ends().values()}
    if place == "sessions/local?":
        assert outcome.sessions == []
    else:
        assert outcome.session(session).outcome == "incomplete"


def test_a_second_question_can_fail_in_its_own_way() -> None:
    """Unreadable first, refused then."""
    drive, _, session = driven(items=None)
    drive.world.html_next(match="/messages")
    drive.world.problem_next(Documented.LOCAL_NOT_FOUND, match="/messages")
    outcome = drive.run(LOCAL)
    assert drive.codes() == ["session_not_found"]
    assert outcome.session(session).outcome == "all_given_with_losses"


def test_an_entry_that_cannot_be_asked_for_is_a_gap() -> None:
    """Its bytes stay in the page; the other sessions are read."""
    drive, _, session = driven()
    drive.world.rewrite_next(
        lambda body: body.replace(b'"data":[', b'"data":[5,{"id":7},'), match=lambda request: "local?" in request.target
    )
    outcome = drive.run(LOCAL)
    assert [(gap.code, gap.page, gap.index) for gap in drive.gaps] == [
        ("unreadable_answer", 1, 0),
        ("unreadable_answer", 1, 1),
    ]
    assert [row.id for row in outcome.sessions] == [session]


def test_a_failed_retrieve_call_does_not_cost_the_transcript() -> None:
    """Its own gap makes the session incomplete; the transcript is there."""
    drive, _, session = driven()
    drive.world.problem_next(Documented.FINAL_ERROR, match="local/clls_")
    outcome = drive.run(LOCAL)
    row = outcome.session(session)
    assert (row.outcome, row.counts.messages, row.retrieved) == ("incomplete", 8, None)
    assert drive.codes() == ["refused"]


def test_a_body_that_never_came_whole_is_a_loss_without_a_status() -> None:
    """A 200 with a short body is no answer."""
    drive, _, session = driven()
    send = drive._sent
    drive._sent = lambda ask: Failure("short_body", 200, 9) if "messages" in ask.walk else send(ask)  # type: ignore[method-assign]
    outcome = drive.run(LOCAL)
    (gap,) = drive.gaps
    assert (gap.code, gap.basis, gap.status) == ("retries_exhausted", "absence", UNSET)
    assert drive.ends()[MESSAGES].reason == "failed"
    assert outcome.session(session).outcome == "incomplete"


def test_duplicates_are_marked_and_counted_once() -> None:
    """Delivery is at least once: the same message on two pages is one message."""
    drive, _, session = driven()
    drive.world.duplicate_next(match="/messages")
    outcome = drive.run(LOCAL)
    counts = outcome.session(session).counts
    assert (counts.messages, counts.repeated) == (8, 1)


def test_trap_20_nothing_is_asked_twice_without_need() -> None:
    """Every request is an activity in the organisation's feed: one a page, and no more."""
    drive, _, _ = driven()
    drive.run(LOCAL)
    assert len(drive.world.requests) == len(drive.answered)
    assert len({(ask.walk, ask.page) for ask in drive.asked}) == len(drive.asked)


def test_trap_25_nothing_but_get_is_ever_sent() -> None:
    """A question has a path and a query, and no method."""
    drive, _, _ = driven()
    drive.run(LOCAL)
    assert {request.method for request in drive.world.requests} == {"GET"}


def test_trap_26_no_name_of_the_source_becomes_a_file_name() -> None:
    """Files of chats are not collected; every payload name is a counter of ours."""
    drive, _, _ = driven()
    drive.run(LOCAL)
    assert all(row.item.path == f"data/{row.walk}/{row.page:06d}.json" for row, _ in drive.answered)


def test_strange_json_in_a_transcript_is_read_and_walked_on() -> None:
    """A lone surrogate, a duplicate key, a huge integer, deep nesting."""
    drive, _, session = driven()
    odd = b'"odd":{"n":' + b"9" * 5_000 + b',"d":' + b"[" * 1_500 + b"]" * 1_500 + b',"s":"\\ud800","s":1},'
    drive.world.rewrite_next(lambda body: body.replace(b'"role":', odd + b'"role":', 1), match="/messages")
    outcome = drive.run(LOCAL)
    assert outcome.session(session).counts.messages == 8
    assert drive.gaps == []


def test_a_missed_page_of_a_list_is_the_list_s_gap() -> None:
    """A final error of a list loses the rest of it, and says so."""
    drive, _, _ = driven()
    drive.world.problem_next(Documented.FINAL_ERROR, match=lambda request: "local?" in request.target)
    outcome = drive.run(LOCAL)
    assert [(gap.code, gap.walk) for gap in drive.gaps] == [("refused", "compliance/local/lists/l01")]
    assert outcome.sessions == []
    assert Missed("server_error", 500, "api_error") in drive.misses


def _named(drive: Drive, session: str, match: str) -> None:
    """From now on answers of such paths name another session than the one that was asked for."""
    for _ in range(4):
        drive.world.rewrite_next(lambda body: body.replace(session.encode(), b"clls_somebody_else"), match=match)


def test_an_answer_that_names_another_session_is_never_passed_off_as_this_one() -> None:
    """A cache between us and the source can mix them up: it is kept, walked on, said once, and not called whole."""
    drive, _, session = driven()
    _named(drive, session, "/messages")
    outcome = drive.run(LOCAL)
    assert [(gap.kind, gap.code, gap.session, gap.walk) for gap in drive.gaps] == [
        ("not_obtained", "other_session", "s000001", MESSAGES)
    ]
    assert drive.ends()[MESSAGES].reason == "exhausted"
    row = outcome.session(session)
    assert (row.outcome, row.disagree) == ("incomplete", ("id",))
    assert row.envelope is not None
    assert row.envelope.id == "clls_somebody_else"


def test_a_retrieve_call_that_names_another_session_decides_nothing() -> None:
    """Neither the plan nor the reading takes another session's words for this one's."""
    drive, _, session = driven()
    user = drive.world.local(session).user_id
    _named(drive, session, "/local/")
    named = NamedSession(family="local", id=session)
    outcome = drive.run(SessionSelection(families=("local",), sessions=(named,), users=(user,)))
    assert drive.codes() == ["other_session", "undecided"]
    assert [ask.walk for ask in drive.asked if "/messages" in ask.request.path] == []
    assert outcome.session(session).decision == "undecided"
