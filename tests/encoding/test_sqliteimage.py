"""One image out of a main file and its log; SQLite itself is the oracle, on copies."""

import shutil
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentaudit.encoding.sqliteimage import (
    FRAME_HEADER_BYTES,
    MAGIC,
    NoDatabase,
    checksum,
    committed,
    image_of,
    page_size,
)
from tests.encoding.databases import by_image, by_sqlite, files_of, frame_at, image

TABLE = "CREATE TABLE one (id INTEGER PRIMARY KEY, word TEXT)"
ROWS = [f"INSERT INTO one (word) VALUES ('word {number}')" for number in range(5)]  # noqa: S608 - ours
WIDE = "INSERT INTO one (word) VALUES (hex(randomblob(20000)))"
COUNT = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<300)"
MANY = COUNT + " INSERT INTO one SELECT i+9, hex(i) FROM n"  # noqa: S608 - ours


@pytest.mark.parametrize("page_bytes", [512, 4096, 65_536])
def test_what_lies_in_the_log_alone_is_in_the_image(tmp_path: Path, page_bytes: int) -> None:
    """A main file of one page without a table and its log give every table and row."""
    main, wal = files_of(tmp_path, [TABLE, *ROWS, WIDE, MANY], page_bytes=page_bytes)
    made = image(main, wal)
    assert (made.wal, made.tail, made.ignored_bytes, made.lacking_pages) == ("applied", "none", 0, 0)
    assert made.page_bytes == page_bytes
    assert by_image(made) == by_sqlite(tmp_path, main, wal)
    assert len(by_image(made)) > 300


def test_an_image_is_what_a_checkpoint_would_leave(tmp_path: Path) -> None:
    """Byte for byte, but for the two versions, the image is the main file after SQLite moved the log into it."""
    main, wal = files_of(tmp_path, [TABLE, *ROWS, MANY, "DELETE FROM one WHERE id > 50", "VACUUM"])
    by_sqlite(tmp_path, main, wal)
    (tmp_path / "oracle" / "copy.sqlite").write_bytes(main)
    (tmp_path / "oracle" / "copy.sqlite-wal").write_bytes(wal)
    with closing(sqlite3.connect(tmp_path / "oracle" / "copy.sqlite")) as connection:
        assert connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    after = (tmp_path / "oracle" / "copy.sqlite").read_bytes()
    assert image(main, wal).octets == after[:18] + b"\x01\x01" + after[20:]


def test_a_missing_log_leaves_the_main_file_alone(tmp_path: Path) -> None:
    """Without its log the image holds what the main file holds: here no table at all."""
    main, _ = files_of(tmp_path, [TABLE, *ROWS])
    made = image(main)
    assert (made.wal, made.frames) == ("absent", 0)
    assert by_image(made) == by_sqlite(tmp_path, main, None)
    assert "one" not in "".join(by_image(made))


def test_an_empty_log_is_told_from_a_missing_one(tmp_path: Path) -> None:
    """A log of no bytes is what a clean checkpoint leaves."""
    main, _ = files_of(tmp_path, [TABLE, *ROWS, "PRAGMA wal_checkpoint(TRUNCATE)"])
    made = image(main, b"")
    assert made.wal == "empty"
    assert len(by_image(made)) == 8


def test_a_torn_frame_ends_the_log(tmp_path: Path) -> None:
    """A log that was cut inside its last frame gives the acts before it, and says how much of it was left out."""
    main, wal = files_of(tmp_path, [TABLE, *ROWS])
    cut = wal[:-10]
    made = image(main, cut)
    assert (made.wal, made.tail, made.ignored_bytes) == ("applied", "torn", FRAME_HEADER_BYTES + 4096 - 10)
    assert by_image(made) == by_sqlite(tmp_path, main, cut)
    assert made.frames == image(main, wal).frames - 1


def test_an_act_that_was_not_committed_is_left_out(tmp_path: Path) -> None:
    """Frames behind the last commit do not count, and are said to be uncommitted."""
    main, wal = files_of(tmp_path, [TABLE, MANY], page_bytes=512)
    open_act = wal[: frame_at(4, 512)]
    made = image(main, open_act)
    assert (made.wal, made.frames, made.tail) == ("applied", 2, "uncommitted")
    assert made.ignored_bytes == 2 * (FRAME_HEADER_BYTES + 512)
    assert by_image(made) == by_sqlite(tmp_path, main, open_act)


