"""Reading a few tables of an SQLite database of a store, from a private copy, never where it was found.

- The database and its `-wal` are copied into a fresh folder of ours, which is deleted; the `-shm` is left out, because
  SQLite builds it anew. What SQLite writes beside the copy never touches the package or the store.
- The copy is opened for reading; nothing that the evidence defines is executed: no view, trigger, virtual table,
  generated column or function. Once the schema is loaded nothing is allowed but to read columns of plain tables.
- Bytes, rows, cells and steps are bounded; a failure is a value with SQLite's name of it, never its text.
- `immutable` is not used: with it SQLite would not look into the `-wal`, where the content may lie alone.
"""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from agentaudit.adapters.codex.tables import Row, Table, TableRows

_NAME: Final = "copy.sqlite"
_CELL_MAX: Final = 256 * 1024 * 1024
_STEPS: Final = 100_000
_SCHEMA_MAX: Final = 10_000
_SCHEMA: Final = "SELECT type, name, sql FROM sqlite_master LIMIT ?"
_BEFORE: Final = ("query_only=ON", "cell_size_check=ON", "mmap_size=0")
# Only once the schema is loaded: SQLite refuses to load one with json_extract in an index, as this product's has.
_AFTER: Final = "trusted_schema=OFF"
_ALLOWED: Final = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ})


@dataclass(frozen=True, slots=True)
class ReadBounds:
    """Bytes of the copied files, rows of a table, and hundred-thousands of steps of SQLite's machine for all of it."""

    copy_bytes: int = 8 * 1024**3
    rows: int = 250_000
    steps: int = 20_000


@dataclass(frozen=True, slots=True)
class DatabaseRead:
    """The tables that were asked for, in that order, and how many tables the database has."""

    tables: int
    rows: tuple[TableRows, ...]


@dataclass(frozen=True, slots=True)
class NotRead:
    """The database could not be read: over the bound, damaged or no database, or the system refused; and its name."""

    problem: Literal["over_limit", "damaged", "failed"]
    error: str | None = None


BOUNDS: Final = ReadBounds()


def read_tables(
    database: Path, wal: Path | None, scratch: Path, tables: Iterable[Table], bounds: ReadBounds = BOUNDS
) -> DatabaseRead | NotRead:
    """Read the tables of a database whose files were preserved; `scratch` is a folder of ours for the private copy."""
    asked = tuple(tables)
    try:
        sources = [database] if wal is None else [database, wal]
        if sum(source.stat().st_size for source in sources) > bounds.copy_bytes:
            return NotRead("over_limit")
        with tempfile.TemporaryDirectory(dir=scratch, prefix="db-") as folder:
            copy = Path(folder) / _NAME
            for source, suffix in zip(sources, ("", "-wal"), strict=False):
                shutil.copyfile(source, copy.with_name(_NAME + suffix))
            return _read(copy, asked, bounds)
    except sqlite3.Error as error:
        return NotRead("damaged", getattr(error, "sqlite_errorname", None) or type(error).__name__)
    except OSError as error:
        return NotRead("failed", type(error).__name__)


def _read(copy: Path, asked: tuple[Table, ...], bounds: ReadBounds) -> DatabaseRead:
    """Raises sqlite3.Error."""
    with closing(sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True)) as connection:
        schema = _open(connection, bounds.steps)
        plain = {_text(name).lower() for kind, name, sql in schema if kind == b"table" and not _is_virtual(sql)}
        rows = tuple(
            _rows(connection, table, bounds.rows) if table.name in plain else TableRows(table, present=False)
            for table in asked
        )
        return DatabaseRead(sum(kind == b"table" for kind, _, _ in schema), rows)


def _open(connection: sqlite3.Connection, steps: int) -> list[tuple[bytes, bytes, bytes | None]]:
    """The schema; after it nothing of the evidence is executed, and nothing runs for ever. Text comes as its bytes."""
    connection.text_factory = bytes
    for pragma in _BEFORE:
        connection.execute(f"PRAGMA {pragma}")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _CELL_MAX)
    left = iter(range(steps))
    connection.set_progress_handler(lambda: int(next(left, None) is None), _STEPS)
    schema: list[tuple[bytes, bytes, bytes | None]] = connection.execute(_SCHEMA, (_SCHEMA_MAX,)).fetchall()
    connection.execute(f"PRAGMA {_AFTER}")
    connection.set_authorizer(_authorize)
    return schema


def _authorize(action: int, first: str | None, _second: str | None, _schema: str | None, inner: str | None) -> int:
    """Reading is allowed, and asking for the columns of a table; `inner` names a view or trigger that is at work."""
    columns = action == sqlite3.SQLITE_PRAGMA and first == "table_xinfo"
    return sqlite3.SQLITE_OK if inner is None and (columns or action in _ALLOWED) else sqlite3.SQLITE_DENY


def _rows(connection: sqlite3.Connection, table: Table, rows_max: int) -> TableRows:
    """The rows of a plain table; a generated or missing column gives NULL."""
    info: list[tuple[int, bytes, bytes, int, bytes | None, int, int]]
    info = connection.execute(f"PRAGMA table_xinfo({table.name})").fetchall()
    stored = {_text(column[1]).lower() for column in info if column[-1] == 0}
    columns = ", ".join(name if name in stored else "NULL" for name in table.columns)
    asked = f"SELECT {columns} FROM {table.name} NOT INDEXED LIMIT ?"  # noqa: S608 - names are ours
    rows: list[Row] = connection.execute(asked, (rows_max + 1,)).fetchall()
    return TableRows(table, present=True, rows=tuple(rows[:rows_max]), cut=len(rows) > rows_max)


def _is_virtual(sql: bytes | None) -> bool:
    return sql is None or sql.lstrip().upper().startswith(b"CREATE VIRTUAL")


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")
