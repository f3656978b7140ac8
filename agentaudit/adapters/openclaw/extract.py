"""A new database that holds the ledger's rows of another one, and nothing else of it.

- The Gateway's database holds the key that makes its references (`audit_identity_keys`), device keys and tokens, and
  what was deleted lies on in its free pages. So the extract is built anew, row by row, from a closed list of tables and
  columns: no page, no free space, no other table and no column that nobody knew can come along.
- The key, and what a person wrote or was shown, are let in only when they are asked for.
- Rows keep their rowid; text stays text and blobs stay blobs. Declarations of the original are not executed: columns
  have their names and no type.
- That no key is in what came out is looked for, not believed.
- The same rows give the same bytes: an extract is the extract of itself.
"""

import sqlite3
from base64 import b64encode
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from agentaudit.adapters.openclaw.tables import CONTENT_COLUMNS, CONTENT_TABLES, KEPT, KEY
from agentaudit.encoding.sqliteimage import SqliteImage, image_of
from agentaudit.encoding.sqlitetables import Unreadable, allow_reading

_TABLES: Final = "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name LIMIT 10000"
_APPLICATION: Final = int.from_bytes(b"agau", "big")
_BATCH: Final = 1024
_STEPS_EACH: Final = 100_000
_STEPS: Final = 200_000
_CELL_MAX: Final = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Asked:
    """What an extract holds beside the ledger: the key of its references; what people wrote or were shown."""

    identity_key: bool = False
    content: bool = False


IDENTITY_KEY: Final = "identity-key"
CONTENT: Final = "content"
NOTHING_ASKED: Final = Asked()
EVERY_ASKED: Final = tuple(Asked(key, content) for key in (False, True) for content in (False, True))


def asked_for(included: Iterable[str]) -> Asked:
    """What a selection lets in, by its words."""
    words = frozenset(included)
    return Asked(identity_key=IDENTITY_KEY in words, content=CONTENT in words)


@dataclass(frozen=True, slots=True)
class Extract:
    """The new database, its rows by table, the last number that each table's counter spent, and what was left out.

    `left_out` counts the original's tables that are not the ledger's; they are not named. `columns` are those of kept
    tables that were left out.
    """

    octets: bytes
    rows: tuple[tuple[str, int], ...]
    spent: tuple[tuple[str, int], ...]
    left_out: int
    columns: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class KeyLeft:
    """A key's bytes were found in what was made: nothing of it is given out."""


class _Text(bytes):
    """The bytes of a text, told from a blob."""

    __slots__ = ()


def extract_ledger(image: SqliteImage, asked: Asked = NOTHING_ASKED) -> Extract | Unreadable | KeyLeft:
    """The extract of a database image."""
    try:
        with closing(_memory()) as source, closing(_memory()) as made:
            _open(source, image)
            schema = [(_name(name), sql or b"") for name, sql in source.execute(_TABLES)]
            source.execute("PRAGMA trusted_schema=OFF")
            source.set_authorizer(allow_reading)
            kept = [name for name, sql in schema if _is_kept(name, sql, asked)]
            # It names the file as ours, and gives a database without any table a page.
            made.execute(f"PRAGMA application_id={_APPLICATION}")
            made.execute("BEGIN")
            columns = {name: _columns(source, name, asked) for name in kept}
            rows = tuple((name, _copy(source, made, name, columns[name][0])) for name in kept)
            made.execute("COMMIT")
            octets = made.serialize()
            if not asked.identity_key and _holds_key(source, schema, octets):
                return KeyLeft()
            return Extract(
                octets=octets,
                rows=rows,
                spent=_spent(source, schema, kept),
                left_out=sum(not name.startswith("sqlite_") for name, _ in schema) - len(kept),
                columns=tuple((name, column) for name in kept for column in columns[name][1]),
            )
    except sqlite3.Error as error:
        return Unreadable(getattr(error, "sqlite_errorname", None) or type(error).__name__)


def is_extract(octets: bytes, asked: Asked) -> bool:
    """Whether these bytes are what `extract_ledger` makes of them: then they hold what an extract may, and no more."""
    image = image_of(octets)
    if not isinstance(image, SqliteImage):
        return False
    made = extract_ledger(image, asked)
    return isinstance(made, Extract) and made.octets == octets


