"""Plans against the synthetic organisation: what is listed, decided, asked for and left out."""

from collections.abc import Callable, Sized
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from agentaudit.demo.errors import Documented
from agentaudit.demo.sessions import RemoteSession
from agentaudit.model.base import UNSET, instant_of
from agentaudit.model.limits import ByteLimits
from agentaudit.model.losses import Gap
from agentaudit.model.selection import Family, NamedSession, SessionSelection, Window
from agentaudit.model.walk import Missed
from agentaudit.sources.compliance.plan import CompliancePlan
from tests.demo.asking import NOON, Clock, new_world
from tests.sources.compliance.driving import Drive, StoppedError

DAY = timedelta(days=1)
ALL = SessionSelection(families=("local",))
BOTH = SessionSelection(families=("local", "remote"))


def driven(**tools: object) -> tuple[Drive, Clock]:
    """An empty organisation and a drive against it."""
    world, clock, _ = new_world()
    return Drive(world, clock, **tools), clock  # type: ignore[arg-type]


def activity(begins: datetime, *families: Family, ends: datetime | None = None) -> SessionSelection:
    """An activity window."""
    window = Window(begins=instant_of(begins), ends=instant_of(ends) if ends else None)
    return SessionSelection(families=families or ("local",), window_kind="activity", window=window)


def named(*pairs: tuple[Family, str], **more: object) -> SessionSelection:
    """Sessions by id."""
    sessions = tuple(NamedSession(family=family, id=identifier) for family, identifier in pairs)
    return SessionSelection(families=("local", "remote"), sessions=sessions, **more)  # type: ignore[arg-type]


def gap(drive: Drive, code: str) -> Gap:
    """The one gap of this code."""
    (found,) = [one for one in drive.gaps if one.code == code]
    return found


def test_an_organisation_is_listed_retrieved_and_read() -> None:
    """Each session has its retrieve call and its transcript; the newest is the first."""
    drive, _ = driven()
    old = drive.world.add_session(turns=2, at=NOON - DAY)
    new = drive.world.add_session(turns=1, at=NOON - DAY / 2)
    outcome = drive.run(ALL)
    assert [row.id for row in outcome.sessions] == [new, old]
    assert [row.outcome for row in outcome.sessions] == ["all_given", "all_given"]
    assert outcome.session(old).counts.messages == 4
    assert drive.gaps == []
    assert [row.reason for row in drive.ends().values()] == ["exhausted"] * len(drive.walks())


def test_every_question_belongs_to_a_walk_that_began_and_ends_once() -> None:
    """The pages of a walk are numbered from one, without holes."""
    drive, _ = driven()
    drive.world.add_session(turns=5)
    drive.world.add_remote_session()
    drive.world.set_page_shape(max_items=3)
    drive.run(BOTH)
    for walk in drive.walks():
        pages = [ask.page for ask in drive.asked if ask.walk == walk.walk]
        assert pages == list(range(1, walk.pages + 1))
        assert (walk.ended, walk.cursors[0]) == ("exhausted", None)


def test_filters_and_limits_are_the_same_on_every_page() -> None:
    """Only the token differs."""
    drive, _ = driven()
    drive.world.add_session(turns=5)
    drive.world.set_page_shape(max_items=3)
    drive.run(activity(NOON - DAY), ByteLimits(tool_input_max_bytes=99))
    for walk in drive.walks():
        queries = {
            tuple(pair for pair in ask.request.query if pair[0] != "page")
            for ask in drive.asked
            if ask.walk == walk.walk
        }
        assert queries == {walk.parameters}
    transcripts = [ask for ask in drive.asked if "messages" in ask.walk]
    assert {ask.limits for ask in transcripts} == {ByteLimits(tool_input_max_bytes=99)}


