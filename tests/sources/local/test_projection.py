"""Reading tables of a preserved database: from a private copy, bounded, and nothing of the evidence is executed."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agentaudit.adapters.codex.projection import TABLES, RolloutFile, compare
from agentaudit.adapters.codex.tables import EDGES, THREADS, TableRows
from agentaudit.sources.local.projection import DatabaseRead, NotRead, ReadBounds, _authorize, read_tables
from tests.adapters.codex.homes import SAMPLE, A, parts_of, rollout_name

CREATE = "CREATE TABLE threads (id TEXT PRIMARY KEY, rollout_path TEXT NOT NULL, title TEXT, archived INTEGER)"


def write(path: Path, *statements: str, wal: bool = False) -> Path:
    """A database made by these statements; with `wal` a copy whose content lies in the log alone."""
    made = path.with_name("made-" + path.name) if wal else path
    with closing(sqlite3.connect(made, isolation_level=None)) as connection:
        if wal:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA wal_autocheckpoint=0")
        for statement in statements:
            connection.execute(statement)
        if wal:
            path.write_bytes(made.read_bytes())
            log_of(path).write_bytes(log_of(made).read_bytes())
    return path


def inserted(thread: str, path: str = "p", title: str = "", archived: str = "0") -> str:
    """The statement that adds one row to `threads`."""
    return " ".join(("INSERT INTO threads VALUES", f"('{thread}', '{path}', '{title}', {archived})"))


def log_of(path: Path) -> Path:
    """The log beside a database."""
    return path.with_name(path.name + "-wal")


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """A folder of ours, which must be empty afterwards."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


def read(database: Path, scratch: Path, wal: Path | None = None, bounds: ReadBounds | None = None) -> DatabaseRead:
    """The tables `threads` and `thread_spawn_edges`, with nothing left behind."""
    found = read_tables(database, wal, scratch, TABLES["state"], bounds or ReadBounds())
    assert list(scratch.iterdir()) == []
    assert isinstance(found, DatabaseRead)
    return found


def threads(database: Path, scratch: Path) -> TableRows:
    """What was read of `threads`."""
    return read(database, scratch).rows[0]


def test_named_columns_are_read_as_bytes(tmp_path: Path, scratch: Path) -> None:
    """Nothing else of a row; a table that is not there is said to be absent."""
    path = write(tmp_path / "d", CREATE, inserted(A, "/x/y.jsonl", "private", "1"))
    found = read(path, scratch)
    assert found.tables == 1
    assert found.rows[0] == TableRows(THREADS, present=True, rows=((A.encode(), b"/x/y.jsonl", 1),))
    assert found.rows[1] == TableRows(EDGES, present=False)


def test_content_in_the_log_needs_the_log(tmp_path: Path, scratch: Path) -> None:
    """Without its `-wal` the database shows nothing; with it the rows are there, and neither file is touched."""
    path = write(tmp_path / "d", CREATE, inserted(A), wal=True)
    before = {one: one.read_bytes() for one in (path, log_of(path))}
    assert read(path, scratch).tables == 0
    assert read(path, scratch, log_of(path)).rows[0].rows == ((A.encode(), b"p", 0),)
    assert {one: one.read_bytes() for one in before} == before
    assert not path.with_name("d-shm").exists()


def test_a_torn_log_gives_what_was_committed_before(tmp_path: Path, scratch: Path) -> None:
    """A log that breaks off is an earlier state, not a failure."""
    path = write(tmp_path / "d", CREATE, inserted(A), wal=True)
    log_of(path).write_bytes(log_of(path).read_bytes()[:-1])
    assert read(path, scratch, log_of(path)).rows[0] == TableRows(THREADS, present=True)


def test_a_missing_column_is_null(tmp_path: Path, scratch: Path) -> None:
    """An older release has fewer columns."""
    path = write(tmp_path / "d", "CREATE TABLE threads (ID TEXT)", "INSERT INTO threads VALUES ('a')")
    assert threads(path, scratch).rows == ((b"a", None, None),)


@pytest.mark.parametrize(
    "statements",
    [
        ("CREATE VIEW threads AS SELECT 'a' AS id, 'b' AS rollout_path, 0 AS archived",),
        ("CREATE VIRTUAL TABLE threads USING fts5(id, rollout_path, archived)",),
    ],
)
def test_what_is_no_plain_table_is_not_read(statements: tuple[str, ...], tmp_path: Path, scratch: Path) -> None:
    """A view or a virtual table would execute what the evidence defines."""
    assert threads(write(tmp_path / "d", *statements), scratch) == TableRows(THREADS, present=False)


def test_a_generated_column_is_not_computed(tmp_path: Path, scratch: Path) -> None:
    """It is NULL like one that is missing."""
    path = write(
        tmp_path / "d",
        "CREATE TABLE threads (id TEXT, archived INTEGER, rollout_path TEXT AS (hex(zeroblob(100000000))))",
        "INSERT INTO threads (id, archived) VALUES ('a', 0)",
    )
    assert threads(path, scratch).rows == ((b"a", None, 0),)


def test_values_of_any_type_come_as_they_are(tmp_path: Path, scratch: Path) -> None:
    """Bytes that are no text, numbers and NULL."""
    path = write(tmp_path / "d", CREATE.replace(" NOT NULL", ""), "INSERT INTO threads VALUES (x'ff', NULL, '', 1.5)")
    assert threads(path, scratch).rows == ((b"\xff", None, 1.5),)