def _memory() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", isolation_level=None)


def _open(connection: sqlite3.Connection, image: SqliteImage) -> None:
    """Give a connection the image, for bounded reading; raises sqlite3.Error."""
    connection.deserialize(image.octets)
    connection.text_factory = _Text
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _CELL_MAX)
    left = iter(range(_STEPS))
    connection.set_progress_handler(lambda: int(next(left, None) is None), _STEPS_EACH)
    for pragma in ("query_only=ON", "cell_size_check=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _is_kept(name: str, sql: bytes, asked: Asked) -> bool:
    known = name in KEPT or (asked.content and name in CONTENT_TABLES)
    return known and not sql.lstrip().upper().startswith(b"CREATE VIR")


def _columns(source: sqlite3.Connection, table: str, asked: Asked) -> tuple[list[str], list[str]]:
    """The stored columns of a table of ours: those that are kept, and those that are left out."""
    stored = _stored(source, table)
    kept = [name for name in stored if _is_column_kept(table, name, asked)]
    return kept, [name for name in stored if name not in kept]


def _stored(source: sqlite3.Connection, table: str) -> list[str]:
    info = source.execute(f"PRAGMA table_xinfo({table})").fetchall()
    return [_name(one[1]) for one in info if one[-1] == 0]


def _is_column_kept(table: str, column: str, asked: Asked) -> bool:
    if (table, column) == KEY:
        return asked.identity_key
    if asked.content and (table in CONTENT_TABLES or (table, column) in CONTENT_COLUMNS):
        return True
    return column in KEPT.get(table, ())


def _copy(source: sqlite3.Connection, made: sqlite3.Connection, table: str, columns: list[str]) -> int:
    """Copy those columns of every row; the number of the rows. Of a table without any of them there is nothing."""
    if not columns:
        return 0
    quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in columns)
    made.execute(f"CREATE TABLE {table} ({quoted})")
    named = f"rowid, {quoted}" if _has_rowid(source, table) else quoted
    marks = ", ".join("?" for _ in named.split(", "))
    cursor = source.execute(f"SELECT {named} FROM {table} NOT INDEXED")  # noqa: S608 - ours, or quoted
    count = 0
    while batch := cursor.fetchmany(_BATCH):
        count += len(batch)
        made.executemany(
            f"INSERT INTO {table} ({named}) VALUES ({marks})",  # noqa: S608 - ours, or quoted
            ([_cell(cell) for cell in row] for row in batch),
        )
    return count


def _has_rowid(source: sqlite3.Connection, table: str) -> bool:
    try:
        source.execute(f"SELECT rowid FROM {table} LIMIT 0")  # noqa: S608 - the name is ours
    except sqlite3.OperationalError:
        return False
    return True


def _cell(cell: float | bytes | None) -> int | float | bytes | str | None:
    if not isinstance(cell, _Text):
        return cell
    try:
        return cell.decode("utf-8")
    except UnicodeDecodeError:
        return bytes(cell)


def _holds_key(source: sqlite3.Connection, schema: list[tuple[str, bytes]], octets: bytes) -> bool:
    """Whether the key of the references is somewhere in what was made, as bytes or written out."""
    table, column = KEY
    if not any(name == table for name, _ in schema) or column not in _stored(source, table):
        return False
    found = source.execute(f"SELECT {column} FROM {table} NOT INDEXED").fetchall()  # noqa: S608 - names are ours
    keys = [bytes(cell) for (cell,) in found if isinstance(cell, bytes) and cell]
    written = octets.lower()
    return any(key in octets or key.hex().encode() in written or b64encode(key) in octets for key in keys)


def _spent(source: sqlite3.Connection, schema: list[tuple[str, bytes]], kept: list[str]) -> tuple[tuple[str, int], ...]:
    if not any(name == "sqlite_sequence" for name, _ in schema):
        return ()
    rows = source.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
    named = ((_name(name), seq) for name, seq in rows if isinstance(name, bytes))
    return tuple(sorted((name, seq) for name, seq in named if name in kept and isinstance(seq, int)))


def _name(octets: bytes) -> str:
    return octets.decode("utf-8", "replace")
