"""The pump with no API: walks are scripted, the wire is a dictionary."""

import signal
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

import agentaudit.acquire.pump as pump_module
from agentaudit.acquire.journalling import Earlier, Scribe
from agentaudit.acquire.progress import Silent
from agentaudit.acquire.pump import Pump
from agentaudit.errors import Interrupted, PackageFault, SourceRefused, SourceUnreachable
from agentaudit.format import layout
from agentaudit.format.chain import JOURNAL_CODEC, Break
from agentaudit.model.base import Instant, digest_of
from agentaudit.model.journal import Act, Answered, PeerSeen, Unanswered, WalkBegan, WalkEnded
from agentaudit.model.walk import Ask, Budget, Failure, Kept, Missed, Request
from agentaudit.package.disk import SystemDisk
from agentaudit.package.recorded import Nothing, Recorded
from agentaudit.package.rows import read_log
from agentaudit.package.writer import OpenExhibit, create_exhibit, reopen_exhibit
from tests.support.around import surroundings
from tests.support.openings import opened_row
from tests.support.wires import FreeBudget, ListPlan, Scripted, ScriptedTransport, SimplePolicy, page


def _now() -> datetime:
    return datetime.now(UTC)


def _exhibit(tmp_path: Path) -> OpenExhibit:
    root = tmp_path / "EX-0001.partial"
    root.mkdir()
    return create_exhibit(root, opened_row, SystemDisk(), _now)


def _pump(
    exhibit: OpenExhibit,
    transport: ScriptedTransport | None,
    earlier: Earlier | None = None,
    *,
    connections: int = 2,
    budget: Budget | None = None,
    stop: Callable[[], int | None] = lambda: None,
) -> Pump:
    around = surroundings(stop=stop)
    scribe = Scribe(exhibit, earlier or Nothing(), around)
    return Pump(
        scribe=scribe,
        policy=SimplePolicy(),
        budget=budget or FreeBudget(),
        transport=transport,
        around=around,
        progress=Silent(),
        connections=connections,
    )


def _rows(root: Path) -> list[Act]:
    found = []
    for link in read_log(root / layout.JOURNAL, JOURNAL_CODEC, Act):
        assert not isinstance(link, Break)
        found.append(link.row)
    return found


def _reopened(tmp_path: Path) -> tuple[OpenExhibit, Recorded]:
    root = tmp_path / "EX-0001.partial"
    return reopen_exhibit(root, SystemDisk(), _now), Recorded(root)


def test_each_answer_is_kept_under_its_own_name(tmp_path: Path) -> None:
    """Pages lie under their walk's folder, by page, with the bytes that came."""
    exhibit = _exhibit(tmp_path)
    transport = ScriptedTransport({"/a/1": [page(b'{"x":1}')], "/a/2": [page(b'{"x":2}')]})
    _pump(exhibit, transport).run(ListPlan([[("a", 2)]]))
    assert (exhibit.root / "data/a/000001.json").read_bytes() == b'{"x":1}'
    answered = [row for row in _rows(exhibit.root) if isinstance(row, Answered)]
    assert [(row.item.path, row.item.sha256) for row in answered] == [
        ("data/a/000001.json", digest_of(b'{"x":1}')),
        ("data/a/000002.json", digest_of(b'{"x":2}')),
    ]


@pytest.mark.parametrize("connections", [1, 2, 8])
def test_the_same_answers_give_the_same_payload_whatever_the_concurrency(tmp_path: Path, connections: int) -> None:
    """Names and bytes of the payload do not depend on how many connections worked."""
    exhibit = _exhibit(tmp_path)
    walks = [(f"w{number}", 3) for number in range(9)]
    script = {
        f"/{walk}/{number}": [page(f'"{walk}-{number}"'.encode())] for walk, pages in walks for number in (1, 2, 3)
    }
    _pump(exhibit, ScriptedTransport({k: list(v) for k, v in script.items()}), connections=connections).run(
        ListPlan([walks[:4], walks[4:]])
    )
    payload = {
        path.relative_to(exhibit.root).as_posix(): path.read_bytes() for path in exhibit.root.rglob("data/**/*.json")
    }
    assert payload == {f"data/{walk}/{n:06d}.json": f'"{walk}-{n}"'.encode() for walk, _ in walks for n in (1, 2, 3)}


