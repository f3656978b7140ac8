"""The other process: judges what lies in the shared slots, one job after another, until its pipe closes.

- It reads nothing but the slots and writes nothing but tallies to its pipe.
- An interrupt is the parent's to act on; the end of the parent closes the pipe and so ends the worker.
"""

import signal
from collections.abc import Sequence
from contextlib import suppress
from mmap import mmap
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, TypeAlias

from agentaudit.encoding.jsonl.asked import Asked
from agentaudit.encoding.jsonl.blocks import BlockJudge
from agentaudit.encoding.jsonl.engine import engine, engine_names
from agentaudit.encoding.jsonl.tally import Tally

if TYPE_CHECKING:
    from ctypes import Array, c_char

Begin: TypeAlias = tuple[int, int, int]
Shared: TypeAlias = "mmap | Array[c_char]"
ParentEnd: TypeAlias = "Connection[Begin, Tally]"
WorkerEnd: TypeAlias = "Connection[Tally, Begin]"


def serve(pipe: WorkerEnd, slots: Shared, asked: Asked, others: Sequence[ParentEnd]) -> None:
    """Answer each `(begin, length, offset)` with the tally of those bytes of the slots.

    `others` are the ends of pipes that a forked child has and must not keep: they would outlive the parent.
    """
    for other in others:
        other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    judge = BlockJudge(asked, engine(engine_names()[0]))
    view = memoryview(slots).cast("B")
    # The parent is gone, or has closed its end: there is nobody to answer any more.
    with suppress(EOFError, OSError):
        while True:
            begin, length, offset = pipe.recv()
            pipe.send(judge.block(view[begin : begin + length], offset))
