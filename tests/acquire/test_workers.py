"""A few threads with a connection each: bounded, never waited for, and nothing of theirs is swallowed."""

import threading
from collections.abc import Callable, Iterator

import pytest

from agentaudit.acquire.workers import Brought, Workers
from agentaudit.model.attempt import Attempted
from agentaudit.model.walk import Answer, Ask, Request
from tests.support.wires import exchange

WAIT_S = 10.0


def ask(number: int) -> Ask:
    """A question of that number."""
    return Ask("w", number, Request(f"/{number}"))


class Wire:
    """A transport whose connections do what a test says, and are counted."""

    def __init__(self, act: Callable[[Ask], None] = lambda _ask: None) -> None:
        """`act` runs in the thread of the connection, before it answers."""
        self.act = act
        self.lock = threading.Lock()
        self.opened = self.closed = 0
        self.asked: list[int] = []
        self.all_closed = threading.Event()

    def connect(self) -> "Wire":
        """One more connection."""
        with self.lock:
            self.opened += 1
        return self

    def attempt(self, ask: Ask, attempt: int) -> Attempted:
        """Act, then answer with an empty body."""
        with self.lock:
            self.asked.append(ask.page)
        self.act(ask)
        outcome = Answer(200, (), b"")
        return Attempted(exchange(ask, attempt, outcome), outcome, b"", None)

    def close(self) -> None:
        """One fewer."""
        with self.lock:
            self.closed += 1
            if self.closed == self.opened:
                self.all_closed.set()


def brought(workers: Workers, count: int) -> Iterator[Brought]:
    """What comes, until so many are there."""
    got = 0
    while got < count:
        for one in workers.bring(WAIT_S):
            got += 1
            yield one


def test_no_connection_is_made_before_the_first_question() -> None:
    """And never more than were allowed, however many questions wait."""
    gate = threading.Event()

    def hold(_question: Ask) -> None:
        gate.wait(WAIT_S)

    wire = Wire(hold)
    workers = Workers(wire, 2)
    assert wire.opened == 0
    for number in range(5):
        workers.submit(number, ask(number), 1)
    assert workers.outstanding == 5
    gate.set()
    assert {one.ticket for one in brought(workers, 5)} == set(range(5))
    assert workers.outstanding == 0
    assert 1 <= wire.opened <= 2
    workers.close()
    assert wire.all_closed.wait(WAIT_S)


def test_nothing_there_is_an_empty_list_at_once() -> None:
    """Asking without waiting does not wait, and asking with a bound ends at it."""
    workers = Workers(Wire(), 1)
    assert workers.bring(0) == []
    assert workers.bring(0.01) == []


def test_a_bug_in_a_thread_is_raised_where_the_answers_are_taken() -> None:
    """The thread lives on, and its connection answers the next question."""

    def fall(question: Ask) -> None:
        if question.page == 1:
            raise ZeroDivisionError("a bug")

    workers = Workers(Wire(fall), 1)
    workers.submit(7, ask(1), 1)
    with pytest.raises(ZeroDivisionError, match="a bug"):
        list(brought(workers, 1))
    assert workers.outstanding == 0
    workers.submit(8, ask(2), 1)
    assert [one.ticket for one in brought(workers, 1)] == [8]
    workers.close()


def test_what_still_waits_is_never_sent_after_the_end() -> None:
    """The question that is under way ends by itself, those behind it are taken back, and no thread is waited for."""
    begun, gate = threading.Event(), threading.Event()

    def stall(_question: Ask) -> None:
        begun.set()
        gate.wait(WAIT_S)

    wire = Wire(stall)
    workers = Workers(wire, 1)
    for number in range(4):
        workers.submit(number, ask(number), 1)
    assert begun.wait(WAIT_S)
    workers.close()
    assert workers.outstanding == 1
    gate.set()
    assert [one.ticket for one in brought(workers, 1)] == [0]
    assert wire.all_closed.wait(WAIT_S)
    assert wire.asked == [0]