def test_a_walk_is_resumed_only_when_its_answer_is_durable(tmp_path: Path) -> None:
    """When the second question is asked, the first answer's row is in the journal file."""
    exhibit = _exhibit(tmp_path)
    committed: list[int] = []

    def look(ask: Ask) -> None:
        if ask.page == 2:
            committed.extend(row.page for row in _rows(exhibit.root) if isinstance(row, Answered))

    transport = ScriptedTransport({"/a/1": [page()], "/a/2": [page()]}, before=look)
    _pump(exhibit, transport).run(ListPlan([[("a", 2)]]))
    assert committed == [1]


def test_what_a_walk_learned_is_written_before_its_question(tmp_path: Path) -> None:
    """The beginning of a walk stands before its first answer, its end after the last."""
    exhibit = _exhibit(tmp_path)
    _pump(exhibit, ScriptedTransport({"/a/1": [page()]})).run(ListPlan([[("a", 1)]]))
    assert [type(row) for row in _rows(exhibit.root)[1:]] == [WalkBegan, Answered, WalkEnded]


def test_a_retried_attempt_is_journalled(tmp_path: Path) -> None:
    """An attempt that is tried again leaves its own row, with the error's words made writable."""
    exhibit = _exhibit(tmp_path)
    _pump(exhibit, ScriptedTransport({"/a/1": [page(b"busy", 503), page()]})).run(ListPlan([[("a", 1)]]))
    (row,) = [row for row in _rows(exhibit.root) if isinstance(row, Unanswered)]
    assert (row.failure, row.next, row.wait_ms, row.error_type, row.error_code) == (
        "status", "retry", 1, "overloaded_error", "?",
    )  # fmt: skip
    assert (row.body_bytes, row.body_sha256) == (4, digest_of(b"busy"))


def test_a_refusal_that_ends_a_walk_is_kept(tmp_path: Path) -> None:
    """The body of a refusal is payload, and the walk is told where it lies."""
    exhibit = _exhibit(tmp_path)
    plan = ListPlan([[("a", 2)]])
    _pump(exhibit, ScriptedTransport({"/a/1": [page(b"gone", 404)]})).run(plan)
    assert plan.seen["a"] == [Missed("session_not_found", 404, item="data/a/000001.refused")]
    assert (exhibit.root / "data/a/000001.refused").read_bytes() == b"gone"


def test_giving_up_is_a_miss_and_a_row(tmp_path: Path) -> None:
    """Retries used up leave rows with what came, and a miss for the walk; the run goes on."""
    exhibit = _exhibit(tmp_path)
    plan = ListPlan([[("a", 1), ("b", 1)]])
    _pump(exhibit, ScriptedTransport({"/a/1": [page(b"", 503)], "/b/1": [page()]})).run(plan)
    assert [row.next for row in _rows(exhibit.root) if isinstance(row, Unanswered)] == ["retry", "retry", "gave_up"]
    assert plan.seen["a"] == [Missed("retries_exhausted", 503, "overloaded_error")]
    assert isinstance(plan.seen["b"][0], Kept)


@pytest.mark.parametrize(
    ("outcome", "error"), [(page(b"", 401), SourceRefused), (Failure("connect"), SourceUnreachable)]
)
def test_what_ends_the_run_is_journalled_and_raised(tmp_path: Path, outcome: Failure, error: type[Exception]) -> None:
    """A refused key and an unreachable source end the run; the attempt is a row that says so."""
    exhibit = _exhibit(tmp_path)
    with pytest.raises(error):
        _pump(exhibit, ScriptedTransport({"/a/1": [outcome]})).run(ListPlan([[("a", 1)]]))
    (row,) = [row for row in _rows(exhibit.root) if isinstance(row, Unanswered)]
    assert row.next == "stopped"