def test_trap_22_what_a_filter_leaves_out_is_counted_once_a_walk_and_rule() -> None:
    """Nothing is asked of the sessions left out, and their metadata stays in the page."""
    drive, _ = driven()
    ada, other = drive.world.users[0].id, drive.world.users[1].id
    mine = drive.world.add_session(user=ada)
    for _ in range(3):
        drive.world.add_session(user=other)
    drive.world.add_session(user=ada, surface="cowork")
    outcome = drive.run(SessionSelection(families=("local",), users=(ada,), surfaces=("claude_code",)))
    assert sorted((one.kind, one.code, one.count, one.walk) for one in drive.gaps) == [
        ("excluded", "other_surface", 1, "compliance/local/lists/l01"),
        ("excluded", "other_user", 3, "compliance/local/lists/l01"),
    ]
    assert [row.id for row in outcome.sessions if row.decision == "kept"] == [mine]
    assert [row.outcome for row in outcome.sessions if row.decision == "excluded"] == [None] * 4
    assert {row.session for row in drive.walks() if row.session} == {outcome.session(mine).session}


def test_trap_05_the_reconciliation_finds_what_a_lagging_list_hides() -> None:
    """A session whose listed time lags is found by its retrieve call, one that is old is left out."""
    drive, _ = driven()
    begins = NOON - DAY
    plain = drive.world.add_session(at=NOON - DAY / 2)
    lagging = drive.world.add_session(at=NOON - 5 * DAY)
    drive.world.touch_session(lagging, at=NOON - DAY / 3, lag=True)
    old = drive.world.add_session(at=NOON - 4 * DAY)
    outcome = drive.run(activity(begins))
    assert {row.id: row.decision for row in outcome.sessions} == {plain: "kept", lagging: "kept", old: "excluded"}
    assert outcome.session(old).rule == "outside_window"
    assert gap(drive, "outside_window").count == 1
    assert [row.walk for row in drive.walks() if "lists" in row.walk] == [
        f"compliance/local/lists/l0{n}" for n in (1, 2)
    ]
    retrieved = [ask.walk for ask in drive.asked if ask.walk.endswith("/session")]
    assert len(retrieved) == len(set(retrieved)) == 3


def test_trap_05_a_truncated_session_is_kept_whatever_its_times_say() -> None:
    """Its time is a lower bound everywhere."""
    drive, _ = driven()
    session = drive.world.local(drive.world.add_session(turns=5, at=NOON - 9 * DAY))
    drive.world.put(replace(session, call_cap=2))
    outcome = drive.run(activity(NOON - DAY))
    assert outcome.session(session.id).decision == "kept"
    assert gap(drive, "session_call_cap").kind == "unavailable"


@pytest.mark.parametrize(
    ("spoil", "basis", "status"),
    [
        (
            lambda drive, path: drive.world.fail_next(500, match=path, headers=(("x-should-retry", "false"),)),
            "status",
            500,
        ),
        (lambda drive, path: drive.world.html_next(match=path, times=2), "field", UNSET),
        (lambda drive, path: drive.world.rewrite_next(lambda _body: b"{}", match=path), "field", UNSET),
    ],
)
def test_a_session_that_could_not_be_decided_is_a_gap(
    spoil: Callable[[Drive, str], None], basis: str, status: object
) -> None:
    """Refused, unreadable, or silent about what was asked: its transcript is not asked for."""
    drive, _ = driven()
    drive.world.add_session(at=NOON - 9 * DAY)
    spoil(drive, "local/clls_")
    outcome = drive.run(activity(NOON - DAY))
    undecided = gap(drive, "undecided")
    assert (undecided.kind, undecided.basis, undecided.status) == ("not_obtained", basis, status)
    assert [(row.decision, row.outcome) for row in outcome.sessions] == [("undecided", "incomplete")]
    assert not any("messages" in ask.walk for ask in drive.asked)


def test_remote_sessions_are_decided_by_their_listed_time() -> None:
    """Before the window is outside it; what says nothing stays undecided, for there is no retrieve call."""
    drive, _ = driven()
    inside = drive.world.add_remote_session(at=NOON - DAY / 2)
    outside = drive.world.add_remote_session(at=NOON - 3 * DAY)
    outcome = drive.run(activity(NOON - DAY, "remote"))
    assert {row.id: row.decision for row in outcome.sessions} == {inside: "kept", outside: "excluded"}
    drive, _ = driven()
    drive.world.add_remote_session(at=NOON - DAY / 2)
    drive.world.inject_unknown("session", "updated_at", 5)
    outcome = drive.run(activity(NOON - DAY, "remote"))
    assert [(row.decision, row.outcome) for row in outcome.sessions] == [("undecided", "incomplete")]
    assert gap(drive, "undecided").walk == "compliance/remote/lists/l01"


