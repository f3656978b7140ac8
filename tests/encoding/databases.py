"""Databases with their logs for tests, made by SQLite itself: the files as a copy at that moment would hold them."""

import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from agentaudit.encoding.sqliteimage import FRAME_HEADER_BYTES, WAL_HEADER_BYTES, SqliteImage, image_of


def files_of(folder: Path, acts: Iterable[str], *, page_bytes: int = 4096, wal: bool = True) -> tuple[bytes, bytes]:
    """Main file and log after those acts, each one committed alone, while the connection still stands."""
    path = folder / "made.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size={page_bytes}")
        if wal:
            connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        for act in acts:
            connection.execute(act).fetchall()
        log = path.with_name(path.name + "-wal")
        return path.read_bytes(), log.read_bytes() if log.exists() else b""


def by_sqlite(folder: Path, main: bytes, wal: bytes | None) -> list[str]:
    """What SQLite itself reads of copies of these bytes, as statements."""
    place = folder / "oracle"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    (place / "copy.sqlite").write_bytes(main)
    if wal is not None:
        (place / "copy.sqlite-wal").write_bytes(wal)
    with closing(sqlite3.connect(place / "copy.sqlite")) as connection:
        return list(connection.iterdump())


def by_image(image: SqliteImage) -> list[str]:
    """What SQLite reads of an image in memory, as statements."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(image.octets)
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return list(connection.iterdump())


def image(main: bytes, wal: bytes | None = None, journal: bytes | None = None) -> SqliteImage:
    """The image, where there is one."""
    made = image_of(main, wal, journal)
    assert isinstance(made, SqliteImage)
    return made


def frame_at(number: int, page_bytes: int = 4096) -> int:
    """The offset of a frame of a log, counted from 0."""
    return WAL_HEADER_BYTES + number * (FRAME_HEADER_BYTES + page_bytes)