def test_a_bug_in_a_connection_is_raised_in_the_pump(tmp_path: Path) -> None:
    """An error that is no value of the transport is not swallowed by its thread."""
    exhibit = _exhibit(tmp_path)
    with pytest.raises(ZeroDivisionError):
        _pump(exhibit, ScriptedTransport({"/a/1": [ZeroDivisionError()]})).run(ListPlan([[("a", 1)]]))


def test_a_certificate_is_kept_once(tmp_path: Path) -> None:
    """The peer's certificate stands in the journal once, however many answers came under it."""
    exhibit = _exhibit(tmp_path)
    transport = ScriptedTransport({"/a/1": [page()], "/a/2": [page(b"", 503)]}, certificate=b"DER")
    _pump(exhibit, transport).run(ListPlan([[("a", 2)]]))
    assert [row.certificate_sha256 for row in _rows(exhibit.root) if isinstance(row, PeerSeen)] == [digest_of(b"DER")]


def test_the_certificates_of_both_places_are_kept(tmp_path: Path) -> None:
    """An answer that came from where the source sent on has two peers: each certificate stands there once."""
    exhibit = _exhibit(tmp_path)
    transport = ScriptedTransport({"/a/1": [page()], "/a/2": [page()]}, b"DER of the store", b"DER of the source")
    _pump(exhibit, transport).run(ListPlan([[("a", 2)]]))
    seen = [row.certificate_sha256 for row in _rows(exhibit.root) if isinstance(row, PeerSeen)]
    assert seen == [digest_of(b"DER of the source"), digest_of(b"DER of the store")]


@pytest.mark.parametrize(("encoding", "suffix"), [("identity", "json"), ("gzip", "json.gz"), ("br", "json.encoded")])
def test_the_name_says_how_the_bytes_travelled(tmp_path: Path, encoding: str, suffix: str) -> None:
    """A body that came compressed is kept compressed, and its name says so."""
    exhibit = _exhibit(tmp_path)
    answer = page(b"..", 200, ("Content-Encoding", encoding), ("Content-Type", "Text/HTML; charset=x"))
    _pump(exhibit, ScriptedTransport({"/a/1": [answer]})).run(ListPlan([[("a", 1)]]))
    (row,) = [row for row in _rows(exhibit.root) if isinstance(row, Answered)]
    assert (row.item.path, row.content_encoding, row.media_type) == (f"data/a/000001.{suffix}", encoding, "text/html")


def test_a_signal_commits_what_was_answered(tmp_path: Path) -> None:
    """An interrupted run raises with the signal's status, and keeps every answer that it had."""
    exhibit = _exhibit(tmp_path)
    transport = ScriptedTransport({"/a/1": [page()], "/a/2": [page()], "/a/3": [page()]})

    def stop() -> int | None:
        return signal.SIGTERM if "/a/2" in transport.asked else None

    with pytest.raises(Interrupted) as caught:
        _pump(exhibit, transport, stop=stop).run(ListPlan([[("a", 3)]]))
    assert caught.value.exit_status == 143
    assert [row.page for row in _rows(exhibit.root) if isinstance(row, Answered)] == [1, 2]


def test_a_resumed_run_asks_only_what_was_not_answered(tmp_path: Path) -> None:
    """Recorded answers, refusals and misses are sent to the new walks from the journal; no row is doubled."""
    exhibit = _exhibit(tmp_path)
    script = {
        "/a/1": [page(b"1")], "/a/2": [page(b"2")], "/b/1": [page(b"gone", 404)], "/c/1": [page(b"", 503)],
        "/d/1": [page(b"d")],
    }  # fmt: skip
    stages = [[("a", 2), ("b", 1), ("c", 1)], [("d", 1)]]
    first = ScriptedTransport({**{key: list(value) for key, value in script.items()}, "/d/1": [Failure("connect")]})
    before = ListPlan(stages)
    with pytest.raises(SourceUnreachable):
        _pump(exhibit, first).run(before)
    exhibit.journal.close()
    exhibit, recorded = _reopened(tmp_path)
    second = ScriptedTransport({"/d/1": [page(b"d")]})
    after = ListPlan(stages)
    _pump(exhibit, second, recorded).run(after)
    assert second.asked == ["/d/1"]
    assert {walk: after.seen[walk] for walk in "abc"} == {walk: before.seen[walk] for walk in "abc"}
    began = [row.walk for row in _rows(exhibit.root) if isinstance(row, WalkBegan)]
    assert began == ["a", "b", "c", "d"]


