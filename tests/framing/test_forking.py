"""A child that runs one task: it ends when nobody wants it, and says so when it dies."""

import os
import select
import signal
import sys
import threading
import time

import pytest

from agentaudit.framing import forking
from agentaudit.framing.forking import Child, forked, may_fork

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="nothing is forked there"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
]


def hung_up(pipe: int) -> bool:
    """True when its writer is gone within some seconds."""
    poll = select.poll()
    poll.register(pipe, 0)
    return bool(poll.poll(10_000))


def gone(pid: int) -> bool:
    """True when no such process is left."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_child_writes_to_its_parent_and_stays_until_it_is_ended() -> None:
    """Its pipe hangs up only then, and no process is left."""
    child = forked(lambda pipe: assert_written(os.write(pipe, b"word")), ())
    assert os.read(child.pipe, 9) == b"word"
    poll = select.poll()
    poll.register(child.pipe, 0)
    assert poll.poll(50) == []
    child.end()
    assert gone(child.pid)


def test_a_child_that_is_dead_already_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not killed: nothing but its status is left of it."""
    child = forked(lambda _pipe: os.kill(os.getpid(), signal.SIGKILL), ())
    assert hung_up(child.pipe)
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    monkeypatch.delattr(os, "kill")
    child.end()


def assert_written(octets: int) -> None:
    """A task gives nothing back."""
    assert octets


def test_a_task_that_fails_shows_as_a_hang_up(capfd: pytest.CaptureFixture[str]) -> None:
    """Nothing is printed: what was raised may hold content."""

    def task(_pipe: int) -> None:
        raise ValueError("secret")

    child = forked(task, ())
    assert hung_up(child.pipe)
    child.end()
    assert gone(child.pid)
    assert capfd.readouterr() == ("", "")


def test_a_child_ends_with_its_parent() -> None:
    """What its parent leaves behind is the other end of a pipe."""

    def parent(pipe: int) -> None:
        grandchild = forked(lambda _pipe: None, (pipe,))
        os.write(pipe, b"%d" % grandchild.pid)

    child = forked(parent, ())
    pid = int(os.read(child.pipe, 20))
    child.end()
    until = time.monotonic() + 10
    while not gone(pid) and time.monotonic() < until:
        time.sleep(0.01)
    assert gone(pid)


def test_a_child_that_the_system_waits_for_is_not_killed_by_its_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where ended children are taken away at once, the number may be somebody else's."""
    ours, theirs = os.pipe()
    os.close(theirs)
    killed: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, _number: killed.append(pid))
    Child(os.getppid(), ours).end()
    assert killed == []
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(ours)


def test_an_interrupt_is_not_for_a_child() -> None:
    """It goes on, and its parent decides."""

    def task(pipe: int) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        os.write(pipe, b"on")

    child = forked(task, ())
    assert os.read(child.pipe, 9) == b"on"
    child.end()


def test_a_fork_that_the_system_refuses_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ends of the pipe are closed again."""
    pipes: list[tuple[int, int]] = []
    make = os.pipe

    def pipe() -> tuple[int, int]:
        pipes.append(make())
        return pipes[-1]

    def refused() -> int:
        raise BlockingIOError(11, "no more processes")

    monkeypatch.setattr(os, "pipe", pipe)
    monkeypatch.setattr(os, "fork", refused)
    with pytest.raises(BlockingIOError):
        forked(lambda _pipe: None, ())
    for end in pipes[0]:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(end)


def test_a_fork_is_for_one_thread_on_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other threads may hold locks that a child would have for ever."""
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    assert may_fork()
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    assert not may_fork()
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not may_fork()


class Exited(BaseException):
    """What an exit is in these tests."""


@pytest.mark.parametrize("fails", [False, True])
def test_what_runs_in_a_child_ends_in_an_exit(fails: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run here: it closes what it must not keep; 0 once its parent is gone, 1 when its task failed."""
    ours, theirs = os.pipe()
    statuses: list[int] = []

    def leave(status: int) -> None:
        statuses.append(status)
        raise Exited

    def task(pipe: int) -> None:
        assert pipe == theirs
        if fails:
            raise ValueError

    monkeypatch.setattr(os, "_exit", leave)
    before = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(Exited):
            forking._child(task, theirs, (ours,))
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
        os.close(theirs)
    assert statuses == [int(fails)]
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(ours)


def test_where_nothing_is_forked_an_interrupt_is_not_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to hold it with."""
    with forking.interrupts_later():
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    monkeypatch.delattr(signal, "pthread_sigmask")
    with forking.interrupts_later():
        pass
