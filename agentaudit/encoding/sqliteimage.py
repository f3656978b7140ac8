"""One database image out of the bytes of a SQLite main file and of its write-ahead log; nothing is opened or written.

- The rules are those of SQLite's file format document, section 4: committed frames of an unbroken chain count, what
  follows the last of them does not. What was damaged, foreign or left out is a value, never an error.
- A log that lies beside an empty main file belongs to no database: SQLite would throw it away, and it is not applied.
- A rollback journal is never played back: whether it is hot is said, and then the image may hold a half-done act.
- The image is in rollback mode (bytes 18 and 19), so that it can be read from memory without its log.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

MAGIC: Final = b"SQLite format 3\x00"
HEADER_BYTES: Final = 100
WAL_HEADER_BYTES: Final = 32
FRAME_HEADER_BYTES: Final = 24
PAGE_MIN_BYTES: Final = 512
PAGE_MAX_BYTES: Final = 65_536
IMAGE_MAX_BYTES: Final = 512 * 1024 * 1024
"""An image lies in memory as a whole; larger ones are not made."""

_WAL_VERSION: Final = 3_007_000
_WAL_ORDERS: Final[dict[int, Literal["<", ">"]]] = {0x377F0682: "<", 0x377F0683: ">"}
_WORD: Final = 0xFFFF_FFFF
_JOURNAL_MAGIC: Final = bytes.fromhex("d9d505f920a163d7")
_VERSIONS: Final = slice(18, 20)
_PAGE_COUNT_AT: Final = 28

Wal = Literal[
    "absent", "empty", "applied", "no_commit", "header_cut", "unrecognised", "other_version", "header_checksum",
    "other_page_size", "no_main",
]  # fmt: skip
"""What became of the log; only `applied` changed the image."""

Tail = Literal["none", "uncommitted", "other_salt", "checksum", "page_zero", "torn"]
"""Why what follows the last committed frame does not count; damage comes before an act that was not committed."""

Journal = Literal["absent", "idle", "hot"]
"""A rollback journal beside the main file; `hot`: its header is whole, so an act may have been broken off."""


@dataclass(frozen=True, slots=True)
class SqliteImage:
    """One database as its last committed act left it, and what was not taken into it.

    `octets` are pages of `page_bytes`. `frames` were applied; `ignored_bytes` of the log lie behind the last of them.
    `lacking_pages` are those that the database says it has and neither file holds: zeros stand for them, or, behind
    the last page that is held, nothing.
    """

    octets: bytes
    page_bytes: int
    wal: Wal
    frames: int = 0
    tail: Tail = "none"
    ignored_bytes: int = 0
    journal: Journal = "absent"
    lacking_pages: int = 0


@dataclass(frozen=True, slots=True)
class NoDatabase:
    """No image: the main file is `empty`, shorter than a header (`cut`), of another form (`foreign`), or too large."""

    problem: Literal["empty", "cut", "foreign", "over_limit"]
    wal: Wal
    journal: Journal


@dataclass(frozen=True, slots=True)
class Committed:
    """What a log says: page number to the offset of its newest committed content, and the pages after the last act."""

    wal: Wal
    pages: tuple[tuple[int, int], ...] = ()
    page_count: int = 0
    frames: int = 0
    tail: Tail = "none"
    ignored_bytes: int = 0


def image_of(
    main: bytes, wal: bytes | None = None, journal: bytes | None = None, limit_bytes: int = IMAGE_MAX_BYTES
) -> SqliteImage | NoDatabase:
    """The image of one database, of `limit_bytes` at most; None for a file that is not there.

    Source: SQLite's file format, sections 1.3 (header), 3 (rollback journal) and 4 (write-ahead log).
    """
    hot = journal_state(journal)
    page_bytes = page_size(main)
    if page_bytes is None:
        return NoDatabase(_problem(main), "absent" if wal is None else "no_main" if wal else "empty", hot)
    found = committed(wal, page_bytes)
    stated = found.page_count or _stated_pages(main, page_bytes)
    placed = [(number, at) for number, at in found.pages if number <= stated]
    there = -(-len(main) // page_bytes)
    pages = min(stated, max(there, placed[-1][0] if placed else 0))
    if pages * page_bytes > limit_bytes:
        return NoDatabase("over_limit", found.wal, hot)
    octets = bytearray(main[: pages * page_bytes])
    octets.extend(bytes(pages * page_bytes - len(octets)))
    for number, at in placed:
        octets[(number - 1) * page_bytes : number * page_bytes] = (wal or b"")[at : at + page_bytes]
    octets[_VERSIONS] = b"\x01\x01"
    whole = len(main) // page_bytes
    return SqliteImage(
        octets=bytes(octets),
        page_bytes=page_bytes,
        wal=found.wal,
        frames=found.frames,
        tail=found.tail,
        ignored_bytes=found.ignored_bytes,
        journal=hot,
        lacking_pages=stated - min(stated, whole) - sum(number > whole for number, _ in placed),
    )


def page_size(main: bytes) -> int | None:
    """The bytes of a page as the header gives them; None for what is no database (section 1.3.2)."""
    if len(main) < HEADER_BYTES or not main.startswith(MAGIC):
        return None
    size = int.from_bytes(main[16:18], "big")
    size = PAGE_MAX_BYTES if size == 1 else size
    return size if _is_page_size(size) else None


def journal_state(journal: bytes | None) -> Journal:
    """Whether a rollback journal would be played back: only one whose header is whole (section 3)."""
    if journal is None:
        return "absent"
    return "hot" if journal.startswith(_JOURNAL_MAGIC) else "idle"


def committed(wal: bytes | None, page_bytes: int) -> Committed:
    """The committed pages of a log beside a database with pages of that size (sections 4.1 to 4.3)."""
    if not wal:
        return Committed("absent" if wal is None else "empty")
    state = _wal_state(wal, page_bytes)
    if state is not None:
        return Committed(state, ignored_bytes=len(wal))
    newest: dict[int, int] = {}
    pending: dict[int, int] = {}
    count = frames = 0
    end = WAL_HEADER_BYTES
    tail: Tail = "none"
    for taken, one in enumerate(_frames(wal, page_bytes), 1):
        if isinstance(one, str):
            tail = one
            continue
        number, after, at = one
        pending[number] = at
        if after:
            newest.update(pending)
            pending.clear()
            count, frames, end = after, taken, at + page_bytes
    if pending and tail in {"none", "other_salt"}:
        tail = "uncommitted"
    return Committed(
        wal="applied" if frames else "no_commit",
        pages=tuple(sorted(newest.items())),
        page_count=count,
        frames=frames,
        tail=tail,
        ignored_bytes=len(wal) - end,
    )


def checksum(octets: bytes | memoryview, order: Literal["<", ">"], first: tuple[int, int] = (0, 0)) -> tuple[int, int]:
    """The two words of a log's running checksum over a multiple of eight bytes (section 4.2)."""
    one, two = first
    words = iter(struct.unpack(f"{order}{len(octets) // 4}I", octets))
    for left, right in zip(words, words, strict=True):
        one = (one + left + two) & _WORD
        two = (two + right + one) & _WORD
    return one, two


