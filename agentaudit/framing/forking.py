"""Forks: where they are safe, how an interrupt survives one, and a child that runs one task and writes to one pipe.

- The exit of such a child runs nothing of this process's: no handler, no buffer, no message.
- An interrupt is the parent's to act on. A child whose parent is gone ends by itself.
"""

import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import NoReturn, Protocol, TypeAlias

Task: TypeAlias = Callable[[int], None]
Start: TypeAlias = "Callable[[Task, Sequence[int]], Started]"


class Started(Protocol):
    """Somebody who runs a task; what it writes is read from `pipe`, which hangs up when it is gone."""

    @property
    def pipe(self) -> int:
        """The reading end."""
        ...

    def end(self) -> None:
        """End it, whatever it does."""
        ...


@dataclass(frozen=True, slots=True)
class Child:
    """A forked process and the reading end of its pipe."""

    pid: int
    pipe: int

    def end(self) -> None:
        """Kill it, wait until it is gone, close the pipe."""
        # Where the system waits for children by itself, its number may be somebody else's once it is gone.
        with suppress(ChildProcessError):
            if os.waitpid(self.pid, os.WNOHANG) == (0, 0):
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
        os.close(self.pipe)


def may_fork() -> bool:
    """A fork is cheap, and safe only for one thread."""
    return sys.platform == "linux" and threading.active_count() == 1


def forked(task: Task, others: Sequence[int]) -> Child:
    """Fork a child that gives its task the writing end; `others` are descriptors that it must not keep.

    Raises OSError when the system refuses.
    """
    ours, theirs = os.pipe()
    try:
        pid = os.fork()
        if not pid:
            _child(task, theirs, (*others, ours))
    except OSError:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    return Child(pid, ours)


@contextmanager
def interrupts_later() -> Iterator[None]:
    """Hold an interrupt back until the block is left.

    Python runs callbacks around a fork and drops what is raised in them: an interrupt that came then would be lost.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows forks nothing
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _child(task: Task, pipe: int, others: Sequence[int]) -> NoReturn:
    """Run the task, then stay until the parent ends this process or is gone itself."""
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for other in others:
            os.close(other)
        task(pipe)
        hung_up = select.poll()
        hung_up.register(pipe, 0)
        hung_up.poll()
        status = 0
    finally:
        # Whatever was raised shows to the parent as the end of this child; it does without.
        os._exit(status)
