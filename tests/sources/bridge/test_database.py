"""The reduced copy of a bridge's database: what is refused, and that no value of a token is in what is not."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from agentaudit.adapters.bridge.secrets import REDUCED
from agentaudit.errors import AgentAuditError, SourceRefused, SourceUnreachable, UsageFault
from agentaudit.sources.bridge.database import NOTE, TRIES, ReducedNote, reduce_database
from tests.support.bridging import usual

TOKEN = "-".join(("a", "value", "of", "a", "row", "of", "tokens"))


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database of the bridge with one row of tokens."""
    path = tmp_path / "queue.sqlite"
    usual().database(path, digest=TOKEN)
    return path


def reduced(database: Path, copied: Callable[[str], None] | None = None) -> tuple[ReducedNote, Path]:
    """The note and the folder of what is handed over; `copied` acts after each file that was copied."""
    folder = Path(tempfile.mkdtemp(dir=database.parent))
    scratch, handed = folder / "scratch", folder / "handed"
    scratch.mkdir()
    handed.mkdir()
    copy = shutil.copyfile
    with pytest.MonkeyPatch.context() as patch:
        if copied is not None:

            def copyfile(source: str, target: Path) -> None:
                copy(source, target)
                copied(source)

            patch.setattr("agentaudit.sources.bridge.database.shutil.copyfile", copyfile)
        return reduce_database(database, scratch, handed), handed


def refused(database: Path, fault: type[AgentAuditError], copied: Callable[[str], None] | None = None) -> str:
    """The message of a refusal, after which nothing is handed over and nothing that was withheld is said."""
    with pytest.raises(fault) as found:
        reduced(database, copied)
    assert not list(database.parent.glob("*/handed/*")), "something was handed over"
    assert TOKEN not in found.value.message
    return found.value.message


def change(database: Path, *statements: str) -> None:
    """Write to the database; `@TOKEN` stands for the value that must not get out."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement.replace("@TOKEN", TOKEN))


def test_the_copy_lacks_the_rows_of_tokens_and_says_so(database: Path) -> None:
    """Its note has the state of the original, the tables with their rows, and the digest of the copy."""
    change(database, 'CREATE TABLE "odd""Token" (x)', 'INSERT INTO "odd""Token" VALUES (1), (\'short\'), (NULL)')
    before = database.read_bytes()
    note, handed = reduced(database)
    copy = handed / REDUCED.decode()
    assert database.read_bytes() == before
    assert {(one.table, one.rows) for one in note.withheld} == {("tokens", 1), ('odd"Token', 3)}
    (original,) = note.originals
    assert (original.suffix, original.bytes) == ("", len(before))
    assert original.sha256 == f"sha256:{sha256(before).hexdigest()}"
    assert original.modified_ns == str(database.stat().st_mtime_ns)
    assert note.reduced_sha256 == f"sha256:{sha256(copy.read_bytes()).hexdigest()}"
    assert sorted(path.name for path in handed.iterdir()) == [NOTE, copy.name]
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT count(*) FROM tokens").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM audit_entries").fetchone() == (len(usual().entries),)
    assert TOKEN.encode() not in copy.read_bytes()


def test_a_database_without_rows_of_tokens_has_nothing_to_withhold(database: Path) -> None:
    """The table is named with no row; what else stands there is no leak."""
    change(database, "DELETE FROM tokens", "INSERT INTO jobs (id, data) VALUES ('x', '@TOKEN')")
    note, _ = reduced(database)
    assert [(one.table, one.rows) for one in note.withheld] == [("tokens", 0)]


@pytest.mark.parametrize(("octets", "word"), [(b"", "no SQLite database"), (b"SQLite format 2", "no SQLite database")])
def test_what_does_not_begin_as_a_database_is_refused(tmp_path: Path, octets: bytes, word: str) -> None:
    """An empty file, and one of another form."""
    path = tmp_path / "queue.sqlite"
    path.write_bytes(octets)
    assert word in refused(path, UsageFault)


def test_a_database_of_something_else_is_refused(tmp_path: Path) -> None:
    """It has no table of entries."""
    path = tmp_path / "queue.sqlite"
    change(path, "CREATE TABLE messages (x)")
    assert "no database of the bridge" in refused(path, UsageFault)


def test_a_damaged_database_is_refused(database: Path) -> None:
    """SQLite's name for the damage is said, and nothing of its text."""
    octets = bytearray(database.read_bytes())
    octets[100:4096] = b"\xff" * 3996
    database.write_bytes(octets)
    assert "SQLITE_" in refused(database, SourceRefused)


def test_a_place_without_a_database_is_refused(tmp_path: Path) -> None:
    """Nothing is there; its folder cannot be entered."""
    assert "No such file" in refused(tmp_path / "queue.sqlite", SourceRefused)
    (tmp_path / "file").write_bytes(b"x")
    assert "cannot be read" in refused_at(tmp_path / "file" / "queue.sqlite", tmp_path)


def refused_at(database: Path, beside: Path) -> str:
    """The message for a place in which no folder can be made."""
    scratch, handed = beside / "scratch", beside / "handed"
    scratch.mkdir()
    handed.mkdir()
    with pytest.raises(SourceRefused) as found:
        reduce_database(database, scratch, handed)
    return found.value.message


def pipe(path: Path) -> None:
    """A pipe that nobody writes to."""
    os.mkfifo(path)


