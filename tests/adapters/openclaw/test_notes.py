"""The notes beside what was taken of a Gateway: strict, and shown by closed words alone."""

import json
from pathlib import Path

import pytest

from agentaudit.adapters.openclaw.extract import Asked, KeyLeft, extract_ledger
from agentaudit.adapters.openclaw.notes import (
    ExtractNote,
    OriginalFile,
    SettingsNote,
    counts_of,
    extract_note,
    findings_of,
    noted,
    read_note,
    words_of,
)
from agentaudit.adapters.openclaw.settings import audit_settings
from agentaudit.encoding.canonical import encode
from agentaudit.encoding.sqliteimage import image_of
from agentaudit.encoding.sqlitetables import Unreadable
from agentaudit.model.base import digest_of
from tests.encoding.databases import image
from tests.support.gatewaying import CANARY, settings, standing_copy, write_database


def note(main: bytes, wal: bytes | None = None, journal: bytes | None = None, *, torn: bool = False) -> ExtractNote:
    """The note before an extract is made."""
    files = (OriginalFile(end="", bytes=len(main), sha256=digest_of(main), modified_ns="5"),)
    return extract_note(CANARY, files, image_of(main, wal, journal), torn=torn, logged=main[18:19] == b"\x02")


def codes(of: ExtractNote | SettingsNote) -> list[str]:
    """The findings, by code."""
    return [one.code for one in findings_of(of)]


@pytest.fixture
def copy(tmp_path: Path) -> tuple[bytes, bytes]:
    """A main file and its log."""
    place = standing_copy(tmp_path)
    return place.read_bytes(), (tmp_path / "openclaw.sqlite-wal").read_bytes()


def test_a_whole_original_has_nothing_against_it(copy: tuple[bytes, bytes]) -> None:
    """Its log was applied; rows, numbers that were spent and what was left out are counted."""
    asked = Asked(content=True)
    made = noted(note(*copy), extract_ledger(image(*copy), asked), asked)
    assert read_note(encode(made)) == made
    assert codes(made) == []
    assert (made.identity_key, made.content) == (False, True)
    assert dict(words_of(made)) == {"journal": "absent", "log": "applied", "log_tail": "none"}
    counts = dict(counts_of(made))
    assert (counts["events_spent"], counts["tables_left_out"], counts["columns_left_out"]) == (6, 1, 2)
    assert counts["rows"] == sum(dict(made.rows).values())
    assert CANARY not in repr((words_of(made), counts_of(made)))


def test_a_missing_log_is_said(copy: tuple[bytes, bytes]) -> None:
    """Where the main file is of the kind that keeps one."""
    assert codes(note(copy[0])) == ["log_absent"]
    assert codes(note(copy[0], b"")) == []


def test_a_main_file_that_keeps_no_log_lacks_none(tmp_path: Path) -> None:
    """It is in rollback mode."""
    write_database(tmp_path / "made.sqlite")
    assert codes(note((tmp_path / "made.sqlite").read_bytes())) == []


def test_damage_of_the_original_is_said(copy: tuple[bytes, bytes]) -> None:
    """A log that was flipped or cut, a log of another, a hot journal, a main file that was cut, a torn copy."""
    main, log = copy
    flipped = log[: len(log) // 2] + bytes([log[len(log) // 2] ^ 1]) + log[len(log) // 2 + 1 :]
    assert codes(note(main, flipped)) == ["log_damaged"]
    assert codes(note(main, log[:-1])) == ["log_damaged"]
    assert codes(note(main, b"noise" * 20)) == ["log_not_applied"]
    assert codes(note(main, log, bytes.fromhex("d9d505f920a163d7"))) == ["journal_hot"]
    assert codes(note(main, log, torn=True)) == ["original_torn"]


def test_pages_that_nobody_holds_are_counted(tmp_path: Path) -> None:
    """A main file that was cut is shorter than its header says."""
    write_database(tmp_path / "made.sqlite")
    main = (tmp_path / "made.sqlite").read_bytes()
    (finding,) = findings_of(note(main[: 2 * 4096]))
    assert (finding.code, finding.count) == ("pages_lacking", len(main) // 4096 - 2)


def test_why_nothing_was_made_is_said() -> None:
    """No database, one that SQLite does not read, one whose key stood elsewhere too."""
    empty = note(b"")
    assert (empty.problem, codes(empty)) == ("empty", ["not_extracted"])
    for made in (Unreadable("SQLITE_CORRUPT"), Unreadable("OperationalError"), KeyLeft()):
        lost = noted(note(b"foreign"), made, Asked())
        assert codes(lost) == ["not_extracted"]
        assert read_note(encode(lost)) == lost
        assert counts_of(lost) == (("columns_left_out", 0), ("rows", 0))


def test_settings_are_words() -> None:
    """Switch by switch; a configuration that could not be read is said."""
    made = SettingsNote(origin=CANARY, sha256=digest_of(b""), audit=audit_settings(settings()))
    assert read_note(encode(made)) == made
    assert (dict(words_of(made))["messages"], counts_of(made), codes(made)) == ("direct", (), [])
    unread = SettingsNote(origin=CANARY, sha256=digest_of(b""), audit=None)
    assert (words_of(unread), codes(unread)) == ((), ["settings_unread"])


@pytest.mark.parametrize(
    "changed",
    [
        {"agentaudit": "gateway-extract/2"},
        {"log": CANARY},
        {"problem": CANARY},
        {"problem": f"SQLITE_{CANARY}"},
        {"more": 1},
    ],
)
def test_what_only_says_that_it_is_a_note_is_none(changed: dict[str, object]) -> None:
    """A word that is not ours makes it another document."""
    written = json.loads(encode(note(b"foreign")))
    assert read_note(encode(note(b"foreign"))) is not None
    octets = json.dumps(written | changed, sort_keys=True, separators=(",", ":")).encode()
    assert read_note(octets) is None
    assert read_note(json.dumps(written).encode()) is None