def _wal_state(wal: bytes, page_bytes: int) -> Wal | None:
    """Why nothing of the log counts; None when its frames are to be looked at."""
    if len(wal) < WAL_HEADER_BYTES:
        return "header_cut"
    magic, version, size, _, _, _, one, two = struct.unpack(">8I", wal[:WAL_HEADER_BYTES])
    if magic not in _WAL_ORDERS or not _is_page_size(size):
        return "unrecognised"
    if checksum(wal[:24], _WAL_ORDERS[magic]) != (one, two):
        return "header_checksum"
    if version != _WAL_VERSION:
        return "other_version"
    return None if size == page_bytes else "other_page_size"


def _frames(wal: bytes, page_bytes: int) -> Iterator[tuple[int, int, int] | Tail]:
    """Page number, pages after the act (0 inside one) and offset of the content; at last why the chain ended."""
    magic, _, _, _, *salts, one, two = struct.unpack(">8I", wal[:WAL_HEADER_BYTES])
    order = _WAL_ORDERS[magic]
    view = memoryview(wal)
    at = WAL_HEADER_BYTES
    end: Tail = "none"
    while at + FRAME_HEADER_BYTES + page_bytes <= len(wal):
        number, after, salt_one, salt_two, *stated = struct.unpack_from(">6I", wal, at)
        body = at + FRAME_HEADER_BYTES
        one, two = checksum(view[at : at + 8], order, (one, two))
        one, two = checksum(view[body : body + page_bytes], order, (one, two))
        end = _fault(number, same_salts=[salt_one, salt_two] == salts, same_sum=[one, two] == stated)
        if end != "none":
            break
        yield number, after, body
        at = body + page_bytes
    yield "torn" if end == "none" and at < len(wal) else end


def _fault(number: int, *, same_salts: bool, same_sum: bool) -> Tail:
    if not same_salts:
        return "other_salt"
    if number == 0:
        return "page_zero"
    return "none" if same_sum else "checksum"


def _stated_pages(main: bytes, page_bytes: int) -> int:
    """The pages of a main file without a log: what its header says where that is valid, else what is there.

    The count is valid when it was written with the change counter (section 1.3.7).
    """
    stated = int.from_bytes(main[_PAGE_COUNT_AT : _PAGE_COUNT_AT + 4], "big")
    if stated == 0 or main[24:28] != main[92:96]:
        return -(-len(main) // page_bytes)
    return stated


def _problem(main: bytes) -> Literal["empty", "cut", "foreign"]:
    if not main:
        return "empty"
    return "cut" if len(main) < HEADER_BYTES and MAGIC.startswith(main[: len(MAGIC)]) else "foreign"


def _is_page_size(size: int) -> bool:
    return PAGE_MIN_BYTES <= size <= PAGE_MAX_BYTES and size & (size - 1) == 0