def test_a_log_without_a_commit_changes_nothing(tmp_path: Path) -> None:
    """The first frame of an act of two alone applies nothing."""
    main, wal = files_of(tmp_path, [TABLE])
    one = wal[: frame_at(1)]
    made = image(main, one)
    assert (made.wal, made.frames, made.tail) == ("no_commit", 0, "uncommitted")
    assert by_image(made) == by_sqlite(tmp_path, main, one)


def test_a_frame_with_other_salts_ends_the_log(tmp_path: Path) -> None:
    """A frame of another generation of the log is not applied."""
    main, wal = files_of(tmp_path, [TABLE, *ROWS])
    at = frame_at(3) + 8
    wrong = wal[:at] + bytes([wal[at] ^ 1]) + wal[at + 1 :]
    made = image(main, wrong)
    assert (made.frames, made.tail) == (3, "other_salt")
    assert by_image(made) == by_sqlite(tmp_path, main, wrong)


def test_a_log_that_began_anew_does_not_bring_its_old_frames_back(tmp_path: Path) -> None:
    """After a restart the log's old frames lie behind the new ones with the salts of before, and do not count."""
    main, wal = files_of(tmp_path, [TABLE, *ROWS, "PRAGMA wal_checkpoint(RESTART)", "DELETE FROM one WHERE id = 1"])
    made = image(main, wal)
    assert (made.frames, made.tail) == (1, "other_salt")
    assert made.ignored_bytes == len(wal) - frame_at(1)
    assert by_image(made) == by_sqlite(tmp_path, main, wal)
    assert "word 0" not in "".join(by_image(made))


@pytest.mark.parametrize("at", [0, 4, 24, 24 + 4095])
def test_a_wrong_checksum_ends_the_log(tmp_path: Path, at: int) -> None:
    """A bit that was flipped in a frame, its header or its page, ends the log before that frame."""
    main, wal = files_of(tmp_path, [TABLE, *ROWS])
    spot = frame_at(4) + at
    wrong = wal[:spot] + bytes([wal[spot] ^ 0x40]) + wal[spot + 1 :]
    made = image(main, wrong)
    assert (made.frames, made.tail) == (4, "checksum")
    assert by_image(made) == by_sqlite(tmp_path, main, wrong)


def test_a_frame_of_page_zero_ends_the_log(tmp_path: Path) -> None:
    """There is no page 0."""
    main, wal = files_of(tmp_path, [TABLE, *ROWS])
    at = frame_at(2)
    wrong = wal[:at] + bytes(4) + wal[at + 4 :]
    made = image(main, wrong)
    assert (made.frames, made.tail) == (2, "page_zero")
    assert by_image(made) == by_sqlite(tmp_path, main, wrong)


def test_a_log_of_another_page_size_is_not_applied(tmp_path: Path) -> None:
    """A log whose pages are of another size belongs to another database."""
    main, _ = files_of(tmp_path, [TABLE, ROWS[0], "PRAGMA wal_checkpoint(TRUNCATE)"])
    (tmp_path / "other").mkdir()
    _, foreign = files_of(tmp_path / "other", [TABLE, *ROWS], page_bytes=1024)
    made = image(main, foreign)
    assert (made.wal, made.frames, made.ignored_bytes) == ("other_page_size", 0, len(foreign))
    assert by_image(made) == by_image(image(main))


@pytest.mark.parametrize(
    ("damage", "state"),
    [
        (lambda wal: wal[:31], "header_cut"),
        (lambda wal: b"\x00" + wal[1:], "unrecognised"),
        (lambda wal: wal[:8] + (4097).to_bytes(4, "big") + wal[12:], "unrecognised"),
        (lambda wal: wal[:12] + b"\xff" + wal[13:], "header_checksum"),
    ],
)
def test_a_log_with_a_damaged_header_is_not_applied(
    tmp_path: Path, damage: Callable[[bytes], bytes], state: str
) -> None:
    """What cannot be trusted as a log changes nothing, as with SQLite, and the reason is named."""
    main, wal = files_of(tmp_path, [TABLE, *ROWS])
    made = image(main, damage(wal))
    assert (made.wal, made.frames) == (state, 0)
    assert by_image(made) == by_sqlite(tmp_path, main, damage(wal))


