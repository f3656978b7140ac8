"""A relay says what one process says, wherever its blocks end and whatever happens on the way."""

import io
import os
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.encoding.jsonl.asked import Asked, Probe
from agentaudit.encoding.jsonl.lanes import HereLane
from agentaudit.framing import relay as relays
from agentaudit.framing import runner as runners
from agentaudit.framing.check import check
from agentaudit.framing.forking import Started, Task
from agentaudit.framing.laps import Outbox
from agentaudit.framing.opening import Unread
from agentaudit.framing.relay import Measures, Relay
from agentaudit.framing.runner import Read
from tests.encoding.jsonl.mutants import json_values, mutants
from tests.encoding.jsonl.records import lines, record
from tests.framing.running import FOUND, Deadly, Text, alone, functions, relayed, threaded

pytestmark = pytest.mark.skipif(
    FOUND is None or sys.platform != "linux", reason="a relay needs events, and a hash whose state may travel"
)

EVERYTHING = Asked(
    keys=True, probes=(Probe(("type",)), Probe(("n",), 0), Probe(("message", "role"), 1)), second_look_bytes=None
)
TINY = Measures(runners=1, first_bytes=20, block_bytes=50, carry_bytes=40, patience_s=20.0, start=threaded)
WAIT_S = 20.0

_LENGTHS = st.sampled_from((0, 1, 19, 20, 21, 39, 40, 41, 49, 50, 51, 89, 90, 91, 99, 100, 101, 250))
ODD = (
    st.sampled_from(
        (b"", b"\r", b" \t", b"\xef\xbb\xbf{}", b'{"type":"t"}\r', b'{"a":"\xe9"}', b'{"a":1}{"a":2}', b"}")
    )
    | _LENGTHS.map(bytes)
    | _LENGTHS.map(lambda length: b'{"type":"' + b"x" * length + b'"}')
)
TEXTS = st.lists(mutants() | json_values() | ODD, max_size=9).map(b"\n".join)


@given(TEXTS, st.integers(1, 60), st.integers(0, 60), st.integers(1, 30), st.sampled_from((5, 60, 10_000)))
def test_one_runner_says_what_is_said_without_a_relay(
    text: bytes, block: int, carry: int, first: int, limit: int
) -> None:
    """Facts, places, words, probes, bytes and digest, wherever blocks end and whatever does not fit."""
    asked = replace(EVERYTHING, max_line_bytes=limit)
    measures = replace(TINY, first_bytes=first, block_bytes=block, carry_bytes=carry)
    for each in (asked, Asked(max_line_bytes=limit, second_look_bytes=40)):
        assert relayed(Text(text), each, measures)[0] == alone(text, each)


@given(TEXTS, st.integers(1, 40), st.integers(0, 300), st.integers(2, 3))
def test_several_runners_say_what_one_says(text: bytes, block: int, carry: int, several: int) -> None:
    """Whoever had which block."""
    measures = replace(TINY, runners=several, block_bytes=block, carry_bytes=carry)
    assert relayed(Text(text), EVERYTHING, measures)[0] == alone(text, EVERYTHING)


def many(rows: int = 400) -> bytes:
    """Records with broken ones among them, of a hundred types, and a tail."""
    texts = [record(number, "x" * (number % 90), f"type {number % 100}") for number in range(rows)]
    texts[100], texts[200] = texts[100][:50], texts[200] + texts[201]
    return lines(*texts) + texts[5][:33]


MANY = many()
LARGE = replace(TINY, runners=2, first_bytes=1_000, block_bytes=2_000, carry_bytes=1_000)


@pytest.mark.parametrize("several", [1, 2, 3])
def test_progress_is_told_up_to_the_last_byte(several: int) -> None:
    """It never goes back."""
    seen: list[int] = []
    said, _ = relayed(Text(MANY), EVERYTHING, replace(LARGE, runners=several), seen.append)
    assert said == alone(MANY, EVERYTHING)
    assert seen == sorted(seen)
    assert seen[-1] == len(MANY)


@pytest.mark.parametrize("several", [1, 2])
def test_a_file_that_grows_is_read_to_the_end_that_it_has_then(several: int) -> None:
    """What comes behind a block that was short goes on with the same hash; what others read ahead does not count."""
    more = lines(*[record(number, "more") for number in range(30)])

    def growing(read: Read, descriptor: int) -> Read:
        grown = threading.Lock()

        def reading(room: memoryview, position: int) -> int:
            taken = read(room, position)
            if taken < len(room) and grown.acquire(blocking=False):
                os.pwrite(descriptor, more, len(MANY))
            return taken

        return reading

    said, held = relayed(Text(MANY, growing), EVERYTHING, replace(LARGE, runners=several))
    assert held == MANY + more
    assert said == alone(held, EVERYTHING)


@pytest.mark.parametrize("several", [1, 2])
@pytest.mark.parametrize("left", [0, 3_000, 5_500])
def test_a_file_that_shrinks_ends_where_nothing_is_left(several: int, left: int) -> None:
    """What was read before is judged and hashed alike: the digest is of the bytes that were judged."""

    def shrinking(read: Read, descriptor: int) -> Read:
        lock = threading.Lock()

        def reading(room: memoryview, position: int) -> int:
            with lock:
                taken = read(room, position)
                os.ftruncate(descriptor, left)
                return taken

        return reading

    said, held = relayed(Text(MANY, shrinking), EVERYTHING, replace(LARGE, runners=several))
    assert len(held) == left
    assert said.bytes >= 1_000
    assert said == alone(MANY[: said.bytes], EVERYTHING)


