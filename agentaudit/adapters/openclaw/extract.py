"""A new database that holds the ledger's tables of another one, whole, and nothing else of it.

- The Gateway's database holds the key that makes its references (`audit_identity_keys`), device keys and tokens, and
  what was deleted lies on in its free pages. So the extract is built anew, row by row, from the tables of a closed
  list: no page, no free space and no other table of the original can come along.
- The key's own column is left out; which key it was and since when stays.
- Rows keep their rowid; text stays text and blobs stay blobs. Declarations of the original are not executed: columns
  have their names and no type.
- That no key is in what came out is looked for, not believed.
"""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from agentaudit.adapters.openclaw.tables import KEPT, WITHHELD
from agentaudit.encoding.sqliteimage import SqliteImage
from agentaudit.encoding.sqlitetables import Unreadable

_TABLES: Final = "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name LIMIT 10000"
_BATCH: Final = 1024


@dataclass(frozen=True, slots=True)
class Extract:
    """The new database, its rows by table, the last number that each table's counter spent, and what was left out.

    `left_out` counts the original's tables that are not the ledger's; they are not named.
    """

    octets: bytes
    rows: tuple[tuple[str, int], ...]
    spent: tuple[tuple[str, int], ...]
    left_out: int


class KeyLeft(Exception):
    """A key's bytes were found in what was made: it must not be kept."""


class _Text(bytes):
    """The bytes of a text, told from a blob."""

    __slots__ = ()


def extract_ledger(image: SqliteImage) -> Extract | Unreadable:
    """The extract of a database image; raises KeyLeft rather than give out the key."""
    try:
        with closing(sqlite3.connect(":memory:")) as source, closing(sqlite3.connect(":memory:")) as made:
            source.deserialize(image.octets)
            source.text_factory = _Text
            for pragma in ("query_only=ON", "cell_size_check=ON"):
                source.execute(f"PRAGMA {pragma}")
            schema = [(bytes(name).decode("utf-8", "replace"), sql) for name, sql in source.execute(_TABLES)]
            source.execute("PRAGMA trusted_schema=OFF")
            kept = [name for name, sql in schema if name in KEPT and not sql.lstrip().upper().startswith(b"CREATE VIR")]
            rows = tuple((name, _copy(source, made, name)) for name in kept)
            made.commit()
            octets = made.serialize()
            _check(source, kept, octets)
            spent = _spent(source, schema, kept)
            return Extract(octets, rows, spent, sum(not _is_ours(name) for name, _ in schema) - len(kept))
    except sqlite3.Error as error:
        return Unreadable(getattr(error, "sqlite_errorname", None) or type(error).__name__)


def _copy(source: sqlite3.Connection, made: sqlite3.Connection, table: str) -> int:
    """Copy the stored columns of a table of ours; the number of its rows."""
    info = source.execute(f"PRAGMA table_xinfo({table})").fetchall()
    columns = [bytes(one[1]).decode("utf-8", "replace") for one in info if one[-1] == 0]
    wanted = [name for name in columns if (table, name) not in WITHHELD]
    quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in wanted)
    made.execute(f"CREATE TABLE {table} ({quoted})")
    marks = ", ".join("?" for _ in wanted)
    cursor = source.execute(f"SELECT rowid, {quoted} FROM {table} NOT INDEXED")  # noqa: S608 - ours, or quoted
    count = 0
    while batch := cursor.fetchmany(_BATCH):
        count += len(batch)
        made.executemany(
            f"INSERT INTO {table} (rowid, {quoted}) VALUES (?, {marks})",  # noqa: S608 - ours, or quoted
            ([_cell(cell) for cell in row] for row in batch),
        )
    return count


def _cell(cell: float | bytes | None) -> int | float | bytes | str | None:
    if not isinstance(cell, _Text):
        return cell
    try:
        return cell.decode("utf-8")
    except UnicodeDecodeError:
        return bytes(cell)


def _check(source: sqlite3.Connection, kept: list[str], octets: bytes) -> None:
    if "audit_identity_keys" in kept:
        for (key,) in source.execute("SELECT key FROM audit_identity_keys"):
            if isinstance(key, bytes) and key and key in octets:
                raise KeyLeft


def _spent(source: sqlite3.Connection, schema: list[tuple[str, bytes]], kept: list[str]) -> tuple[tuple[str, int], ...]:
    if not any(name == "sqlite_sequence" for name, _ in schema):
        return ()
    rows = source.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
    named = ((bytes(name).decode("utf-8", "replace"), seq) for name, seq in rows if isinstance(name, bytes))
    return tuple(sorted((name, seq) for name, seq in named if name in kept and isinstance(seq, int)))


def _is_ours(name: str) -> bool:
    return name.startswith("sqlite_")
