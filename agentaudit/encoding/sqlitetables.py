"""Reading plain tables of a database image in memory; nothing that the image defines is executed.

- No file is opened: the image is given to SQLite as bytes, and attaching is denied.
- Once the schema is loaded nothing is allowed but to read columns of plain tables: no view, trigger, virtual table,
  generated column or function.
- Rows and steps are bounded. A failure is a value with SQLite's name of it, never its text.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias

from agentaudit.encoding.sqliteimage import SqliteImage

Cell: TypeAlias = int | float | bytes | None
"""A value; text comes as its bytes, so that no encoding ends a reading."""

ROWS_MAX: Final = 1_000_000
_STEPS_EACH: Final = 100_000
_STEPS: Final = 20_000
_CELL_MAX: Final = 64 * 1024 * 1024
_SCHEMA: Final = "SELECT name, sql FROM sqlite_master WHERE type = 'table' LIMIT 10000"
_BEFORE: Final = ("query_only=ON", "cell_size_check=ON")
_ALLOWED: Final = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ})


@dataclass(frozen=True, slots=True)
class Wanted:
    """A table and the columns asked for; names are ours, in lower case."""

    name: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What a database has of a wanted table: absent (lazy, or of another release) is not the same as empty.

    Rows are (rowid, cells in the order asked for); a column that the table lacks gives None and is named in `lacking`.
    `cut` says that there are more rows than the bound. `added` counts columns that were not asked for.
    """

    wanted: Wanted
    present: bool
    rows: tuple[tuple[int | None, tuple[Cell, ...]], ...] = ()
    lacking: tuple[str, ...] = ()
    added: int = 0
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Unreadable:
    """SQLite could not read the image; `error` is its own name for why."""

    error: str


def read_image(
    image: SqliteImage, wanted: Iterable[Wanted], *, rows_max: int = ROWS_MAX, steps: int = _STEPS
) -> tuple[Found, ...] | Unreadable:
    """Each wanted table, in that order; `steps` bounds the work, in hundred thousands of SQLite's own steps."""
    try:
        with _opened(image, steps) as (connection, plain):
            return tuple(_found(connection, one, plain, rows_max) for one in wanted)
    except sqlite3.Error as error:
        return Unreadable(getattr(error, "sqlite_errorname", None) or type(error).__name__)


def allow_reading(action: int, first: str | None, _second: str | None, _schema: str | None, inner: str | None) -> int:
    """An authoriser: reading is allowed, and asking for the columns of a table; `inner` names what is at work."""
    columns = action == sqlite3.SQLITE_PRAGMA and first == "table_xinfo"
    return sqlite3.SQLITE_OK if inner is None and (columns or action in _ALLOWED) else sqlite3.SQLITE_DENY


@contextmanager
def _opened(image: SqliteImage, steps: int) -> Iterator[tuple[sqlite3.Connection, frozenset[str]]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(image.octets)
        connection.text_factory = bytes
        for pragma in _BEFORE:
            connection.execute(f"PRAGMA {pragma}")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _CELL_MAX)
        left = iter(range(steps))
        connection.set_progress_handler(lambda: int(next(left, None) is None), _STEPS_EACH)
        schema = connection.execute(_SCHEMA).fetchall()
        # Only now: SQLite refuses to load a schema with json_extract in an index once this is off.
        connection.execute("PRAGMA trusted_schema=OFF")
        connection.set_authorizer(allow_reading)
        yield connection, frozenset(_text(name).lower() for name, sql in schema if _is_plain(sql))


def _found(connection: sqlite3.Connection, wanted: Wanted, plain: frozenset[str], rows_max: int) -> Found:
    if wanted.name not in plain:
        return Found(wanted, present=False)
    info = connection.execute(f"PRAGMA table_xinfo({wanted.name})").fetchall()
    stored = {_text(column[1]).lower() for column in info if column[-1] == 0}
    columns = ", ".join(name if name in stored else "NULL" for name in wanted.columns)
    rowid = "rowid" if _has_rowid(connection, wanted.name) else "NULL"
    asked = f"SELECT {rowid}, {columns} FROM {wanted.name} NOT INDEXED LIMIT ?"  # noqa: S608 - names are ours
    rows = connection.execute(asked, (rows_max + 1,)).fetchall()
    return Found(
        wanted,
        present=True,
        rows=tuple((row[0], tuple(row[1:])) for row in rows[:rows_max]),
        lacking=tuple(name for name in wanted.columns if name not in stored),
        added=len(stored - set(wanted.columns)),
        cut=len(rows) > rows_max,
    )


def _has_rowid(connection: sqlite3.Connection, table: str) -> bool:
    try:
        connection.execute(f"SELECT rowid FROM {table} LIMIT 0")  # noqa: S608 - the name is ours
    except sqlite3.OperationalError:
        return False
    return True


def _is_plain(sql: bytes | None) -> bool:
    return sql is None or not sql.lstrip().upper().startswith(b"CREATE VIRTUAL")


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")