def test_closing_as_it_stands_asks_nothing(tmp_path: Path) -> None:
    """Without a transport every question that the journal does not answer is a miss."""
    exhibit = _exhibit(tmp_path)
    plan = ListPlan([[("a", 2)]])
    _pump(exhibit, None).run(plan)
    assert plan.seen["a"] == [Missed("interrupted")]


def test_a_question_past_its_age_is_not_sent(tmp_path: Path) -> None:
    """A question whose cursor is too old is not sent; the journal says so, and a resumed run is told the same."""
    exhibit = _exhibit(tmp_path)
    old = Instant("2020-01-01T00:00:00.000000Z")
    transport = ScriptedTransport({"/a/1": [page()]})
    plan = ListPlan([[("a", 1)]], ask=lambda ask: replace(ask, expires_at=old))
    _pump(exhibit, transport).run(plan)
    assert plan.seen["a"] == [Missed("stale")]
    assert transport.asked == []
    exhibit.journal.close()
    exhibit, recorded = _reopened(tmp_path)
    again = ListPlan([[("a", 1)]])
    _pump(exhibit, transport, recorded).run(again)
    assert again.seen["a"] == [Missed("stale")]


def test_an_organisation_with_unreadable_content_is_not_waited_for(tmp_path: Path) -> None:
    """After two transcripts that a dead customer key hides, each other one is asked for once, and not retried."""
    exhibit = _exhibit(tmp_path)
    names = ["a", "b", "c", "d", "e", "f"]
    transport = ScriptedTransport({f"/{name}/1": [page(b"captured", 503)] for name in names})
    plan = ListPlan([[(name, 1) for name in names]], ask=lambda ask: replace(ask, organization="o"))
    _pump(exhibit, transport, connections=1).run(plan)
    assert all(plan.seen[name] == [Missed("captured_content", 503, "overloaded_error")] for name in names)
    assert [transport.asked.count(f"/{name}/1") for name in ("a", "b", "e", "f")] == [3, 3, 1, 1]


def test_another_failure_of_such_an_organisation_is_still_retried(tmp_path: Path) -> None:
    """Only what the dead key hides is not waited for: a server that is busy gets its retries."""
    exhibit = _exhibit(tmp_path)
    hidden: dict[str, list[Scripted]] = {f"/{name}/1": [page(b"captured", 503)] for name in "abcd"}
    transport = ScriptedTransport(hidden | {"/e/1": [page(b"", 503), page()]})
    plan = ListPlan([[(name, 1) for name in "abcd"], [("e", 1)]], ask=lambda ask: replace(ask, organization="o"))
    _pump(exhibit, transport, connections=1).run(plan)
    assert isinstance(plan.seen["e"][0], Kept)


class _Slow(FreeBudget):
    """Holds each request back for a few milliseconds."""

    def __init__(self) -> None:
        self.next = 0
        self.learned: list[tuple[tuple[str, str], ...]] = []

    def wait_ms(self, now_ms: int) -> int:
        """Until the next slot."""
        return max(0, self.next - now_ms)

    def spent(self, now_ms: int) -> None:
        """Move the slot."""
        self.next = now_ms + 5

    def learn(self, headers: tuple[tuple[str, str], ...], now_ms: int) -> None:
        """Take note."""
        del now_ms
        self.learned.append(headers)


