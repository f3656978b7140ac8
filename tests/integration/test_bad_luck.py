"""What bad input and bad luck get: a retry, a gap or a refusal that is in the journal; never an empty success."""

import gzip
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from agentaudit.demo.errors import Documented
from agentaudit.demo.faults import CloseBeforeAnswer, Drip, Endless, Fault, ResetAfter, ShortBy, Stall, WrongLength
from agentaudit.demo.server import LoopbackServer
from agentaudit.errors import SourceRefused, SourceUnreachable
from agentaudit.format import layout
from agentaudit.model.journal import Answered, WalkEnded
from agentaudit.model.losses import GapCode
from agentaudit.model.selection import SessionSelection
from tests.integration.runs import EXHIBIT, LIMITS, Town, close, keyed, resume, run, served, town
from tests.support.collecting import payload

BOTH = SessionSelection(families=("local", "remote"))
LIST = "sessions/local"
FIRST_PAGE = "data/compliance/local/s000002/messages/000001.json"
Change = Callable[[bytes], bytes]
Plan = Callable[[Town], None]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The payload of a collection that nothing disturbs."""
    with served(tmp_path_factory.mktemp("undisturbed"), town()) as job:
        ended = run(job)
        assert ended.sealed.outcome == "all_given"
        assert ended.attempts == []
        return payload(ended.root)


def _is_list(target: str) -> bool:
    return re.search(r"sessions/local(\?|\Z)", target) is not None


# --- answers that pass ------------------------------------------------------------------------------------------------

PASSING: dict[str, tuple[Plan, str]] = {
    "a spent budget": (lambda t: t.world.problem_next(Documented.SHARED_BUDGET, match=t.pages(t.long)), "status"),
    "a busy reader": (lambda t: t.world.problem_next(Documented.READER_BUSY, match=t.pages(t.long)), "status"),
    "an internal error": (lambda t: t.world.problem_next(Documented.INTERNAL, match=t.pages(t.long)), "status"),
    "a bad gateway": (lambda t: t.world.problem_next(Documented.BAD_GATEWAY, match=t.pages(t.long)), "status"),
    "a gateway's page": (lambda t: t.world.html_next(status=502, match=t.pages(t.long)), "status"),
    "an index that is down": (lambda t: t.world.problem_next(Documented.INDEX_DOWN, match=LIST), "status"),
    "locked content": (lambda t: t.world.problem_next(Documented.CONTENT_LOCKED, match=t.pages(t.long)), "status"),
    "a slow gateway": (lambda t: t.world.problem_next(Documented.TIMEOUT, match=t.pages(t.long)), "status"),
    "overload": (lambda t: t.world.problem_next(Documented.OVERLOADED, match=t.pages(t.long)), "status"),
    "a reset in mid-body": (lambda t: t.world.fault_next(ResetAfter(200), match=t.pages(t.long)), "reset"),
    "a reset before the body": (lambda t: t.world.fault_next(ResetAfter(0), match=LIST), "reset"),
    "a short body": (lambda t: t.world.fault_next(ShortBy(10), match=t.pages(t.long)), "short_body"),
    "a length that is too long": (lambda t: t.world.fault_next(WrongLength(5), match=t.pages(t.long)), "short_body"),
    "a stall": (lambda t: t.world.fault_next(Stall(100, 3.0), match=t.pages(t.long)), "timeout"),
    "no answer": (lambda t: t.world.fault_next(CloseBeforeAnswer(), match=t.pages(t.long)), "reset"),
}


@pytest.mark.parametrize("luck", PASSING)
def test_what_passes_is_asked_again(tmp_path: Path, undisturbed: dict[str, bytes], luck: str) -> None:
    """One bad answer is journalled as a retry; the end is the payload of a run that nothing disturbed."""
    plan, word = PASSING[luck]
    place = town()
    plan(place)
    with served(tmp_path, place) as job:
        ended = run(job)
    assert ended.attempts == [(word, "retry")]
    assert ended.sealed.outcome == "all_given"
    assert ended.gaps == []
    assert payload(ended.root) == undisturbed
    assert ended.integrity == "intact"


@pytest.mark.parametrize(
    ("case", "wait_ms"),
    [(Documented.SHARED_BUDGET, 1_000), (Documented.READER_BUSY, 2_000), (Documented.INTERNAL, 1_000)],
)
def test_the_wait_that_was_asked_for_is_journalled(tmp_path: Path, case: Documented, wait_ms: int) -> None:
    """`retry-after` is obeyed to the second; without it the first wait is one second."""
    place = town()
    place.world.problem_next(case, match=place.pages(place.long))
    with served(tmp_path, place) as job:
        (row,) = run(job).unanswered
    assert (row.wait_ms, row.exchange.status) == (wait_ms, case.value.status)
    assert (row.error_type, row.error_code) == (case.value.error_type, case.value.code)


def test_the_budget_of_remote_sessions_is_waited_for_longer_each_time(tmp_path: Path) -> None:
    """Its `retry-after: 1` is a floor: the waits double, and the same request goes out again."""
    place = town()
    place.world.add_remote_session()
    place.world.problem_next(Documented.REMOTE_BUDGET, match="sessions/remote", times=3)
    with served(tmp_path, place) as job:
        ended = run(job, selection=BOTH)
    assert [row.wait_ms for row in ended.unanswered] == [1_000, 2_000, 4_000]
    assert ended.sealed.outcome == "all_given"
    assert ended.integrity == "intact"


# --- answers that do not come -----------------------------------------------------------------------------------------


def _problem(case: Documented, times: int = 1) -> Plan:
    return lambda t: t.world.problem_next(case, match=t.pages(t.long), times=times)


def _fault(fault: Fault, times: int = 2) -> Plan:
    return lambda t: t.world.fault_next(fault, match=t.pages(t.long), times=times)


def _rewrite(body: bytes) -> Plan:
    return lambda t: t.world.rewrite_next(lambda _octets: body, match=t.pages(t.long), times=2)


def _status(status: int, **words: str) -> Plan:
    headers = tuple((name.replace("_", "-"), word) for name, word in words.items())
    return lambda t: t.world.fail_next(status, match=t.pages(t.long), headers=headers, times=2)


def _html(status: int, times: int = 2) -> Plan:
    return lambda t: t.world.html_next(status=status, match=t.pages(t.long), times=times)


def _bad_cursor(place: Town) -> None:
    case = Documented.BAD_CURSOR
    place.world.problem_next(
        case, match=lambda request: place.pages(place.long) in request.path and "&page=" in request.target
    )


RETRIED = [("status", "retry"), ("status", "gave_up")]
LOST: dict[str, tuple[Plan, GapCode, list[tuple[str, str]]]] = {
    "a page that is unreadable at the source": (_problem(Documented.UNREADABLE_PAGE), "page_unreadable_at_source", []),
    "an error that is final": (_problem(Documented.FINAL_ERROR), "refused", []),
    "an overload that says do not retry": (_status(503, x_should_retry="false"), "refused", []),
    "a retention setting that cannot be told": (_problem(Documented.RETENTION_UNKNOWN), "retention_overrides", []),
    "a session that is gone": (_problem(Documented.LOCAL_NOT_FOUND), "session_not_found", []),
    "a status that nobody documented": (_status(418), "refused", []),
    "a request that is not accepted": (_status(400), "refused", []),
    "a gateway's 404": (_html(404), "refused", []),
    "a cursor that is refused": (_bad_cursor, "cursor_refused", []),
    "a cursor that comes again": (lambda t: t.world.loop_cursor_next(match=t.pages(t.long)), "cursor_repeated", []),
    "an internal error that stays": (_problem(Documented.INTERNAL, 2), "retries_exhausted", RETRIED),
    "an overload that stays": (_problem(Documented.OVERLOADED, 2), "retries_exhausted", RETRIED),
    "a gateway's page that stays": (_html(502), "retries_exhausted", RETRIED),
    "locked content that stays": (_problem(Documented.CONTENT_LOCKED, 2), "captured_content_unreadable", RETRIED),
    "a reader that stays busy": (
        _problem(Documented.READER_BUSY, 4), "retries_exhausted", [("status", "retry")] * 3 + [("status", "gave_up")],
    ),
    "resets": (_fault(ResetAfter(200)), "retries_exhausted", [("reset", "retry"), ("reset", "gave_up")]),
    "short bodies": (_fault(ShortBy(10)), "retries_exhausted", [("short_body", "retry"), ("short_body", "gave_up")]),
    "lengths that are wrong": (
        _fault(WrongLength(5)), "retries_exhausted", [("short_body", "retry"), ("short_body", "gave_up")],
    ),
    "no answers": (_fault(CloseBeforeAnswer()), "retries_exhausted", [("reset", "retry"), ("reset", "gave_up")]),
    "an endless body": (_fault(Endless(10_000_000)), "body_over_limit", [("body_over_limit", "gave_up")]),
    "a page of HTML": (_html(200), "unreadable_answer", []),
    "half a document": (_rewrite(b'{"data": ['), "unreadable_answer", []),
    "an array": (_rewrite(b"[]"), "unreadable_answer", []),
    "an empty body": (_rewrite(b""), "unreadable_answer", []),
    "an error in a 200": (_rewrite(b'{"error": {"type": "api_error"}}'), "unreadable_answer", []),
    "data that is an object": (_rewrite(b'{"data": {}, "next_page": null}'), "unreadable_answer", []),
    "a cursor that is a number": (_rewrite(b'{"data": [], "next_page": 7}'), "unreadable_answer", []),
    "a cursor that is empty": (_rewrite(b'{"data": [], "next_page": ""}'), "unreadable_answer", []),
    "a cursor that is no text": (_rewrite(b'{"data": [], "next_page": "\\ud800"}'), "unreadable_answer", []),
}  # fmt: skip


@pytest.mark.parametrize("luck", LOST)
def test_what_does_not_come_is_a_gap(tmp_path: Path, undisturbed: dict[str, bytes], luck: str) -> None:
    """One transcript is lost and says why; its walk did not end well, and the other session is whole."""
    plan, code, attempts = LOST[luck]
    place = town()
    plan(place)
    with served(tmp_path, place) as job:
        ended = run(job)
    assert ended.attempts == attempts
    assert ended.gaps == [code]
    assert ended.sealed.outcome == ("all_given_with_losses" if code == "session_not_found" else "incomplete")
    (end,) = [row for row in ended.rows if isinstance(row, WalkEnded) and row.walk.endswith("s000002/messages")]
    assert end.reason != "exhausted"
    whole = {path: octets for path, octets in undisturbed.items() if "s000001" in path}
    assert whole.items() <= payload(ended.root).items()
    assert ended.integrity == "intact"


@pytest.mark.parametrize("luck", ["an error that is final", "a page of HTML", "half a document", "a gateway's 404"])
def test_what_came_instead_is_kept(tmp_path: Path, luck: str) -> None:
    """The bytes of a refusal and of an answer that is no page lie in the payload, under names that say so."""
    place = town()
    LOST[luck][0](place)
    with served(tmp_path, place) as job:
        ended = run(job)
    came = [row for row in ended.answered if row.walk.endswith("s000002/messages")]
    names = [row.item.path.rpartition("/")[2] for row in came]
    ok = came[0].exchange.status == 200
    assert names == (["000001.json", "000001-2.json"] if ok else ["000001.refused"])
    assert all((ended.root / row.item.path).read_bytes() for row in came)


def test_a_stall_that_stays_is_a_gap(tmp_path: Path) -> None:
    """A body that stops moving is given up after as many attempts as were allowed."""
    place = town()
    _fault(Stall(100, 5.0))(place)
    with served(tmp_path, place) as job:
        ended = run(job, limits=msgspec.structs.replace(LIMITS, read_ms=300))
    assert ended.attempts == [("timeout", "retry"), ("timeout", "gave_up")]
    assert ended.gaps == ["retries_exhausted"]
    assert ended.integrity == "intact"


def test_a_body_that_drips_meets_the_deadline(tmp_path: Path) -> None:
    """However alive a connection is, an answer has a bounded time."""
    place = town()
    _fault(Drip(8, 0.02))(place)
    with served(tmp_path, place) as job:
        ended = run(job, limits=msgspec.structs.replace(LIMITS, answer_ms=25_000))
    assert ended.attempts == [("deadline", "retry"), ("deadline", "gave_up")]
    assert ended.gaps == ["retries_exhausted"]
    assert all(row.body_bytes > 0 for row in ended.unanswered)


def test_a_length_that_is_too_short_gives_half_a_page_and_the_next_answer_is_not_its_rest(
    tmp_path: Path, undisturbed: dict[str, bytes]
) -> None:
    """The half page is kept and asked for again; what was left on the wire is taken for nothing."""
    place = town()
    _fault(WrongLength(-5), times=1)(place)
    with served(tmp_path, place) as job:
        ended = run(job)
    assert ended.sealed.outcome == "all_given"
    got = payload(ended.root)
    assert got.pop(FIRST_PAGE) == undisturbed[FIRST_PAGE][:-5]
    assert got.pop(FIRST_PAGE.replace("1.json", "1-2.json")) == undisturbed[FIRST_PAGE]
    assert got.items() <= undisturbed.items()
    assert ended.integrity == "intact"


@pytest.mark.parametrize("body", [b"<html>", b'{"data": {}}', b"", b'{"data": []'])
def test_a_list_that_is_no_list_is_never_an_empty_organisation(tmp_path: Path, body: bytes) -> None:
    """Nobody is listed, and the exhibit says that the list could not be read."""
    place = town()
    place.world.rewrite_next(lambda _octets: body, match=lambda request: _is_list(request.target), times=2)
    with served(tmp_path, place) as job:
        ended = run(job)
    assert ended.gaps == ["unreadable_answer"]
    assert ended.sealed.outcome == "incomplete"
    assert ended.sealed.counts.sessions_seen == 0
    assert ended.integrity == "intact"


def test_an_organisation_without_sessions_is_told_apart(tmp_path: Path) -> None:
    """An empty list that is one is all given, and no gap."""
    place = town()
    empty = b'{"data": [], "next_page": null}'
    place.world.rewrite_next(lambda _octets: empty, match=lambda request: _is_list(request.target))
    with served(tmp_path, place) as job:
        ended = run(job)
    assert (ended.gaps, ended.sealed.outcome) == ([], "all_given")


# --- what ends the run ------------------------------------------------------------------------------------------------

ENDING: dict[str, tuple[Plan, int]] = {
    "a key that is not active": (lambda t: t.world.problem_next(Documented.BAD_KEY), 5),
    "a key that is revoked on the way": (_problem(Documented.BAD_KEY), 5),
    "a key that the source does not know": (lambda t: t.world.problem_next(Documented.NOT_FOUND), 5),
    "a key that is not known any more": (_problem(Documented.NOT_FOUND), 5),
    "a scope that is missing": (lambda t: t.world.fail_next(403, message="Missing required scopes."), 5),
    "sessions that are switched off": (lambda t: t.world.problem_next(Documented.SESSIONS_OFF), 5),
    "an interface that is switched off": (lambda t: t.world.problem_next(Documented.NOT_ENABLED), 5),
    "a list that is not accepted": (lambda t: t.world.fail_next(400), 5),
    "a gateway that refuses": (_html(403, 1), 5),
    "a proxy that wants a password": (_html(407, 1), 5),
    "a redirect": (lambda t: t.world.redirect_next("http://127.0.0.1:9/", match=t.pages(t.long)), 5),
    "a budget that stays spent": (_problem(Documented.SHARED_BUDGET, 4), 6),
    "an index that stays down": (lambda t: t.world.problem_next(Documented.INDEX_DOWN, times=2), 6),
    "a list that is reset": (lambda t: t.world.fault_next(ResetAfter(20), times=2), 6),
}


@pytest.mark.parametrize("luck", ENDING)
def test_what_ends_the_run_is_journalled_and_the_run_goes_on(
    tmp_path: Path, undisturbed: dict[str, bytes], luck: str
) -> None:
    """The last row says what came; a partial is left that resumes to the undisturbed payload."""
    plan, status = ENDING[luck]
    place = town()
    plan(place)
    with served(tmp_path, place) as job:
        ended = run(job)
        assert ended.status == status
        assert isinstance(ended.error, SourceRefused if status == 5 else SourceUnreachable)
        assert ended.error.hint
        assert "stopped" in [row.next for row in ended.unanswered]
        assert not (job.case / EXHIBIT).exists()
        again = resume(job)
    assert again.sealed.outcome == "all_given"
    assert payload(again.root) == undisturbed
    assert again.integrity == "intact"


@pytest.mark.parametrize("luck", ["a key that is revoked on the way", "a budget that stays spent"])
def test_what_cannot_go_on_is_closed_as_it_stands(tmp_path: Path, luck: str) -> None:
    """Without another request, and the rest is a gap."""
    place = town()
    ENDING[luck][0](place)
    with served(tmp_path, place) as job:
        run(job)
        asked = len(place.world.requests)
        ended = close(job)
    assert len(place.world.requests) == asked
    assert ended.gaps == ["interrupted"]
    assert ended.sealed.outcome == "incomplete"
    assert ended.integrity == "intact"


@pytest.mark.parametrize("name", ["admin", "model"])
def test_a_key_of_another_family_is_refused_before_it_is_sent(tmp_path: Path, name: str) -> None:
    """Nothing is asked and nothing is begun: the message says what kind of key it is."""
    place = town()
    with served(tmp_path, place) as job:
        ended = run(job, reach=keyed(job, place.world.key(name)))
        assert ended.status == 5
        assert place.world.requests == []
        assert [path.name for path in job.case.iterdir() if path.is_dir()] == []


@pytest.mark.parametrize(("name", "told"), [("", "no key"), ("deactivated", "401")])
def test_keys_that_the_source_refuses_are_told_apart(tmp_path: Path, name: str, told: str) -> None:
    """No key at all is answered like an unknown one; an expired key has its own answer."""
    place = town()
    with served(tmp_path, place) as job:
        ended = run(job, reach=keyed(job, place.world.key(name) if name else ""))
    assert ended.status == 5
    assert told in str(ended.error)


def test_a_key_without_the_scope_for_the_context_collects_the_sessions(tmp_path: Path) -> None:
    """What the key may not read of the organisation is a gap, and no error."""
    place = town()
    with served(tmp_path, place) as job:
        ended = run(job, reach=keyed(job, place.world.key("content-only")))
    assert ended.sealed.counts.sessions_kept == 2
    assert set(ended.gaps) == {"refused"}
    assert {row.gap.kind for row in ended.noted} == {"unavailable"}
    assert ended.sealed.outcome == "all_given_with_losses"
    assert ended.integrity == "intact"


def test_a_source_that_is_not_there_cannot_be_reached(tmp_path: Path) -> None:
    """A refused connection is tried again, then the run ends with a partial."""
    place = town()
    with served(tmp_path, place) as job, LoopbackServer(place.world) as gone:
        url = gone.url
        gone.__exit__(None, None, None)
        ended = run(job, reach=replace(job.reach(connections=1), api_root=url))
    assert ended.status == 6
    assert ended.attempts == [("connect", "retry"), ("connect", "stopped")]
    assert place.world.requests == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_takes_the_key_nowhere(tmp_path: Path, status: int) -> None:
    """Another server is named, and is not asked; where it lay is in the journal."""
    place, other = town(), town()
    with served(tmp_path, place) as job, LoopbackServer(other.world) as elsewhere:
        place.world.redirect_next(f"{elsewhere.url}/v1/compliance/apps/sessions/local", status=status)
        ended = run(job)
    assert ended.status == 5
    assert other.world.requests == []
    (row,) = ended.unanswered
    assert (row.failure, row.exchange.status) == ("redirect", status)
    assert dict(row.exchange.headers)["location"].startswith(elsewhere.url)


def test_a_cookie_is_not_sent_back(tmp_path: Path) -> None:
    """Every request is what the journal says of all of them; of the cookie a digest is kept."""
    place = town()
    place.world.fail_next(500, headers=(("set-cookie", "session=crumbs; Path=/"),), match=place.pages(place.long))
    with served(tmp_path, place) as job:
        ended = run(job)
    assert all(request.header("cookie") is None for request in place.world.requests)
    (row,) = ended.unanswered
    assert dict(row.exchange.headers)["set-cookie"].startswith("sha256:")
    assert b"crumbs" not in (ended.root / layout.JOURNAL).read_bytes()


# --- pages that are odd and pages all the same ------------------------------------------------------------------------


def _put(member: bytes) -> Change:
    """One more member at the front of the page's first message."""
    return lambda octets: octets.replace(b'"data":[{', b'"data":[{' + member + b",", 1)


