"""A copy of the bridge's database without the rows of its tables of tokens, and what was made of what.

- The database and what belongs to it are copied into a folder of ours before anything is opened; nothing is written
  where they lie. A copy across which a file changed is made again, and given up after a few times.
- The write-ahead log is applied by SQLite itself, in the private copy: without it a copy can be without any table.
- The reduced copy is written anew, table by table: no freed page of the original, and so no deleted token, is in it.
- A copy in which a withheld value is found all the same is not given out. It is looked for in the bytes of the file and
  in every cell: a long cell lies in pieces, and a database can be in UTF-16.
"""

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Final

from agentaudit.adapters.bridge.secrets import REDUCED, is_withheld_table
from agentaudit.encoding.canonical import encode
from agentaudit.errors import SourceRefused, SourceUnreachable, UsageFault
from agentaudit.model.base import Digest, Frozen

TRIES: Final = 3
NOTE: Final = "reduced.json"

_SIDECARS: Final = ("", "-wal", "-journal")
_MAGIC: Final = b"SQLite format 3\x00"
_PIECE: Final = 1024 * 1024
_SECRET_MIN: Final = 16
_HEADER: Final = 100
_DELETES: Final = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_TRANSACTION})


class OriginalFile(Frozen, frozen=True, kw_only=True):
    """One file as it lay there: the end of its name, its size, its digest, its time of modification in nanoseconds."""

    suffix: str
    bytes: int
    sha256: Digest
    modified_ns: str


class WithheldTable(Frozen, frozen=True, kw_only=True):
    """A table whose rows were left out, and how many they were."""

    table: str
    rows: int


class ReducedNote(Frozen, frozen=True, kw_only=True):
    """What the reduced copy was made of, and what it lacks; it lies beside the copy in the exhibit."""

    note: str = "reduced_database"
    originals: tuple[OriginalFile, ...]
    withheld: tuple[WithheldTable, ...]
    sqlite: str
    reduced_sha256: Digest


@dataclass(frozen=True, slots=True)
class Withheld:
    """What was taken out: the tables with their rows, and the values by which a leak would be known."""

    tables: tuple[WithheldTable, ...]
    values: tuple[bytes, ...]


def reduce_database(database: Path, scratch: Path, handed: Path) -> ReducedNote:
    """Write the reduced copy and its note into `handed`; `scratch` is a folder of ours beside it.

    Raises UsageFault (2) for what is no database of the bridge or no regular file, SourceRefused (5) for one that
    cannot be read or whose tokens would not go, SourceUnreachable (6) for one that is written to all the while.
    """
    try:
        originals = _hold_still(database, scratch)
        copy = scratch / "copy.sqlite"
        _look_at(copy, database)
        reduced = handed / REDUCED.decode()
        withheld = _reduce(copy, reduced, database)
        _refuse_leak(reduced, withheld.values)
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", None) or type(error).__name__
        raise SourceRefused(f"{database} cannot be read: {name}", "copy it again, with its -wal beside it") from None
    except OSError as error:
        raise SourceRefused(f"{database} cannot be read: {os.strerror(error.errno or 0)}", "look at the path") from None
    note = ReducedNote(
        originals=originals,
        withheld=withheld.tables,
        sqlite=sqlite3.sqlite_version,
        reduced_sha256=_digest(reduced),
    )
    (handed / NOTE).write_bytes(encode(note) + b"\n")
    return note


def _hold_still(database: Path, scratch: Path) -> tuple[OriginalFile, ...]:
    """The digests of what was copied, once no file changed while all of them were."""
    for _ in range(TRIES):
        before = _looks(database)
        for suffix in _SIDECARS:
            (scratch / f"copy.sqlite{suffix}").unlink(missing_ok=True)
        for suffix in before:
            shutil.copyfile(f"{database}{suffix}", scratch / f"copy.sqlite{suffix}")
        if _looks(database) == before:
            return tuple(
                OriginalFile(
                    suffix=suffix,
                    bytes=look[1],
                    sha256=_digest(scratch / f"copy.sqlite{suffix}"),
                    modified_ns=str(look[2]),
                )
                for suffix, look in before.items()
            )
    raise SourceUnreachable(f"{database} was written to whenever it was copied", "stop the bridge, and try again")


