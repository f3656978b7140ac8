"""Relays of tiny measures over texts in memory, their runners threads that can die like processes."""

import io
import os
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NoReturn

from agentaudit.encoding.jsonl.asked import Asked
from agentaudit.encoding.jsonl.lanes import HereLane
from agentaudit.framing.check import Checked, check
from agentaudit.framing.forking import Started, Task
from agentaudit.framing.opening import stream
from agentaudit.framing.relay import Measures, Relay
from agentaudit.framing.runner import Lap, Read, reader_of
from agentaudit.framing.travelling import Memory, Sha256Functions, sha256_functions
from agentaudit.framing.turns import Lost

FOUND = sha256_functions()


class Dead(Exception):
    """What ends a runner as a signal would."""


@dataclass(frozen=True)
class Threaded:
    """A runner in a thread; its pipe hangs up when it dies, or is ended."""

    pipe: int
    thread: threading.Thread
    wanted: threading.Event

    def end(self) -> None:
        """Let it end, and wait for it."""
        os.close(self.pipe)
        self.wanted.set()
        self.thread.join(20)
        assert not self.thread.is_alive()


def threaded(task: Task, _others: Sequence[int]) -> Started:
    """Start a task in a thread; like a child it stays until it is ended, but for death."""
    ours, theirs = os.pipe()
    wanted = threading.Event()

    def run() -> None:
        with suppress(Dead, Lost, OSError):
            task(theirs)
            wanted.wait(20)
        os.close(theirs)

    thread = threading.Thread(target=run, name="runner")
    thread.start()
    return Threaded(ours, thread, wanted)


class Deadly:
    """Ways for a runner in a thread to die at its second block: reading, hashing, or behind its turn."""

    def __init__(self, act: str) -> None:
        """Take at what it dies; `died` is set when it did."""
        self.died = threading.Event()
        self._act = act
        self._counts: dict[str, int] = {}

    def reading(self, read: Read) -> Read:
        """Read, or die before its turn."""

        def reading(room: memoryview, position: int) -> int:
            if self._now("reading"):
                self._die()
            return read(room, position)

        return reading

    def update(self, state: Memory, octets: object, length: int) -> object:
        """Hash, or die in the middle of it."""
        if not self._now("hashing"):
            return functions().update(state, octets, length)
        functions().update(state, octets, length // 2)
        return self._die()

    def give(self, _lap: Lap) -> None:
        """Forget a lap, or die with it."""
        if self._now("judging"):
            self._die()

    def _now(self, act: str) -> bool:
        if threading.current_thread().name != "runner" or act != self._act:
            return False
        self._counts[act] = self._counts.get(act, 0) + 1
        return self._counts[act] == 2

    def _die(self) -> NoReturn:
        self.died.set()
        raise Dead


@dataclass
class Text:
    """A file in memory, and how a relay over it reads."""

    octets: bytes
    wrap: Callable[[Read, int], Read] = field(default=lambda read, _descriptor: read)

    def opened(self) -> io.FileIO:
        """The file, at its first byte."""
        file = io.FileIO(os.memfd_create("text"), "r+")
        left = memoryview(self.octets)
        while left:
            left = left[file.write(left) or 0 :]
        file.seek(0)
        return file


def functions() -> Sha256Functions:
    """The functions, which are there where these tests run."""
    assert FOUND is not None
    return FOUND


def relayed(
    text: Text, asked: Asked, measures: Measures, progress: Callable[[int], None] = lambda _octets: None
) -> tuple[Checked, bytes]:
    """What a relay says of a text, and what the file holds at the end."""
    with text.opened() as file:
        relay = Relay(file, asked, functions(), measures, text.wrap(reader_of(file.fileno()), file.fileno()))
        said = check(file, HereLane(asked, 1_000), None, progress, relay)
        file.seek(0)
        return said, file.readall()


def alone(octets: bytes, asked: Asked) -> Checked:
    """What is said of a text without a relay."""
    return check(stream(io.BytesIO(octets)), HereLane(asked), None, lambda _octets: None)