def test_a_log_of_another_version_is_not_applied(tmp_path: Path) -> None:
    """A version that the format does not know is named, although its header is sound."""
    main, wal = files_of(tmp_path, [TABLE])
    head = wal[:4] + (3_007_001).to_bytes(4, "big") + wal[8:24]
    order: Literal["<", ">"] = "<" if wal[3] == 0x82 else ">"
    other = head + struct.pack(">2I", *checksum(head, order)) + wal[32:]
    assert image(main, other).wal == "other_version"


def test_a_log_of_either_byte_order_is_applied(tmp_path: Path) -> None:
    """A log whose checksums are big-endian, as another machine writes it, gives the same image."""
    main, wal = files_of(tmp_path, [TABLE, *ROWS])
    turned = _big_endian(wal, 4096)
    assert turned != wal
    assert image(main, turned) == image(main, wal)
    assert by_sqlite(tmp_path, main, turned) == by_image(image(main, wal))


def test_a_rollback_journal_is_named_and_not_played_back(tmp_path: Path) -> None:
    """A hot journal is told from one that was laid to rest; the image is the same."""
    main, wal = files_of(tmp_path, [TABLE, *ROWS], wal=False)
    assert wal == b""
    hot = bytes.fromhex("d9d505f920a163d7") + bytes(504)
    assert image(main, None, hot).journal == "hot"
    assert image(main, None, bytes(512)).journal == "idle"
    assert image(main, None, b"").journal == "idle"
    assert image(main).journal == "absent"
    assert image(main, None, hot).octets == image(main).octets


def test_a_hot_journal_of_sqlite_is_known(tmp_path: Path) -> None:
    """A journal that SQLite left in the middle of an act is hot."""
    path = tmp_path / "busy.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size=2")
        connection.execute(TABLE)
        connection.execute("BEGIN")
        connection.execute(MANY)
        connection.execute(WIDE)
        main = path.read_bytes()
        journal = path.with_name("busy.sqlite-journal").read_bytes()
        connection.execute("ROLLBACK")
    assert image(main, None, journal).journal == "hot"


@pytest.mark.parametrize(
    ("main", "problem"),
    [
        (b"", "empty"),
        (MAGIC[:9], "cut"),
        (MAGIC + bytes(40), "cut"),
        (b"not a database, whatever its name says", "foreign"),
        (MAGIC + bytes(84), "foreign"),
    ],
)
def test_what_is_no_database_gives_no_image(main: bytes, problem: Literal["empty", "cut", "foreign"]) -> None:
    """An empty, cut or foreign file is a value, and a log beside it is not applied."""
    assert image_of(main, b"log") == NoDatabase(problem, "no_main", "absent")
    assert image_of(main) == NoDatabase(problem, "absent", "absent")
    assert image_of(main, b"") == NoDatabase(problem, "empty", "absent")


def test_a_log_beside_an_empty_main_file_is_not_applied(tmp_path: Path) -> None:
    """SQLite throws such a log away; we say that it lies there."""
    _, wal = files_of(tmp_path, [TABLE, *ROWS])
    assert image_of(b"", wal) == NoDatabase("empty", "no_main", "absent")
    assert by_sqlite(tmp_path, b"", wal) == by_sqlite(tmp_path, b"", None)


def test_pages_that_nobody_holds_are_counted(tmp_path: Path) -> None:
    """A main file that was cut is shorter than its header says."""
    main, _ = files_of(tmp_path, [TABLE, MANY, "PRAGMA wal_checkpoint(TRUNCATE)"], page_bytes=512)
    pages = len(main) // 512
    made = image(main[: 3 * 512])
    assert (made.lacking_pages, len(made.octets)) == (pages - 3, 3 * 512)
    assert image(main[: 3 * 512 + 7]).lacking_pages == pages - 3
    assert image(main).lacking_pages == 0


def test_pages_that_the_log_supplies_are_not_lacking(tmp_path: Path) -> None:
    """A page that neither file holds is zeros between pages that are held."""
    main, wal = files_of(tmp_path, [TABLE, MANY], page_bytes=512)
    after = image(main, wal)
    assert (after.lacking_pages, len(after.octets)) == (0, 512 * _page_count(wal, 512))
    (tmp_path / "two").mkdir()
    moved = files_of(tmp_path / "two", [TABLE, MANY, "PRAGMA wal_checkpoint(RESTART)", ROWS[0]], page_bytes=512)
    short = image(moved[0][:1024], moved[1])
    assert short.lacking_pages > 0