ODD: dict[str, Change] = {
    "a lone surrogate": _put(rb'"x":"\ud800"'),
    "a key twice": _put(b'"role":"nobody"'),
    "a huge integer": _put(b'"x":' + b"9" * 5_000),
    "a number beyond all bounds": _put(b'"x":1e999999'),
    "deep nesting": _put(b'"x":' + b"[" * 20_000 + b"]" * 20_000),
    "nesting below orjson's depth": _put(b'"x":' + b"[" * 900 + b"]" * 900),
    "a byte that is no UTF-8": _put(b'"x":"\xff"'),
    "a byte-order mark": lambda octets: b"\xef\xbb\xbf" + octets,
    "white space around": lambda octets: b" \r\n\t" + octets + b"\n\n",
    "an identifier that is no text": lambda octets: octets.replace(b'"role":"user"', rb'"role":"\udfff"', 1),
    "messages that are no objects": lambda octets: octets.replace(b'"data":[', b'"data":[null,7,"x",[],', 1),
}


@pytest.mark.parametrize("oddity", ODD)
def test_an_odd_page_is_walked_on_with_its_bytes_untouched(
    tmp_path: Path, undisturbed: dict[str, bytes], oddity: str
) -> None:
    """What travelled lies there bit for bit, and the pages after it were asked for."""
    change = ODD[oddity]
    place = town()
    place.world.rewrite_next(change, match=place.pages(place.long))
    with served(tmp_path, place) as job:
        ended = run(job)
    expected = {**undisturbed, FIRST_PAGE: change(undisturbed[FIRST_PAGE])}
    assert expected != undisturbed
    assert payload(ended.root) == expected
    assert ended.gaps == []
    assert ended.sealed.outcome == "all_given"
    assert ended.sealed.counts.messages >= 6
    assert ended.integrity == "intact"


