"""Several processes on one text: the same answer as one, also when a worker dies."""

import io
import mmap
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from ctypes import c_char
from dataclasses import replace

import pytest

from agentaudit.encoding.jsonl import lanes
from agentaudit.encoding.jsonl.asked import Asked, Probe
from agentaudit.encoding.jsonl.engine import Engine, EngineName, engine, engine_names
from agentaudit.encoding.jsonl.framer import Framer, framing
from agentaudit.encoding.jsonl.ledger import Framed
from agentaudit.encoding.jsonl.tally import Tally
from agentaudit.framing import pool as pools
from agentaudit.framing import relay as relays
from agentaudit.framing import team as teams
from agentaudit.framing import travelling
from agentaudit.framing.opening import stream
from agentaudit.framing.pool import Pool
from agentaudit.framing.worker import serve
from agentaudit.model.framing import Compression
from tests.encoding.jsonl.records import lines, record
from tests.framing.running import FOUND

ASKED = Asked(keys=True, probes=(Probe(("timestamp",), 0), Probe(("type",))), second_look_bytes=200_000)


SLOT_BYTES = 512 * 1024


@pytest.fixture(autouse=True)
def small_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    """One worker's slots are so small that the text fills each of them several times."""
    monkeypatch.setattr(teams, "SHARED_BYTES", (teams.AHEAD + teams.SLOTS_SPARE) * SLOT_BYTES)


def text() -> bytes:
    """Four megabytes of records, with broken ones among them, a long line and a tail."""
    rows = [record(number, "x" * 900) for number in range(3_500)]
    rows[1_000], rows[2_000] = rows[1_000][:100], rows[2_000] + rows[2_001]
    rows[3_000] = record(3_000, "y" * 1_500_000)
    return lines(*rows) + rows[5][:70]


TEXT = text()


def alone(asked: Asked = ASKED) -> Framed:
    """The framing of the text in one process."""
    framer = framing(asked)
    framer.feed(TEXT)
    return framer.finish()


@pytest.mark.parametrize("workers", [0, 1, 2])
@pytest.mark.parametrize("start_bytes", [0, 1_000_000, 10**9])
def test_many_processes_say_what_one_says(workers: int, start_bytes: int) -> None:
    """Facts, words and probes, in whatever order the blocks were judged."""
    with Pool(ASKED, workers=workers, start_bytes=start_bytes) as pool:
        framer = Framer(pool)
        framer.feed(TEXT)
        assert framer.finish() == alone()