def endless(path: Path) -> None:
    """A link to a device without an end."""
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("make", [pipe, endless, Path.mkdir])
@pytest.mark.parametrize("name", ["queue.sqlite", "queue.sqlite-wal", "queue.sqlite-journal"])
def test_what_is_no_regular_file_is_refused(database: Path, name: str, make: Callable[[Path], None]) -> None:
    """The database or a file beside it: none is read, so none waits or fills the disk."""
    (database.parent / name).unlink(missing_ok=True)
    make(database.parent / name)
    assert "no regular file" in refused(database, UsageFault)


def test_a_database_that_is_always_written_to_is_given_up(database: Path) -> None:
    """It is copied so many times and not once more."""
    copies = []

    def write(source: str) -> None:
        copies.append(source)
        change(database, "INSERT INTO jobs (id) VALUES (hex(randomblob(8)))")

    assert "was written to" in refused(database, SourceUnreachable, write)
    assert len(copies) == TRIES


def test_a_database_that_holds_still_at_last_is_taken_as_it_is_then(database: Path) -> None:
    """What lay beside it at the first try and is gone is no part of the copy."""
    wal = database.with_name("queue.sqlite-wal")
    wal.write_bytes(b"no log at all")

    def end(source: str) -> None:
        if source.endswith("-wal"):
            wal.unlink()

    note, _ = reduced(database, end)
    assert [one.suffix for one in note.originals] == [""]


@pytest.mark.parametrize(
    "trigger",
    [
        "AFTER DELETE ON tokens BEGIN INSERT INTO jobs (id, data) VALUES ('x', OLD.hash); END",
        "BEFORE DELETE ON tokens BEGIN SELECT RAISE(IGNORE); END",
        "BEFORE DELETE ON tokens BEGIN DELETE FROM audit_entries; END",
    ],
)
def test_a_trigger_on_the_table_of_tokens_is_refused(database: Path, trigger: str) -> None:
    """Whatever it would do: nothing of the evidence is executed."""
    change(database, f"CREATE TRIGGER keeper {trigger}")
    assert "SQLITE_AUTH" in refused(database, SourceRefused)


def test_a_table_of_tokens_that_is_no_plain_one_is_refused(database: Path) -> None:
    """To empty it would write to other tables."""
    change(database, "CREATE VIRTUAL TABLE token_search USING fts5(x)", "INSERT INTO token_search VALUES ('@TOKEN')")
    assert "SQLITE_AUTH" in refused(database, SourceRefused)


def test_a_value_that_is_no_text_is_refused_without_its_bytes(database: Path) -> None:
    """The library's message would hold them."""
    change(database, "INSERT INTO tokens (hash) VALUES (CAST(x'ff' || '@TOKEN' AS TEXT))")
    assert "OperationalError" in refused(database, SourceRefused)


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO jobs (id, data) VALUES ('x', 'before @TOKEN after')",
        "INSERT INTO jobs (id, data) VALUES ('x', CAST('@TOKEN' AS BLOB))",
        "CREATE VIEW told AS SELECT '@TOKEN'",
        'CREATE TABLE "@TOKEN" (x)',
        "INSERT INTO jobs (id, data) VALUES ('x', zeroblob(1048560) || '@TOKEN')",
        "INSERT INTO jobs (id, data) VALUES ('x', printf('%.*c', 99999, 'x') || '@TOKEN' || printf('%.*c', 9000, 'y'))",
    ],
)
@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le", "UTF-16be"])
def test_a_token_that_stands_elsewhere_too_is_not_given_out(tmp_path: Path, statement: str, encoding: str) -> None:
    """In a text, a blob, the schema, across two pieces of the file, across two pages, in each encoding."""
    path = tmp_path / "queue.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA encoding = '{encoding}'")
        connection.execute("CREATE TABLE audit_entries (id INTEGER PRIMARY KEY AUTOINCREMENT, job_id TEXT, data TEXT)")
        connection.execute("CREATE TABLE jobs (id, data)")
        connection.execute("CREATE TABLE tokens (hash)")
        connection.execute("INSERT INTO tokens VALUES (?)", (TOKEN,))
    change(path, statement)
    assert "another table" in refused(path, SourceRefused)


def test_every_place_of_a_page_is_looked_at(tmp_path: Path) -> None:
    """A value that lies across the end of a page is found wherever the page ends in it."""
    for cut in range(1, len(TOKEN), 5):
        path = tmp_path / f"queue{cut}" / "queue.sqlite"
        path.parent.mkdir()
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA page_size = 512")
            connection.execute("CREATE TABLE audit_entries (id INTEGER PRIMARY KEY, data TEXT)")
            connection.execute("CREATE TABLE tokens (hash)")
            connection.execute("INSERT INTO tokens VALUES (?)", (TOKEN,))
            connection.executemany(
                "INSERT INTO audit_entries (data) VALUES (?)",
                [("x" * (2_000 + at) + TOKEN + "y" * 2_000,) for at in range(cut, 512, 64)],
            )
        refused(path, SourceRefused)


def test_a_short_value_is_no_token(database: Path) -> None:
    """It stands everywhere by chance."""
    change(database, "UPDATE tokens SET hash = 'succeeded'")
    note, _ = reduced(database)
    assert [one.rows for one in note.withheld] == [1]


def test_a_value_that_is_a_blob_is_looked_for_too(database: Path) -> None:
    """As it lies there."""
    change(database, "UPDATE tokens SET hash = CAST('@TOKEN' AS BLOB)", "INSERT INTO jobs (id) VALUES ('x @TOKEN')")
    assert "another table" in refused(database, SourceRefused)