def _looks(database: Path) -> dict[str, tuple[int, int, int]]:
    """Inode, size and time of modification of each file that is there; OSError where there is no database."""
    looks = {}
    for suffix in _SIDECARS:
        try:
            found = os.stat(f"{database}{suffix}")  # noqa: PTH116 - the suffix belongs to the name
        except FileNotFoundError:
            if not suffix:
                raise
            continue
        if not stat.S_ISREG(found.st_mode):  # a device has no end, and a pipe may have no writer
            raise UsageFault(f"{database}{suffix} is no regular file", "name a copy of the bridge's queue.sqlite")
        looks[suffix] = (found.st_ino, found.st_size, found.st_mtime_ns)
    return looks


def _look_at(copy: Path, database: Path) -> None:
    with copy.open("rb") as stream:
        head = stream.read(_HEADER)
    if not head.startswith(_MAGIC):
        raise UsageFault(
            f"{database} is no SQLite database", "name the bridge's queue.sqlite, or an export with --export"
        )


def _reduce(copy: Path, reduced: Path, database: Path) -> Withheld:
    """Take the rows out of the private copy, then write what is left anew. Raises sqlite3.Error."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        tables = [
            name
            for (name,) in connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")
            if isinstance(name, str)
        ]
        if "audit_entries" not in tables:
            raise UsageFault(f"{database} is no database of the bridge", "its table audit_entries is missing")
        found = [_take_out(connection, name) for name in sorted(tables) if is_withheld_table(name)]
        connection.execute("VACUUM main INTO ?", (str(reduced),))
    with closing(sqlite3.connect(reduced, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    return Withheld(
        tuple(WithheldTable(table=name, rows=rows) for name, rows, _ in found),
        tuple(dict.fromkeys(value for _, _, values in found for value in values)),
    )


def _take_out(connection: sqlite3.Connection, table: str) -> tuple[str, int, tuple[bytes, ...]]:
    """Delete every row of a table; a trigger that would act on it is refused, whatever it does."""
    rows, values = 0, []
    for row in connection.execute(f"SELECT * FROM main.{_quoted(table)}"):  # noqa: S608 - quoted
        rows += 1
        values += [octets for cell in row for octets in _forms(cell)]

    def only_this(action: int, first: str | None, _second: str | None, _schema: str | None, inner: str | None) -> int:
        allowed = action in _DELETES or (action == sqlite3.SQLITE_DELETE and first == table)
        return sqlite3.SQLITE_OK if allowed and inner is None else sqlite3.SQLITE_DENY

    connection.set_authorizer(only_this)
    try:
        connection.execute(f"DELETE FROM main.{_quoted(table)}")  # noqa: S608 - quoted
    finally:
        connection.set_authorizer(None)
    return table, rows, tuple(values)


def _forms(cell: object) -> Iterator[bytes]:
    """A value that is long enough to be told from chance, in each form in which a database can hold it."""
    if isinstance(cell, str) and len(cell) >= _SECRET_MIN:
        yield from (cell.encode(encoding, "surrogatepass") for encoding in ("utf-8", "utf-16-le", "utf-16-be"))
    elif isinstance(cell, bytes) and len(cell) >= _SECRET_MIN:
        yield cell


def _refuse_leak(reduced: Path, values: tuple[bytes, ...]) -> None:
    """Raises SourceRefused when a withheld value stands in the copy, sqlite3.Error when that cannot be looked at."""
    if not values:
        return
    for octets in chain(_windows(reduced, max(map(len, values))), _cells(reduced)):
        if any(value in octets for value in values):
            reduced.unlink()
            raise SourceRefused(
                "a token's row stands in another table of the database too; nothing was packed",
                "export the jobs with --export, or collect them over the API",
            )


def _cells(path: Path) -> Iterator[bytes]:
    """Every text and blob of every plain table, as UTF-8, and the words of the schema."""
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = bytes
        schema = connection.execute("SELECT name, sql FROM main.sqlite_master WHERE type = 'table'").fetchall()
        plain = [name.decode() for name, sql in schema if not sql.upper().startswith(b"CREATE VIRTUAL")]
        for name in ("sqlite_master", *plain):
            for row in connection.execute(f"SELECT * FROM main.{_quoted(name)}"):  # noqa: S608 - quoted
                yield from (cell for cell in row if isinstance(cell, bytes))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _windows(path: Path, overlap: int) -> Iterator[bytes]:
    """The file in pieces, each with the end of the piece before."""
    tail = b""
    with path.open("rb") as stream:
        while octets := stream.read(_PIECE):
            yield tail + octets
            tail = (tail + octets)[-overlap:] if overlap else b""


def _digest(path: Path) -> Digest:
    digest = sha256()
    with path.open("rb") as stream:
        while octets := stream.read(_PIECE):
            digest.update(octets)
    return Digest(f"sha256:{digest.hexdigest()}")