def test_texts_share_a_pool_at_once() -> None:
    """Each comes to what it comes to alone, however their bytes are mixed, and slots never run out."""
    with Pool(ASKED, workers=1, start_bytes=0) as pool:
        framers = [Framer(pool) for _ in range(6)]
        for at in range(0, len(TEXT), SLOT_BYTES // 2):
            for framer in framers:
                framer.feed(TEXT[at : at + SLOT_BYTES // 2])
        for framer in framers:
            framer.end()
        assert [framer.result() for framer in framers] == [alone()] * 6


def send_all(pool: Pool, number: signal.Signals) -> None:
    """Send a signal to every worker of the pool."""
    team = pool._team
    assert team is not None
    for worker in team.workers:
        assert worker.process.pid is not None
        os.kill(worker.process.pid, number)
        if number is signal.SIGKILL:
            worker.process.join()


def test_workers_that_die_idle_lose_nothing() -> None:
    """That they are dead is seen when they are given a block; it is judged here, and so are all others."""
    with Pool(ASKED, workers=2, start_bytes=0) as pool:
        framer = Framer(pool)
        framer.feed(TEXT[:SLOT_BYTES])
        send_all(pool, signal.SIGKILL)
        framer.feed(TEXT[SLOT_BYTES:])
        assert framer.finish() == alone()
        assert pool._team is not None
        assert not pool._team.workers


def test_workers_that_die_at_work_lose_nothing() -> None:
    """What they have not answered still lies in its slots."""
    with Pool(ASKED, workers=2, start_bytes=0) as pool:
        framer = Framer(pool)
        framer.feed(TEXT[:SLOT_BYTES])
        send_all(pool, signal.SIGSTOP)
        framer.feed(TEXT[SLOT_BYTES:])
        send_all(pool, signal.SIGKILL)
        assert framer.finish() == alone()


def test_workers_start_before_a_text_that_is_said_to_be_large() -> None:
    """Its first bytes are read into a shared slot already."""
    with Pool(ASKED, workers=1, start_bytes=1_000) as pool:
        pool.expect(len(TEXT))
        team = pool._team
        assert team is not None
        framer = Framer(pool)
        assert len(framer.room()) == SLOT_BYTES
        framer.feed(TEXT)
        assert framer.finish() == alone()
        pool.expect(len(TEXT))
        assert pool._team is team


@pytest.mark.parametrize(("workers", "octets"), [(0, 10**12), (1, 999)])
def test_nobody_is_started_for_a_small_text_or_where_nobody_is_wanted(workers: int, octets: int) -> None:
    """This process judges it alone."""
    with Pool(ASKED, workers=workers, start_bytes=1_000) as pool:
        pool.expect(octets)
        assert pool._team is None


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_slots_are_one_bounded_memory(workers: int) -> None:
    """More workers have smaller slots, each of whole pages; none reaches into the next."""
    team = teams.Team(ASKED, workers)
    try:
        sizes = {len(slot) for slot in team.slots}
        assert len(team.slots) == teams.AHEAD * workers + teams.SLOTS_SPARE
        assert len(sizes) == 1
        assert not sizes.pop() % mmap.PAGESIZE
        assert sum(map(len, team.slots)) <= teams.SHARED_BYTES
        for number, slot in enumerate(team.slots):
            slot[0] = slot[-1] = number
        assert [(slot[0], slot[-1]) for slot in team.slots] == [(number, number) for number in range(len(team.slots))]
    finally:
        team.close()


def test_what_this_process_judges_meanwhile_is_judged_by_the_fast_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The slow one is for small inputs: a block that waits for a worker is no small input."""
    asked = replace(ASKED, second_look_bytes=0)
    with Pool(asked, workers=1, start_bytes=0) as pool:
        pool.expect(1)
        loaded: list[EngineName] = []

        def load(name: EngineName) -> Engine:
            loaded.append(name)
            return engine(name)

        monkeypatch.setattr(lanes, "engine", load)
        send_all(pool, signal.SIGSTOP)
        framer = Framer(pool)
        framer.feed(TEXT)
        assert loaded == [engine_names()[0]]
        send_all(pool, signal.SIGCONT)
        assert framer.finish() == alone(asked)


def test_before_its_workers_start_a_pool_awaits_nothing() -> None:
    """What was given is judged already."""
    with Pool(ASKED, workers=1) as pool:
        pool.pump()
        assert pool._team is None


def test_a_worker_answers_until_its_pipe_closes() -> None:
    """What runs in the other process, run here: an interrupt is not for it, and it ends without a word."""
    before = signal.getsignal(signal.SIGINT)
    ours, theirs = multiprocessing.Pipe()
    stale, _ = multiprocessing.Pipe()
    slots = multiprocessing.RawArray(c_char, lines(record(1), record(2)[:9]))
    answers: list[Tally] = []

    def ask() -> None:
        for begin, length in ((0, len(record(1)) + 1), (len(record(1)) + 1, 10)):
            ours.send((begin, length, begin))
            answers.append(ours.recv())
        ours.close()

    parent = threading.Thread(target=ask)
    parent.start()
    try:
        serve(theirs, slots, ASKED, (stale,))
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
        parent.join()
        theirs.close()
    assert [(tally.ok, tally.faults) for tally in answers] == [(1, {}), (0, {"cut": 1})]
    assert stale.closed


def test_a_text_that_is_given_up_leaves_the_pool_to_others() -> None:
    """Its blocks are waited for, its slot is free again."""
    with Pool(ASKED, workers=1, start_bytes=0) as pool:
        lost = Framer(pool)
        lost.feed(TEXT[: 3 * SLOT_BYTES + 5])
        lost.abandon()
        framer = Framer(pool)
        framer.feed(TEXT)
        assert framer.finish() == alone()


def test_workers_end_with_the_pool() -> None:
    """No process is left, also when blocks are unanswered."""
    with Pool(ASKED, workers=2, start_bytes=0) as pool:
        Framer(pool).feed(TEXT)
        team = pool._team
        assert team is not None
        processes = [worker.process for worker in team.workers]
    assert processes
    assert not any(process.is_alive() for process in processes)


def test_a_worker_that_does_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command does not wait for it for ever."""
    monkeypatch.setattr(teams, "_END_S", 0.05)
    with Pool(ASKED, workers=1, start_bytes=0) as pool:
        Framer(pool).feed(TEXT[:SLOT_BYTES])
        assert pool._team is not None
        process = pool._team.workers[0].process
        send_all(pool, signal.SIGSTOP)
    assert process.exitcode == -signal.SIGKILL


def test_beside_other_threads_workers_are_not_forked() -> None:
    """A fork would copy the locks that those threads hold; a spawned worker answers the same."""
    waiting = threading.Event()
    thread = threading.Thread(target=waiting.wait)
    thread.start()
    try:
        asked = replace(ASKED, probes=())
        with Pool(asked, workers=1, start_bytes=0) as pool:
            framer = Framer(pool)
            framer.feed(TEXT)
            assert framer.finish() == alone(asked)
    finally:
        waiting.set()
        thread.join()


def test_one_core_is_used_by_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second process would only take turns with this one."""
    monkeypatch.setattr(pools, "_cores", lambda: 1)
    with Pool(ASKED, start_bytes=0) as pool:
        framer = Framer(pool)
        framer.feed(TEXT)
        framer.finish()
        assert pool._team is None


def test_the_cores_of_this_process_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system does not say, those of the machine."""
    assert pools._cores() >= 1
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert pools._cores() == 1


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.FileIO]:
    """A file that is large enough for a relay, in a process that may fork."""
    monkeypatch.setattr(pools, "may_fork", lambda: True)
    with io.FileIO(os.devnull) as file:
        yield file


@pytest.mark.skipif(FOUND is None or sys.platform != "linux", reason="nothing runs in turns there")
def test_a_large_regular_file_is_a_relays(large: io.FileIO) -> None:
    """It has as many runners as cores, up to a bound, and no worker is started."""
    for workers, runners in ((1, 2), (2, 3), (9, pools.RUNNERS_MAX)):
        with Pool(ASKED, workers=workers) as pool:
            relay = pool.relay(large, pools.RELAY_BYTES, None)
            assert relay is not None
            assert relay.measures.runners == runners
            assert pool._team is None


@pytest.mark.skipif(sys.platform != "linux", reason="nothing runs in turns there")
@pytest.mark.parametrize(
    "lacks", ["size", "cores", "file", "fork", "functions", "engine", "events", "memory", "places"]
)
def test_whatever_a_relay_lacks_workers_do(lacks: str, large: io.FileIO, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are started before the first byte, as ever, where there are cores for them."""

    def refused(*_arguments: object) -> None:
        raise OSError(12, "no memory")

    if lacks == "fork":
        monkeypatch.setattr(pools, "may_fork", lambda: False)
    elif lacks == "functions":
        monkeypatch.setattr(travelling, "sha256_functions", lambda: None)
    elif lacks == "engine":
        monkeypatch.setattr(pools, "engine_names", lambda: ("standard",))
    elif lacks == "events":
        monkeypatch.delattr(os, "eventfd")
    elif lacks == "memory":
        monkeypatch.setattr(relays, "Relay", refused)
    source = stream(io.BytesIO()) if lacks == "file" else large
    with Pool(ASKED, workers=0 if lacks == "cores" else 1) as pool:
        named: Compression | None = "gzip" if lacks == "places" else None
        assert pool.relay(source, pools.RELAY_BYTES - (lacks == "size"), named) is None
        assert (pool._team is None) == (lacks == "cores")