def test_sessions_named_by_id_are_not_searched_for() -> None:
    """No list is walked; a remote one's metadata is then left out, and that is said."""
    drive, _ = driven()
    local, remote = drive.world.add_session(), drive.world.add_remote_session()
    drive.world.add_session()
    outcome = drive.run(named(("remote", remote), ("local", local)))
    assert [(row.session, row.id) for row in outcome.sessions] == [("s000001", remote), ("s000002", local)]
    assert not any("lists" in ask.walk for ask in drive.asked)
    missing = gap(drive, "metadata_not_listed")
    assert (missing.session, missing.kind) == ("s000001", "excluded")
    assert [row.outcome for row in outcome.sessions] == ["all_given", "all_given"]


def test_a_filter_on_a_session_named_by_id_is_decided_by_its_retrieve_call() -> None:
    """Another person's session is left out, though it was named."""
    drive, _ = driven()
    ada, other = drive.world.users[0].id, drive.world.users[1].id
    mine, theirs = drive.world.add_session(user=ada), drive.world.add_session(user=other)
    outcome = drive.run(named(("local", mine), ("local", theirs), users=(ada,)))
    assert [row.decision for row in outcome.sessions] == ["kept", "excluded"]
    assert gap(drive, "other_user").walk is UNSET
    assert len([ask for ask in drive.asked if ask.walk.endswith("/session")]) == 2


def test_metadata_alone_asks_for_no_transcript() -> None:
    """One gap says how many transcripts were left out on purpose."""
    drive, _ = driven()
    drive.world.add_session()
    drive.world.add_session()
    outcome = drive.run(SessionSelection(families=("local",), list_only=True))
    left = gap(drive, "metadata_only")
    assert (left.kind, left.count) == ("excluded", 2)
    assert [row.outcome for row in outcome.sessions] == [None, None]
    assert not any(row.session for row in drive.walks())


def test_metadata_of_a_named_session_comes_from_its_retrieve_call() -> None:
    """There is no list that could give it."""
    drive, _ = driven()
    outcome = drive.run(named(("local", drive.world.add_session()), list_only=True))
    assert outcome.sessions[0].retrieved is not None
    assert not any("messages" in ask.walk for ask in drive.asked)


def test_trap_23_the_context_is_collected_for_every_organisation_seen() -> None:
    """Organisations of the list first, then those that only sessions name."""
    drive, _ = driven()
    hidden = "0f9c2f6e-0000-4000-8000-00000000000a"
    drive.world.add_session(organization=drive.world.organizations[0].uuid)
    local = drive.world.local(drive.world.add_session())
    drive.world.put(replace(local, organization_uuid=hidden))
    outcome = drive.run(SessionSelection(families=("local",), with_directory=True))
    walks = [row.walk for row in drive.walks() if "/o0" in row.walk]
    assert walks == [f"compliance/context/o000{n}/{what}" for n in (1, 2, 3) for what in ("settings", "users")]
    unknown = [one for one in drive.gaps if one.walk == "compliance/context/o0003/settings"]
    assert [(one.kind, one.code, one.status) for one in unknown] == [("unavailable", "refused", 404)]
    reach = next(limit for limit in outcome.reading.coverage() if limit.code == "key_reach")
    assert dict(reach.values) == {
        "organizations_list": "obtained",
        "organizations_listed": "2",
        "organizations_seen": "2",
    }


def test_an_organisation_without_a_usable_identifier_is_not_asked_about() -> None:
    """Its entry stays in the page."""
    drive, _ = driven()
    drive.world.inject_unknown("organization", "uuid", 5)
    drive.run(ALL)
    assert not any("/o0" in ask.walk for ask in drive.asked)


