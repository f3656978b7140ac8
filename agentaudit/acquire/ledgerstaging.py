"""Extracts of a Gateway's databases and the audit switches of its configuration, in a private folder of ours.

- The originals are read and never opened by SQLite; nothing is written beside them. Links are not followed.
- A note beside each extract says where the original lay, its digests, what its log was, and what was left out.
- An original that changed while it was read is read again, three times at most; then it is said to be torn.
"""

import os
import stat
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from agentaudit.adapters.openclaw.extract import extract_ledger
from agentaudit.adapters.openclaw.settings import audit_settings
from agentaudit.adapters.openclaw.withholding import EXTRACT_PREFIX
from agentaudit.encoding.canonical import encode
from agentaudit.encoding.sqliteimage import IMAGE_MAX_BYTES, NoDatabase, image_of
from agentaudit.encoding.sqlitetables import Unreadable
from agentaudit.errors import SourceRefused
from agentaudit.model.base import UNSET, Digest, Frozen, Unset
from agentaudit.model.local import true_name
from agentaudit.model.text import SourceText

TRIES_MAX: Final = 3
_BESIDE: Final = ("", "-wal", "-journal")


class OriginalFile(Frozen, frozen=True, kw_only=True):
    """One file as it was read: what is added to the database's name, its size and digest."""

    end: str
    bytes: int
    sha256: Digest


class ExtractNote(Frozen, frozen=True, kw_only=True):
    """What an extract was made of. `problem` stands where none was made; `left_out` counts tables, not named."""

    agentaudit: str
    origin: SourceText
    files: tuple[OriginalFile, ...]
    torn: bool
    log: str
    journal: str
    frames: int | Unset = UNSET
    rows: tuple[tuple[str, int], ...] = ()
    spent: tuple[tuple[str, int], ...] = ()
    left_out: int | Unset = UNSET
    problem: str | Unset = UNSET


class SettingsNote(Frozen, frozen=True, kw_only=True):
    """The switches of `logging.audit`; None where the configuration could not be read as JSON."""

    agentaudit: str
    origin: SourceText
    sha256: Digest
    audit: tuple[tuple[str, str], ...] | None


@dataclass(frozen=True, slots=True)
class _Held:
    files: dict[str, bytes]
    torn: bool


def stage_state(state: Path, folder: Path) -> None:
    """Write the extracts and notes of a state folder into `folder`; SourceRefused (5) where it has no database."""
    databases = _databases(state)
    if not databases:
        raise SourceRefused(f"{state} holds no database of a Gateway", "name the folder that holds openclaw.json")
    for number, database in enumerate(databases, 1):
        _stage_database(database, folder, number)
    configuration = state / "openclaw.json"
    octets = _read(configuration)
    if octets is not None:
        found = audit_settings(octets)
        note = SettingsNote(
            agentaudit="gateway-settings/1",
            origin=true_name(os.fsencode(configuration)),
            sha256=_digest(octets),
            audit=None if found is None else tuple(sorted(found.items())),
        )
        (folder / "agentaudit-settings.json").write_bytes(encode(note))


def _databases(state: Path) -> tuple[Path, ...]:
    found = [state / "state" / "openclaw.sqlite", *sorted(state.glob("agents/*/agent/openclaw-agent.sqlite"))]
    return tuple(path for path in found if path.is_file() and not path.is_symlink())


def _stage_database(database: Path, folder: Path, number: int) -> None:
    held = _hold(database)
    name = f"{EXTRACT_PREFIX.decode('ascii')}{number:06d}"
    image = image_of(held.files.get("", b""), held.files.get("-wal"), held.files.get("-journal"))
    note = ExtractNote(
        agentaudit="gateway-extract/1",
        origin=true_name(os.fsencode(database)),
        files=tuple(
            OriginalFile(end=end, bytes=len(octets), sha256=_digest(octets)) for end, octets in held.files.items()
        ),
        torn=held.torn,
        log=image.wal,
        journal=image.journal,
    )
    if isinstance(image, NoDatabase):
        note = msgspec.structs.replace(note, problem=image.problem)
    else:
        made = extract_ledger(image)
        if isinstance(made, Unreadable):
            note = msgspec.structs.replace(note, frames=image.frames, problem=made.error)
        else:
            note = msgspec.structs.replace(
                note, frames=image.frames, rows=made.rows, spent=made.spent, left_out=made.left_out
            )
            (folder / f"{name}.sqlite").write_bytes(made.octets)
    (folder / f"{name}.json").write_bytes(encode(note))


def _hold(database: Path) -> _Held:
    """The bytes of the database's files at one moment, as far as that can be had."""
    files: dict[str, bytes] = {}
    for _ in range(TRIES_MAX):
        places = {end: database.with_name(database.name + end) for end in _BESIDE}
        before = {end: _look(place) for end, place in places.items()}
        files = {end: octets for end, place in places.items() if (octets := _read(place)) is not None}
        if before == {end: _look(place) for end, place in places.items()}:
            return _Held(files, torn=False)
    return _Held(files, torn=True)


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
        raise SourceRefused(f"{place} could not be read: {type(error).__name__}", "look at its permissions") from None
    with os.fdopen(descriptor, "rb") as stream:
        found = os.fstat(stream.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_size > IMAGE_MAX_BYTES:
            raise SourceRefused(f"{place} is no file of at most {IMAGE_MAX_BYTES} bytes", "hand over saved pages")
        return stream.read()


def _digest(octets: bytes) -> Digest:
    return Digest(f"sha256:{sha256(octets).hexdigest()}")