def test_rows_are_bounded(tmp_path: Path, scratch: Path) -> None:
    """More rows than the bound are said to be there; exactly the bound is not cut."""
    path = write(tmp_path / "d", CREATE, *(inserted(str(n)) for n in range(3)))
    two = read(path, scratch, bounds=ReadBounds(rows=2)).rows[0]
    assert (len(two.rows), two.cut) == (2, True)
    three = read(path, scratch, bounds=ReadBounds(rows=3)).rows[0]
    assert (len(three.rows), three.cut) == (3, False)


def test_bytes_are_bounded(tmp_path: Path, scratch: Path) -> None:
    """A database over the bound is not even copied."""
    path = write(tmp_path / "d", CREATE)
    bounds = ReadBounds(copy_bytes=path.stat().st_size - 1)
    assert read_tables(path, None, scratch, (THREADS,), bounds) == NotRead("over_limit")


def test_steps_are_bounded(tmp_path: Path, scratch: Path) -> None:
    """What would run on is stopped."""
    many = (
        "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) "
        "INSERT INTO threads SELECT i, 'p', '', 0 FROM n"
    )
    path = write(tmp_path / "d", CREATE, many)
    assert read_tables(path, None, scratch, (THREADS,), ReadBounds(steps=0)) == NotRead("damaged", "SQLITE_INTERRUPT")
    assert len(threads(path, scratch).rows) == 50_000


def test_what_is_no_database_is_damaged(tmp_path: Path, scratch: Path) -> None:
    """With SQLite's name for it, and nothing of its text."""
    path = tmp_path / "d"
    path.write_bytes(b"private " * 1_000)
    assert read_tables(path, None, scratch, (THREADS,)) == NotRead("damaged", "SQLITE_NOTADB")
    path.write_bytes(b"")
    assert read(path, scratch).tables == 0


def test_a_damaged_page_is_a_failure(tmp_path: Path, scratch: Path) -> None:
    """Half a database is not read as a whole one."""
    path = write(tmp_path / "d", CREATE, *(inserted(str(n), "p" * 900) for n in range(99)))
    octets = bytearray(path.read_bytes())
    octets[4096:] = b"\xee" * (len(octets) - 4096)
    path.write_bytes(octets)
    assert read_tables(path, None, scratch, (THREADS,)) == NotRead("damaged", "SQLITE_CORRUPT")


def test_a_file_that_is_not_there_is_a_failure(tmp_path: Path, scratch: Path) -> None:
    """The system's word for it."""
    assert read_tables(tmp_path / "no", None, scratch, (THREADS,)) == NotRead("failed", "FileNotFoundError")


def test_a_trigger_never_runs_and_an_index_over_json_is_no_obstacle(tmp_path: Path, scratch: Path) -> None:
    """The product's own schema holds both."""
    path = write(
        tmp_path / "d", CREATE, "CREATE INDEX i ON threads (json_extract(title, '$.a'))",
        "CREATE TRIGGER t AFTER DELETE ON threads BEGIN DELETE FROM threads; END",
        "INSERT INTO threads VALUES ('a', 'p', '{}', 0)",
    )  # fmt: skip
    assert threads(path, scratch).rows == ((b"a", b"p", 0),)


@pytest.mark.parametrize(
    ("action", "first", "inner", "answer"),
    [
        (sqlite3.SQLITE_SELECT, None, None, sqlite3.SQLITE_OK),
        (sqlite3.SQLITE_READ, "threads", None, sqlite3.SQLITE_OK),
        (sqlite3.SQLITE_PRAGMA, "table_xinfo", None, sqlite3.SQLITE_OK),
        (sqlite3.SQLITE_PRAGMA, "writable_schema", None, sqlite3.SQLITE_DENY),
        (sqlite3.SQLITE_READ, "threads", "a_view", sqlite3.SQLITE_DENY),
        (sqlite3.SQLITE_FUNCTION, None, None, sqlite3.SQLITE_DENY),
        (sqlite3.SQLITE_ATTACH, "x", None, sqlite3.SQLITE_DENY),
        (sqlite3.SQLITE_INSERT, "threads", None, sqlite3.SQLITE_DENY),
        (sqlite3.SQLITE_RECURSIVE, None, None, sqlite3.SQLITE_DENY),
    ],
)
def test_nothing_but_reading_columns_is_allowed(action: int, first: str | None, inner: str | None, answer: int) -> None:
    """SQLite asks before every act of a statement."""
    assert _authorize(action, first, None, "main", inner) == answer


@pytest.mark.skipif(not SAMPLE.is_dir(), reason="the samples are not part of the project")
def test_the_genuine_databases_need_their_logs_and_agree_with_the_rollout(scratch: Path) -> None:
    """0 tables without the `-wal`, 18 with it; size and ordinal as projected (README of the samples)."""
    database, history = SAMPLE / "state_5.sqlite", SAMPLE / "thread_history_1.sqlite"
    assert read(database, scratch).tables == 0
    listed = read(database, scratch, log_of(database))
    assert listed.tables == 18
    projected = read_tables(history, log_of(history), scratch, TABLES["thread_history"])
    assert isinstance(projected, DatabaseRead)
    found = compare("r1", (RolloutFile(parts_of(rollout_name()), A, 141_638, 40),), (*listed.rows, *projected.rows))
    assert [(one.file, one.size, one.ordinal, one.turns_beyond) for one in found.threads] == [
        ("present", "equal", "equal", 0)
    ]
    assert (found.missing, found.unlisted, found.smaller, found.larger, found.odd_rows) == (0, 0, 0, 0, 0)