def test_a_context_that_the_key_does_not_allow_is_a_gap_and_no_error() -> None:
    """The sessions are all there; members, which were asked for by name, are not obtained."""
    drive, _ = driven()
    drive.key = drive.world.key("content-only")
    drive.world.add_session()
    drive.world.problem_next(Documented.BAD_KEY, match="/users")
    outcome = drive.run(SessionSelection(families=("local",), with_directory=True))
    assert [(one.kind, one.code, one.status) for one in drive.gaps] == [
        ("unavailable", "refused", 403),
        ("unavailable", "refused", 403),
        ("not_obtained", "refused", 401),
    ]
    assert outcome.sessions[0].outcome == "all_given"
    reach = next(limit for limit in outcome.reading.coverage() if limit.code == "key_reach")
    assert ("organizations_list", "not_obtained") in reach.values


def test_settings_that_cannot_be_read_are_asked_for_once_more() -> None:
    """Then they are a gap."""
    drive, _ = driven()
    drive.world.html_next(match="/settings", times=2)
    drive.run(ALL)
    assert gap(drive, "unreadable_answer").subject == "unreadable:not_json"
    assert drive.ends()["compliance/context/o0001/settings"].reason == "unreadable"


@pytest.mark.parametrize("name", ["admin", "model", "deactivated"])
def test_trap_09_a_key_that_does_not_fit_ends_the_run_before_any_session(name: str) -> None:
    """403, 404 and 401 are told apart, and none is an empty result."""
    drive, _ = driven()
    drive.key = drive.world.key(name)
    drive.world.add_session()
    with pytest.raises(StoppedError) as stopped:
        drive.run(ALL)
    assert stopped.value.judgement.kind == "refused"


def test_tasks_are_made_only_when_they_are_drawn() -> None:
    """A stage knows its length without having a task."""
    drive, _ = driven()
    for _ in range(3):
        drive.world.add_session()
    plan = CompliancePlan(ALL, ByteLimits())
    lengths: list[int | None] = []
    for stage in plan.stages():
        lengths.append(len(stage.tasks) if isinstance(stage.tasks, Sized) else None)
        for task in stage.tasks:
            drive.task(task)
    assert lengths == [1, 1, None, 0, 1, 3]


def test_a_run_that_is_closed_as_it_stands_says_so_of_every_walk() -> None:
    """Nothing more is asked; each thing that was to come is a gap."""
    drive, _ = driven()
    drive.world.add_session()
    drive.world.add_remote_session()
    replies = drive.reply
    drive.reply = lambda ask: Missed("interrupted") if "/s0" in ask.walk else replies(ask)  # type: ignore[method-assign]
    outcome = drive.run(BOTH)
    assert [(one.code, one.basis) for one in drive.gaps] == [("interrupted", "absence")] * 2
    assert [row.outcome for row in outcome.sessions] == ["incomplete", "incomplete"]
    assert {row.reason for row in drive.ends().values() if "/s0" in row.walk} == {"interrupted"}


def test_the_same_answers_give_the_same_learning() -> None:
    """No gap and no end holds an instant, a request-id or a count of attempts."""
    rows = []
    for hours in (0, 7):
        drive, clock = driven()
        clock.forward(timedelta(hours=hours))
        session = drive.world.add_session(turns=3, at=NOON - DAY)
        drive.world.put(replace(drive.world.local(session), unreadable_pages=(1,)))
        drive.world.set_page_shape(max_items=2)
        if hours:
            drive.world.problem_next(Documented.SHARED_BUDGET, times=2)
        drive.run(BOTH)
        rows.append(drive.learned)
    assert rows[0] == rows[1]


def test_a_session_of_nobody_is_kept_apart_from_its_starter() -> None:
    """An agent's session names the human who started it (trap 22)."""
    drive, _ = driven()
    ada = drive.world.users[0].id
    plain = drive.world.remote(drive.world.add_remote_session(at=NOON - DAY))
    run = RemoteSession(
        id=plain.id,
        organization_uuid=plain.organization_uuid,
        created_at=plain.created_at,
        updated_at=plain.updated_at,
        calls=plain.calls,
        agent_id="cagt_1",
        started_by=ada,
    )
    drive.world.put(run)
    outcome = drive.run(SessionSelection(families=("remote",), users=(ada,)))
    assert [(row.decision, row.outcome) for row in outcome.sessions] == [("kept", "all_given")]
