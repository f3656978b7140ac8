"""`collect-bridge-audit` on the command line: API, exports, database; refusals; the token."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from agentaudit.demo.server import LoopbackServer
from agentaudit.format import layout
from agentaudit.model.stream import EventRow, StreamRow
from tests.cli.terminal import Terminal
from tests.support.bridging import CANARY, Bridge, job_id, usual

DIGEST = "a digest of a token, long enough"


@pytest.fixture
def bridge() -> Iterator[tuple[Bridge, str]]:
    """A bridge of two jobs, served."""
    world = usual()
    with LoopbackServer(world) as server:
        yield world, server.url


def _rows(case: Path) -> tuple[list[EventRow], dict[str, StreamRow]]:
    events = (case / "EX-0001" / layout.EVENTS).read_bytes().splitlines()
    streams = (case / "EX-0001" / layout.STREAMS).read_bytes().splitlines()
    rows = [msgspec.json.decode(line, type=StreamRow) for line in streams]
    return [msgspec.json.decode(line, type=EventRow) for line in events], {row.stream: row for row in rows}


def _found(row: StreamRow) -> dict[str, int]:
    return {finding.code: finding.count for finding in row.findings}


def test_the_api_is_collected_and_verified(empty_case: Path, bridge: tuple[Bridge, str]) -> None:
    """The token comes from the environment; the exhibit says that its source was a local service."""
    world, url = bridge
    terminal = Terminal({"BRIDGE_TOKEN": world.secret})
    argv = ("collect-bridge-audit", str(empty_case), "--api-root", url, "--requests-per-minute", "230")
    assert terminal.run(*argv) == 0, terminal.err
    assert "LOCAL SERVICE" in terminal.err
    assert CANARY not in terminal.out + terminal.err
    assert world.secret not in terminal.out + terminal.err
    assert terminal.run("verify", str(empty_case)) == 0, terminal.out
    assert terminal.run("show", str(empty_case / "EX-0001")) == 0
    assert "job/000001" in terminal.out


@pytest.mark.parametrize(
    "options",
    [
        ("--requests-per-minute", "231"),
        ("--requests-per-minute", "0"),
        ("--job", "a/b"),
        ("--export", "a", "--database", "b"),
        ("--export", "a", "--job", "x"),
        ("--database", "a", "--dry-run"),
        ("--resume", "EX-0001", "--without-payloads"),
        ("--resume", "nothing"),
        ("--api-root", "http://bridge.example"),
        ("--export", "nowhere.json"),
        ("--export", "."),
    ],
)
def test_what_makes_no_sense_starts_nothing(untouched: Path, options: tuple[str, ...]) -> None:
    """Status 2, and no exhibit."""
    terminal = Terminal()
    assert terminal.run("collect-bridge-audit", str(untouched), *options) == 2, terminal.err
    assert sorted(path.name for path in untouched.iterdir()) == sorted(["case.json", "custody.jsonl"])


def test_without_a_token_nothing_is_asked(untouched: Path, bridge: tuple[Bridge, str]) -> None:
    """Status 5, and how to give one."""
    terminal = Terminal()
    assert terminal.run("collect-bridge-audit", str(untouched), "--api-root", bridge[1]) == 5
    assert "--token-file" in terminal.err
    assert bridge[0].requests == []


def test_a_dry_run_asks_nothing_and_hides_ids(untouched: Path) -> None:
    """The first requests stand there, and a job's id only with names."""
    terminal = Terminal()
    assert terminal.run("collect-bridge-audit", str(untouched), "--dry-run", "--job", job_id(1)) == 0, terminal.err
    assert "/v1/bridge/status" in terminal.out
    assert job_id(1) not in terminal.out