def test_the_budget_paces_and_learns(tmp_path: Path) -> None:
    """Requests wait for the budget, and each answer's headers are shown to it."""
    exhibit = _exhibit(tmp_path)
    budget = _Slow()
    transport = ScriptedTransport({f"/a/{number}": [page(b"", 200, ("x", str(number)))] for number in (1, 2, 3)})
    _pump(exhibit, transport, budget=budget).run(ListPlan([[("a", 3)]]))
    assert budget.learned == [(("x", "1"),), (("x", "2"),), (("x", "3"),)]


def test_an_empty_plan_ends_at_once(tmp_path: Path) -> None:
    """A plan without stages, or with an empty stage, does nothing and ends."""
    exhibit = _exhibit(tmp_path)
    transport = ScriptedTransport({})
    _pump(exhibit, transport).run(ListPlan([]))
    _pump(exhibit, transport).run(ListPlan([[]]))
    assert transport.asked == []


def test_what_is_in_flight_when_a_run_ends_is_journalled(tmp_path: Path) -> None:
    """A refusal ends the run; the answers that were under way with it are there, also one that would be retried."""
    exhibit = _exhibit(tmp_path)
    sent, seen = threading.Barrier(3), set[str]()

    def together(ask: Ask) -> None:
        if ask.walk not in seen:
            seen.add(ask.walk)
            sent.wait(10)

    script: dict[str, list[Scripted]] = {
        "/a/1": [page(b"", 401)], "/b/1": [page(b"b")], "/c/1": [page(b"", 503)],
    }  # fmt: skip
    transport = ScriptedTransport(script, before=together)
    with pytest.raises(SourceRefused):
        _pump(exhibit, transport, connections=3).run(ListPlan([[("a", 1), ("b", 1), ("c", 1)]]))
    rows = _rows(exhibit.root)
    assert [row.walk for row in rows if isinstance(row, Answered)] == ["b"]
    ends = {row.walk: row.next for row in rows if isinstance(row, Unanswered)}
    assert ends["a"] == "stopped"
    assert ends["c"] in ("stopped", "retry")


def test_what_does_not_come_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that is silent when the run ends is left behind after a moment."""
    monkeypatch.setattr(pump_module, "DRAIN_POLLS", 2)
    exhibit = _exhibit(tmp_path)
    silent, asked = threading.Event(), threading.Event()

    def wait(ask: Ask) -> None:
        if ask.walk == "b":
            asked.set()
            silent.wait(30)
        else:
            asked.wait(30)

    transport = ScriptedTransport({"/a/1": [page(b"", 401)], "/b/1": [page()]}, before=wait)
    with pytest.raises(SourceRefused):
        _pump(exhibit, transport).run(ListPlan([[("a", 1), ("b", 1)]]))
    assert [row.walk for row in _rows(exhibit.root) if isinstance(row, Answered)] == []
    silent.set()


def test_closing_as_it_stands_has_nothing_in_flight(tmp_path: Path) -> None:
    """A signal while a partial is being closed ends the run at once."""
    exhibit = _exhibit(tmp_path)
    with pytest.raises(Interrupted):
        _pump(exhibit, None, stop=lambda: signal.SIGINT).run(ListPlan([[("a", 1)]]))


def test_a_recorded_answer_is_never_taken_for_that_of_another_question(tmp_path: Path) -> None:
    """A program that asks otherwise than the one that began finds a question that the journal does not answer."""
    exhibit = _exhibit(tmp_path)
    _pump(exhibit, ScriptedTransport({"/a/1": [page()], "/b/1": [page(b"", 503)]})).run(
        ListPlan([[("a", 1), ("b", 1)]])
    )
    exhibit.release()
    for walk in ("a", "b"):
        again, recorded = _reopened(tmp_path)
        plan = ListPlan([[(walk, 1)]], ask=_with_a_limit)
        with pytest.raises(PackageFault, match="another question"):
            _pump(again, ScriptedTransport({}), recorded).run(plan)
        again.release()


def _with_a_limit(ask: Ask) -> Ask:
    return replace(ask, request=Request(ask.request.path, (("limit", "500"),)))