def test_a_page_count_that_was_not_written_is_not_believed(tmp_path: Path) -> None:
    """An old library leaves the count stale; then the size of the file counts."""
    main, _ = files_of(tmp_path, [TABLE, *ROWS, "PRAGMA wal_checkpoint(TRUNCATE)"])
    stale = main[:28] + (9999).to_bytes(4, "big") + main[32:92] + b"\xff\xff\xff\xff" + main[96:]
    assert image(stale).lacking_pages == 0
    zero = main[:28] + bytes(4) + main[32:]
    assert image(zero).lacking_pages == 0
    assert len(image(main + bytes(4096)).octets) == len(main)


def test_a_log_that_states_a_monstrous_size_makes_no_monstrous_image(tmp_path: Path) -> None:
    """What a log states is not allocated unless a page is there for it, and never above the bound."""
    main, wal = files_of(tmp_path, [TABLE])
    huge = _restated(wal, 4096, number=None, after=0xFFFF_FFF0)
    made = image(main, huge)
    assert len(made.octets) == 2 * 4096
    assert made.lacking_pages == 0xFFFF_FFF0 - 2
    far = _restated(wal, 4096, number=0xFFFF_FFF0, after=0xFFFF_FFF0)
    assert image_of(main, far) == NoDatabase("over_limit", "applied", "absent")
    assert image_of(main, None, None, 4095) == NoDatabase("over_limit", "absent", "absent")


def test_the_newest_committed_content_of_a_page_counts(tmp_path: Path) -> None:
    """Each page is named once, with the offset of its last committed frame."""
    _, wal = files_of(tmp_path, [TABLE, *ROWS])
    found = committed(wal, 4096)
    assert dict(found.pages)[2] == frame_at(found.frames - 1) + FRAME_HEADER_BYTES
    assert [number for number, _ in found.pages] == [1, 2]


def test_the_size_of_a_page_is_read_from_the_header(tmp_path: Path) -> None:
    """65,536 is written as 1, and what is no power of two is no database."""
    main, _ = files_of(tmp_path, [TABLE], page_bytes=65_536)
    assert main[16:18] == b"\x00\x01"
    assert page_size(main) == 65_536
    assert page_size(main[:16] + b"\x02\x01" + main[18:]) is None


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(0, 6000), flip=st.integers(0, 6000), damaged=st.booleans())
def test_any_damage_of_the_log_gives_what_sqlite_reads(tmp_path: Path, cut: int, flip: int, *, damaged: bool) -> None:
    """Wherever a log was cut or a byte of it flipped, the image holds what SQLite reads of copies."""
    place = tmp_path / "damage"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    main, wal = files_of(place, [TABLE, *ROWS], page_bytes=512)
    wrong = bytearray(wal[: max(0, len(wal) - cut)])
    if damaged and wrong:
        wrong[flip % len(wrong)] ^= 0x10
    # SQLite refuses a log whose version it does not know; we leave it out and say so.
    made = image(main, bytes(wrong))
    if made.wal not in {"other_version", "other_page_size"}:
        assert by_image(made) == by_sqlite(place, main, bytes(wrong))


def _page_count(wal: bytes, page_bytes: int) -> int:
    return committed(wal, page_bytes).page_count


def _big_endian(wal: bytes, page_bytes: int) -> bytes:
    head = (0x377F0683).to_bytes(4, "big") + wal[4:24]
    return _chained(head, wal, page_bytes)


def _restated(wal: bytes, page_bytes: int, *, number: int | None, after: int) -> bytes:
    """The log with another page number and size in its last frame, its checksums right again."""
    at = len(wal) - page_bytes - FRAME_HEADER_BYTES
    said = wal[at : at + 4] if number is None else number.to_bytes(4, "big")
    return _chained(wal[:24], wal[:at] + said + after.to_bytes(4, "big") + wal[at + 8 :], page_bytes)


def _chained(head: bytes, wal: bytes, page_bytes: int) -> bytes:
    order: Literal["<", ">"] = "<" if head[3] == 0x82 else ">"
    running = checksum(head, order)
    made = bytearray(head + struct.pack(">2I", *running))
    for at in range(32, len(wal), FRAME_HEADER_BYTES + page_bytes):
        page = wal[at + FRAME_HEADER_BYTES : at + FRAME_HEADER_BYTES + page_bytes]
        running = checksum(wal[at : at + 8] + page, order, running)
        made += wal[at : at + 16] + struct.pack(">2I", *running) + page
    return bytes(made)