def test_an_export_is_preserved_and_read(empty_case: Path, tmp_path: Path) -> None:
    """Its entries are events, its boundary holds, and nothing of its content is in a row."""
    path = tmp_path / "export.json"
    path.write_bytes(usual().export(job_id(1)))
    terminal = Terminal()
    assert terminal.run("collect-bridge-audit", str(empty_case), "--export", str(path)) == 0, terminal.err
    events, streams = _rows(empty_case)
    assert len(events) == len(usual().of(job_id(1)))
    assert streams["file/000001"].form == "bridge_export/1"
    assert streams["job/000001"].name == job_id(1)
    assert _found(streams["job/000001"]) == {}
    assert terminal.run("verify", str(empty_case)) == 0, terminal.out
    for name in (layout.EVENTS, layout.STREAMS, layout.JOURNAL):
        assert CANARY.encode() not in (empty_case / "EX-0001" / name).read_bytes()


def test_a_database_under_another_name_is_no_export(untouched: Path, tmp_path: Path) -> None:
    """Its first bytes tell, and its tokens stay where they are."""
    path = tmp_path / "export.json"
    usual().database(path)
    assert Terminal().run("collect-bridge-audit", str(untouched), "--export", str(path)) == 2


@pytest.mark.parametrize("wal", [False, True])
def test_a_database_is_packed_without_its_tokens(empty_case: Path, tmp_path: Path, *, wal: bool) -> None:
    """The rows of `tokens` are nowhere in the case; entries are, also those that lay in the log alone."""
    path = tmp_path / "store" / "queue.sqlite"
    path.parent.mkdir()
    (path.parent / "owner.token").write_text(DIGEST)
    world = usual()
    world.database(path, wal=wal, digest=DIGEST)
    before = {one.name: one.read_bytes() for one in path.parent.iterdir()}
    terminal = Terminal()
    assert terminal.run("collect-bridge-audit", str(empty_case), "--database", str(path)) == 0, terminal.err
    assert {one.name: one.read_bytes() for one in path.parent.iterdir()} == before
    for found in empty_case.rglob("*"):
        assert not found.is_file() or DIGEST.encode() not in found.read_bytes(), found
    events, streams = _rows(empty_case)
    assert len(events) == len(world.entries)
    table = next(row for row in streams.values() if row.kind == "table")
    assert [(run.first, run.last) for run in table.runs] == [(1, len(world.entries))]
    note = next(one for one in (empty_case / "EX-0001/data").rglob("*.json"))
    assert b'"table":"tokens"' in note.read_bytes()
    assert terminal.run("verify", str(empty_case)) == 0, terminal.out


def test_a_token_that_stands_elsewhere_too_is_not_packed(untouched: Path, tmp_path: Path) -> None:
    """Status 5: nothing is given out that a withheld value can be read from."""
    path = tmp_path / "queue.sqlite"
    usual().database(path, digest=CANARY)
    assert Terminal().run("collect-bridge-audit", str(untouched), "--database", str(path)) == 5


def test_holes_over_the_whole_table_are_a_hint(empty_case: Path, tmp_path: Path) -> None:
    """A row taken out in the middle and one at the end are both told."""
    path = tmp_path / "queue.sqlite"
    usual().database(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DELETE FROM audit_entries WHERE id = 3 OR id = (SELECT max(id) FROM audit_entries)")
    terminal = Terminal()
    assert terminal.run("collect-bridge-audit", str(empty_case), "--database", str(path)) == 0, terminal.err
    _, streams = _rows(empty_case)
    assert _found(streams["file/000001"])["id_hole_hint"] == 2


@pytest.mark.parametrize("octets", [b"SQLite format 3\x00" + bytes(84), b"no database at all, and long enough"])
def test_what_is_no_database_of_the_bridge_is_refused(untouched: Path, tmp_path: Path, octets: bytes) -> None:
    """Status 2 or 5, and no exhibit."""
    path = tmp_path / "queue.sqlite"
    path.write_bytes(octets)
    assert Terminal().run("collect-bridge-audit", str(untouched), "--database", str(path)) in (2, 5)
    assert not list(untouched.glob("EX-*"))
