"""Tables of an image in memory: bounded, and nothing that the image defines is executed."""

from pathlib import Path

import pytest

from agentaudit.encoding.sqliteimage import SqliteImage
from agentaudit.encoding.sqlitetables import Found, Unreadable, Wanted, read_image
from tests.encoding.databases import files_of, image

ONE = Wanted("one", ("id", "word"))


def made(folder: Path, *acts: str) -> SqliteImage:
    """The image after those acts."""
    return image(*files_of(folder, acts))


def read(of: SqliteImage, *wanted: Wanted, rows_max: int = 10) -> tuple[Found, ...]:
    """What is found; the image is readable."""
    found = read_image(of, wanted, rows_max=rows_max)
    assert isinstance(found, tuple)
    return found


def test_rows_come_with_their_rowid_and_text_as_bytes(tmp_path: Path) -> None:
    """A row is its number and its cells; a text that is no UTF-8 ends nothing."""
    of = made(
        tmp_path,
        "CREATE TABLE one (id INTEGER PRIMARY KEY, word TEXT)",
        "INSERT INTO one VALUES (7, CAST(x'ff41' AS TEXT))",
    )
    assert read(of, ONE)[0].rows == ((7, (7, b"\xffA")),)


def test_an_absent_table_is_not_an_empty_one(tmp_path: Path) -> None:
    """A lazy table that was never made is told from one without rows."""
    of = made(tmp_path, "CREATE TABLE one (id INTEGER, word TEXT)")
    empty, absent = read(of, ONE, Wanted("two", ("id",)))
    assert (empty.present, empty.rows) == (True, ())
    assert (absent.present, absent.rows) == (False, ())


def test_lacking_and_added_columns_are_said(tmp_path: Path) -> None:
    """A table of another release gives None for what it lacks, and its further columns are counted."""
    of = made(tmp_path, "CREATE TABLE one (id INTEGER, more TEXT, other TEXT)", "INSERT INTO one VALUES (1, 'a', 'b')")
    found = read(of, ONE)[0]
    assert (found.rows, found.lacking, found.added) == (((1, (1, None)),), ("word",), 2)


def test_rows_are_bounded(tmp_path: Path) -> None:
    """More rows than the bound are cut, and that is said."""
    of = made(tmp_path, "CREATE TABLE one (id INTEGER, word TEXT)", "INSERT INTO one VALUES (1,'a'),(2,'b'),(3,'c')")
    assert (len(read(of, ONE, rows_max=2)[0].rows), read(of, ONE, rows_max=2)[0].cut) == (2, True)
    assert read(of, ONE, rows_max=3)[0].cut is False


def test_a_table_without_rowid_is_read(tmp_path: Path) -> None:
    """Its rows have no number."""
    of = made(
        tmp_path,
        "CREATE TABLE one (id INTEGER PRIMARY KEY, word TEXT) WITHOUT ROWID",
        "INSERT INTO one VALUES (4, 'a')",
    )
    assert read(of, ONE)[0].rows == ((None, (4, b"a")),)


@pytest.mark.parametrize(
    "trap",
    [
        "CREATE VIEW one AS SELECT 1 AS id, 'x' AS word",
        "CREATE VIRTUAL TABLE one USING fts5(id, word)",
    ],
)
def test_views_and_virtual_tables_are_no_tables(tmp_path: Path, trap: str) -> None:
    """What would be computed is not read."""
    assert read(made(tmp_path, "CREATE TABLE real (id)", trap), ONE)[0].present is False


def test_a_generated_column_is_not_computed(tmp_path: Path) -> None:
    """Its value would be an expression of the evidence."""
    of = made(
        tmp_path, "CREATE TABLE one (id INTEGER, word TEXT AS ('made ' || id))", "INSERT INTO one (id) VALUES (1)"
    )
    found = read(of, ONE)[0]
    assert (found.rows, found.lacking) == (((1, (1, None)),), ("word",))


def test_damage_is_a_value(tmp_path: Path) -> None:
    """A page of noise gives SQLite's own name for the fault, and no text."""
    of = made(tmp_path, "CREATE TABLE one (id INTEGER, word TEXT)", "INSERT INTO one VALUES (1, 'a')")
    broken = SqliteImage(of.octets[:4096] + b"\xff" * (len(of.octets) - 4096), of.page_bytes, "absent")
    found = read_image(broken, (ONE,))
    assert isinstance(found, Unreadable)
    assert found.error.startswith("SQLITE_")


def test_work_is_bounded(tmp_path: Path) -> None:
    """A table that takes too many steps is not read to its end."""
    count = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<60000)"
    of = made(tmp_path, "CREATE TABLE one (id INTEGER, word TEXT)", f"{count} INSERT INTO one SELECT i, i FROM n")  # noqa: S608
    assert read_image(of, (ONE,), steps=0) == Unreadable("SQLITE_INTERRUPT")
