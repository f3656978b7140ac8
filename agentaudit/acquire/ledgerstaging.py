"""Extracts of a Gateway's databases and the audit switches of its configuration, in a private folder of ours.

- The originals are read and never opened by SQLite; nothing is written beside them. Links are not followed.
- A note beside each extract says where the original lay, its digests, what its log was, and what was left out.
- An original that changed while it was read is read again, three times at most; then it is said to be torn.
"""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agentaudit.adapters.openclaw.extract import Asked, Extract, extract_ledger
from agentaudit.adapters.openclaw.notes import OriginalFile, SettingsNote, extract_note, noted
from agentaudit.adapters.openclaw.settings import audit_settings
from agentaudit.adapters.openclaw.withholding import EXTRACT_PREFIX
from agentaudit.encoding.canonical import encode
from agentaudit.encoding.sqliteimage import IMAGE_MAX_BYTES, SqliteImage, image_of
from agentaudit.errors import SourceRefused
from agentaudit.model.base import digest_of
from agentaudit.model.local import true_name

TRIES_MAX: Final = 3
SETTINGS: Final = "agentaudit-settings.json"

_BESIDE: Final = ("", "-wal", "-journal")
# The write version of a database that keeps a log (SQLite's file format, section 1.3.3).
_WRITE_VERSION: Final = slice(18, 19)
_LOGGED: Final = b"\x02"


@dataclass(frozen=True, slots=True)
class _Held:
    """The bytes of a database's files by what is added to its name, and when each was modified, in nanoseconds."""

    files: dict[str, bytes]
    modified: dict[str, int]
    torn: bool


def stage_state(state: Path, folder: Path, asked: Asked) -> None:
    """Write the extracts and notes of a state folder into `folder`; SourceRefused (5) where it has no database."""
    databases = _databases(state)
    if not databases:
        raise SourceRefused(f"{state} holds no database of a Gateway", "name the folder that holds openclaw.json")
    stage_databases(databases, folder, asked)
    configuration = state / "openclaw.json"
    octets = _read(configuration)
    if octets is not None:
        note = SettingsNote(
            origin=true_name(os.fsencode(configuration)), sha256=digest_of(octets), audit=audit_settings(octets)
        )
        (folder / SETTINGS).write_bytes(encode(note))


def stage_databases(databases: Iterable[Path], folder: Path, asked: Asked) -> None:
    """Write an extract and a note of each database, whatever its name, into `folder`.

    The numbers go on from those that are there. Raises SourceRefused (5) for one that is not there, or over the bound.
    """
    number = len(list(folder.glob(f"{EXTRACT_PREFIX}*.json")))
    for database in databases:
        number += 1
        _stage(database, folder / f"{EXTRACT_PREFIX}{number:06d}", asked)


def _databases(state: Path) -> tuple[Path, ...]:
    found = [state / "state" / "openclaw.sqlite", *sorted(state.glob("agents/*/agent/openclaw-agent.sqlite"))]
    return tuple(path for path in found if path.is_file() and not path.is_symlink())


def _stage(database: Path, stem: Path, asked: Asked) -> None:
    held = _hold(database)
    if "" not in held.files:
        raise SourceRefused(f"{database} is not there", "name a database of the Gateway, its -wal beside it")
    image = image_of(held.files[""], held.files.get("-wal"), held.files.get("-journal"))
    files = tuple(
        OriginalFile(end=end, bytes=len(octets), sha256=digest_of(octets), modified_ns=str(held.modified[end]))
        for end in _BESIDE
        if (octets := held.files.get(end)) is not None
    )
    logged = held.files[""][_WRITE_VERSION] == _LOGGED
    note = extract_note(true_name(os.fsencode(database)), files, image, torn=held.torn, logged=logged)
    if isinstance(image, SqliteImage):
        made = extract_ledger(image, asked)
        note = noted(note, made, asked)
        if isinstance(made, Extract):
            stem.with_suffix(".sqlite").write_bytes(made.octets)
    stem.with_suffix(".json").write_bytes(encode(note))


def _hold(database: Path) -> _Held:
    """The bytes of the database's files at one moment, as far as that can be had."""
    places = {end: database.with_name(database.name + end) for end in _BESIDE}
    files: dict[str, bytes] = {}
    modified: dict[str, int] = {}
    for _ in range(TRIES_MAX):
        before = {end: _look(place) for end, place in places.items()}
        files = {end: octets for end, place in places.items() if (octets := _read(place)) is not None}
        modified = {end: look[2] for end, look in before.items() if look is not None}
        if before == {end: _look(place) for end, place in places.items()} and modified.keys() == files.keys():
            return _Held(files, modified, torn=False)
    return _Held(files, dict.fromkeys(files, 0) | modified, torn=True)


def _look(place: Path) -> tuple[int, int, int] | None:
    try:
        found = place.lstat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _read(place: Path) -> bytes | None:
    """The bytes of a regular file; None where there is none. SourceRefused (5) for one over the bound."""
    try:
        descriptor = os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SourceRefused(f"{place} could not be read: {os.strerror(error.errno or 0)}", "look at the path") from None
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or found.st_size > IMAGE_MAX_BYTES:
        os.close(descriptor)
        raise SourceRefused(f"{place} is no file of at most {IMAGE_MAX_BYTES} bytes", "hand over saved pages")
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read(IMAGE_MAX_BYTES)
