"""A journal that this process wrote is read back from the disk by another one, strictly and to its end.

- Sealing folds the rows that the writer holds; that they are what lies there is found out beside it, on another core.
- The chain on the disk has to end where the writer's does: its last digest commits to every row before it.
- Where no process can be forked, or it was ended, the journal is read here.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Self, TypeAlias

from agentaudit.errors import PackageFault
from agentaudit.format.chain import JOURNAL_CODEC
from agentaudit.model.journal import Act
from agentaudit.package.rows import ChainLog, Tail, find_tail

_Answers: TypeAlias = "Connection[None, Tail | None]"


class Readback:
    """One reading of a settled journal, begun at once; a context manager that waits for its end."""

    def __init__(self, journal: ChainLog[Act]) -> None:
        """Begin; nothing may be written to the journal before `agrees`."""
        self._journal = journal
        self._pipe: _Answers | None = None
        if sys.platform == "linux" and threading.active_count() == 1:  # a fork is safe only for one thread
            context = multiprocessing.get_context("fork")
            self._pipe, theirs = context.Pipe(duplex=False)
            self._process = context.Process(target=_serve, args=(theirs, journal.path, journal.descriptor), daemon=True)
            self._process.start()
            theirs.close()

    def __enter__(self) -> Self:
        """The reading itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for the other process, or end it when its answer is not wanted any more."""
        if self._pipe is not None:
            self._pipe.close()
            if fault is not None:
                self._process.kill()
            self._process.join()

    def agrees(self) -> bool:
        """Whether the chain that lies on the disk is whole and ends where the writer's does."""
        return self._answer() == self._journal.tail

    def _answer(self) -> Tail | None:
        if self._pipe is None:
            return _end_of(self._journal.path)
        try:
            return self._pipe.recv()
        except EOFError:
            return _end_of(self._journal.path)


def _serve(pipe: "Connection[Tail | None, None]", path: Path, lock: int) -> None:
    """Read the journal and send where it ends. The lock on it is not kept, and signals are the first process's."""
    os.close(lock)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with contextlib.suppress(BrokenPipeError):  # a run that was killed asks no more
        pipe.send(_end_of(path))


def _end_of(path: Path) -> Tail | None:
    """The end of the chain; None when a line breaks it."""
    try:
        return find_tail(path, JOURNAL_CODEC, Act)
    except PackageFault:
        return None
