"""A transport without a network, a policy of three rules, a plan made of lists: the pump with no API."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from agentaudit.model.attempt import Attempted
from agentaudit.model.base import Instant
from agentaudit.model.journal import Exchange, MissReason, WalkBegan, WalkEnded
from agentaudit.model.walk import (
    Accept,
    Answer,
    Ask,
    Decline,
    Ended,
    Failure,
    Judgement,
    Kept,
    Missed,
    Request,
    Retry,
    Stage,
    Stop,
    Task,
)

Outcome = Answer | Failure
Scripted = Answer | Failure | BaseException


def page(body: bytes = b"{}", status: int = 200, *headers: tuple[str, str]) -> Answer:
    """An answer."""
    return Answer(status, headers, body)


@dataclass
class ScriptedTransport:
    """Answers each path with its outcomes in turn, the last one again and again; counts what was asked."""

    script: dict[str, list[Scripted]]
    certificate: bytes | None = None
    first_certificate: bytes | None = None
    asked: list[str] = field(default_factory=list)
    closed: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    before: Callable[[Ask], None] = lambda _ask: None

    def connect(self) -> "ScriptedTransport":
        """Itself: it has no socket."""
        return self

    def close(self) -> None:
        """Count."""
        with self.lock:
            self.closed += 1

    def attempt(self, ask: Ask, attempt: int) -> Attempted:
        """The next outcome of the path."""
        self.before(ask)
        with self.lock:
            self.asked.append(ask.request.path)
            outcomes = self.script[ask.request.path]
            outcome = outcomes.pop(0) if len(outcomes) > 1 else outcomes[0]
        if isinstance(outcome, BaseException):
            raise outcome
        body = outcome.body if isinstance(outcome, Answer) else b""
        return Attempted(exchange(ask, attempt, outcome), outcome, body, self.certificate, self.first_certificate)


def exchange(ask: Ask, attempt: int, outcome: Outcome) -> Exchange:
    """What would have been exchanged."""
    return Exchange(
        method="GET",
        url=ask.request.path,
        query=ask.request.query,
        cursor=ask.cursor,
        attempt=attempt,
        asked_at=Instant("2026-03-02T09:00:00.000000Z"),
        elapsed_ms=1,
        status=outcome.status,
        headers=outcome.headers if isinstance(outcome, Answer) else (),
        request_id=None,
        server_date=None,
        clock=None,
        http_version="HTTP/1.1",
        peer=None,
        tls=None,
    )


class SimplePolicy:
    """200 is accepted, 404 declined and kept, 503 retried twice then given up, 401 and a broken wire stop."""

    def judge(self, ask: Ask, attempt: int, outcome: Outcome) -> Judgement:
        """What follows."""
        del ask
        if isinstance(outcome, Failure):
            return Stop("unreachable", "the source cannot be reached", "look at the network")
        match outcome.status:
            case 200:
                return Accept()
            case 401:
                return Stop("refused", "the key is refused", "use another key")
            case 503 if attempt < 3:
                return Retry(1, f"retry {attempt} of 2", "overloaded_error", "\ud800")
            case 503:
                reason: MissReason = "captured_content" if b"captured" in outcome.body else "retries_exhausted"
                return Decline(Missed(reason, 503, "overloaded_error"), keep=False)
            case _:
                return Decline(Missed("session_not_found", outcome.status), keep=True)


class FreeBudget:
    """Never holds back."""

    def wait_ms(self, now_ms: int) -> int:
        """0."""
        del now_ms
        return 0

    def spent(self, now_ms: int) -> None:
        """Take note of nothing."""

    def learn(self, headers: tuple[tuple[str, str], ...], now_ms: int) -> None:
        """Take note of nothing."""


@dataclass
class ListPlan:
    """Stages given as lists of (walk, number of pages)."""

    given: list[list[tuple[str, int]]]
    seen: dict[str, list[Kept | Missed]] = field(default_factory=dict)
    ask: Callable[[Ask], Ask] = lambda ask: ask

    def stages(self) -> Iterable[Stage]:
        """Each stage, its tasks in order."""
        for stage in self.given:
            yield Stage("walks", [self.task(walk, pages) for walk, pages in stage])

    def task(self, walk: str, pages: int) -> Task:
        """Ask each page at `/<walk>/<page>`; a miss ends the walk."""
        began = WalkBegan(walk=walk, kind="local_messages", session=None, parameters=(), limits=None)
        learned: tuple[WalkBegan, ...] = (began,)
        replies = self.seen.setdefault(walk, [])
        for number in range(1, pages + 1):
            ask = Ask(walk, number, Request(f"/{walk}/{number}"), learned=learned)
            reply = yield self.ask(ask)
            replies.append(reply)
            learned = ()
            if isinstance(reply, Missed):
                break
        got = [reply for reply in replies if isinstance(reply, Kept)]
        return Ended((WalkEnded(walk=walk, reason="exhausted", pages=len(got), records=0),))