@pytest.mark.parametrize("several", [1, 2, 3])
@pytest.mark.parametrize("act", ["short", "none", "error"])
def test_a_read_that_is_cut_short_ends_the_relay_and_loses_nothing(several: int, act: str) -> None:
    """What follows is read as it would have been, also when others have read beyond it already."""

    def faulty(read: Read, _descriptor: int) -> Read:
        def reading(room: memoryview, position: int) -> int:
            if position < 9_000:
                return read(room, position)
            if act == "error":
                raise OSError(5, "secret name")
            return read(room[:7], position) if act == "short" else 0

        return reading

    said, _ = relayed(Text(MANY, faulty), EVERYTHING, replace(LARGE, runners=several))
    assert said == alone(MANY, EVERYTHING)


@pytest.mark.parametrize("act", ["reading", "hashing", "judging"])
def test_a_text_whose_runner_dies_is_begun_again(act: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At whatever it was: the answer is that of one process, and says that it was begun again."""
    deadly, seen = Deadly(act), list[int]()
    monkeypatch.setattr(Outbox, "give", lambda _outbox, lap: deadly.give(lap))

    def progress(octets: int) -> None:
        seen.append(octets)
        assert octets <= 1_500 or deadly.died.wait(WAIT_S)

    with Text(MANY).opened() as file:
        read = deadly.reading(runners.reader_of(file.fileno()))
        relay = Relay(file, EVERYTHING, replace(functions(), update=deadly.update), LARGE, read)
        said = check(file, HereLane(EVERYTHING), None, progress, relay)
    assert said == replace(alone(MANY, EVERYTHING), again=True)
    assert seen != sorted(seen)
    assert seen[-1] == len(MANY)


def test_a_runner_that_stands_still_is_not_waited_for() -> None:
    """After some time the text is begun again without it."""
    held, free = threading.Event(), threading.Event()

    def wrap(read: Read, _descriptor: int) -> Read:
        def reading(room: memoryview, position: int) -> int:
            if threading.current_thread().name == "runner":
                held.set()
                free.wait(WAIT_S)
            return read(room, position)

        return reading

    def start(task: Task, others: Sequence[int]) -> Started:
        started = threaded(task, others)

        class Freed:
            pipe = started.pipe

            def end(self) -> None:
                """Let it go on before it is ended."""
                free.set()
                started.end()

        return Freed()

    def progress(octets: int) -> None:
        assert octets <= 1_500 or held.wait(WAIT_S)

    said, _ = relayed(Text(MANY, wrap), EVERYTHING, replace(LARGE, patience_s=0.2, start=start), progress)
    assert said == replace(alone(MANY, EVERYTHING), again=True)


def test_an_interrupt_ends_the_runners() -> None:
    """Whatever it interrupts: it goes on to whoever asked, and nobody is left."""
    before = threading.active_count()

    def interrupted(octets: int) -> None:
        if octets > 5_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        relayed(Text(MANY), EVERYTHING, replace(LARGE, runners=3), interrupted)
    assert threading.active_count() == before


def test_where_nobody_can_be_started_the_holder_runs_alone() -> None:
    """The system may allow no more processes."""

    def refused(_task: Task, _others: Sequence[int]) -> Started:
        raise BlockingIOError(11, "no more processes")

    said, _ = relayed(Text(MANY), EVERYTHING, replace(LARGE, runners=3, start=refused))
    assert said == alone(MANY, EVERYTHING)


def test_without_descriptors_there_is_no_relay(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text is read on as it was begun, with the same hash."""

    def refused(_runners: int) -> None:
        raise OSError(24, "too many open files")

    monkeypatch.setattr(relays, "Turns", refused)
    assert relayed(Text(MANY), EVERYTHING, LARGE)[0] == alone(MANY, EVERYTHING)


def test_a_compressed_text_is_no_relays() -> None:
    """Its bytes have no places of their own in the text; the hash of the file is the same."""
    octets = bytes.fromhex("1f8b08000000000000ff") + b"no stream"
    said, _ = relayed(Text(octets), EVERYTHING, LARGE)
    assert said == alone(octets, EVERYTHING)
    assert (said.compression, said.fault) == ("gzip", "corrupt")


class Unseekable(io.FileIO):
    """A file whose disk breaks when its position is moved."""

    def seek(self, _offset: int, _whence: int = 0, /) -> int:
        """An error that names what it must not."""
        raise OSError(5, "secret name")


@pytest.mark.parametrize("lost", [False, True])
def test_a_file_that_cannot_be_read_on_is_unread(lost: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind a relay, or where it has to be begun again."""
    with Text(MANY).opened() as file:
        broken = Unseekable(os.dup(file.fileno()), "r")
        relay = Relay(broken, EVERYTHING, functions(), replace(LARGE, runners=1))
        if lost:
            monkeypatch.setattr(relay, "run", lambda *_arguments: None)
        with broken, pytest.raises(Unread, match=r"^unreadable$"):
            check(broken, HereLane(EVERYTHING), None, lambda _octets: None, relay)


def test_types_are_counted_however_many_there_are() -> None:
    """Those that a runner knows of an earlier block, and those beyond what it keeps."""
    text = lines(*[record(number, "", f"type {number * number % 397}") for number in range(900)])
    for several in (1, 3):
        said, _ = relayed(Text(text), Asked(second_look_bytes=0), replace(LARGE, runners=several))
        assert said == alone(text, Asked(second_look_bytes=0))
