"""Tickets and turns: blocks in their order, whoever takes them, and nobody waits for who is gone."""

import os
import sys
import threading

import pytest

from agentaudit.framing.turns import Lost, Turns

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there are no events")

SOON_S = 0.05


def test_one_runner_has_every_turn() -> None:
    """Ticket and turn follow each other until the word that it is over."""
    turns = Turns(1)
    course = turns.course((), SOON_S)
    for block in range(3):
        assert course.ticket() == block
        assert course.mine(block)
        course.passed(block, go=block < 2)
    assert course.ticket() == 3
    assert not course.mine(3)
    turns.close()


@pytest.mark.parametrize("runners", [2, 3, 4])
def test_turns_are_in_the_order_of_the_blocks(runners: int) -> None:
    """However the runners share them, and each hears that it is over."""
    turns, seen, over = Turns(runners), list[int](), list[int]()

    def run() -> None:
        course = turns.course((), 10.0)
        while True:
            block = course.ticket()
            if not course.mine(block):
                over.append(block)
                course.passed(block, go=False)
                return
            seen.append(block)
            course.passed(block, go=block < 199)
            if block == 199:
                over.append(block)
                return

    threads = [threading.Thread(target=run) for _ in range(runners)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert seen == list(range(200))
    assert sorted(over) == list(range(199, 199 + runners))
    turns.close()


def test_a_turn_that_is_not_passed_is_waited_for_with_bounds() -> None:
    """The blocks before it may be somebody's who stands still."""
    turns = Turns(2)
    course = turns.course((), SOON_S)
    assert (course.ticket(), course.ticket()) == (0, 1)
    with pytest.raises(Lost):
        course.mine(1)
    with pytest.raises(Lost):
        course.ticket()
    turns.close()


def test_nobody_waits_for_who_is_gone() -> None:
    """The end of a pipe tells, in either direction; what is there already comes first."""
    for kept in (0, 1):
        pipe = os.pipe()
        turns = Turns(2)
        course = turns.course((pipe[kept],), 60.0)
        os.close(pipe[1 - kept])
        assert (course.ticket(), course.ticket()) == (0, 1)
        assert course.mine(0)
        with pytest.raises(Lost):
            course.mine(1)
        os.close(pipe[kept])
        turns.close()


def test_without_descriptors_there_are_no_turns_and_none_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was opened before is closed again."""
    opened: list[int] = []
    make = os.eventfd

    def eventfd(value: int) -> int:
        if opened:
            raise OSError(24, "too many open files")
        opened.append(make(value))
        return opened[0]

    monkeypatch.setattr(os, "eventfd", eventfd)
    with pytest.raises(OSError, match="too many"):
        Turns(2)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(opened[0])