def test_a_compressed_page_is_kept_as_it_travelled(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    """Though identity was asked for: the name says what the bytes are, and the walk reads on."""
    place = town()
    place.world.gzip_next(match=place.pages(place.long))
    with served(tmp_path, place) as job:
        ended = run(job)
    (row,) = [row for row in ended.answered if row.content_encoding == "gzip"]
    assert row.item.path == f"{FIRST_PAGE}.gz"
    assert gzip.decompress((ended.root / row.item.path).read_bytes()) == undisturbed[FIRST_PAGE]
    assert (ended.sealed.counts.messages, ended.sealed.outcome) == (6, "all_given")
    assert ended.integrity == "intact"


@pytest.mark.parametrize("date", ["soon", "Mon, 01 Jan 99999999999 00:00:00 GMT", "Mon, 01 Jan 2024 00:00:00", "\xff"])
def test_a_date_that_is_none_gives_no_clock(tmp_path: Path, date: str) -> None:
    """Whatever stands in the header: it is kept as it came, no offset is made of it, and the run goes on."""
    place = town()
    place.world.fail_next(500, headers=(("date", date),), match=place.pages(place.long))
    with served(tmp_path, place) as job:
        ended = run(job)
    (row,) = ended.unanswered
    assert (row.exchange.server_date, row.exchange.clock) == (date, None)
    assert ended.sealed.outcome == "all_given"
    assert ended.integrity == "intact"


@pytest.mark.parametrize("seconds", [3_600, -3_600, 100 * 365 * 86_400])
def test_a_clock_that_is_off_is_measured(tmp_path: Path, undisturbed: dict[str, bytes], seconds: int) -> None:
    """Each answer holds the offset that its date implies; nothing else changes."""
    place = town()
    with served(tmp_path, place) as job:
        straight = run(job)
        offsets = [row.exchange.clock.offset_ms for row in straight.answered if row.exchange.clock]
    place = town()
    place.world.clock_skew(seconds)
    with served(tmp_path / "other", place) as job:
        ended = run(job)
    assert payload(ended.root).keys() == undisturbed.keys()
    for row, straight_ms in zip(ended.answered, offsets, strict=True):
        assert isinstance(row, Answered)
        assert row.exchange.clock is not None
        assert abs(row.exchange.clock.offset_ms - straight_ms - seconds * 1_000) < 60_000
    assert ended.sealed.outcome == "all_given"
    assert ended.integrity == "intact"
