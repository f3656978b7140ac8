"""One tampering for each code that a sealed exhibit can have: what it yields is that code and no other.

- Each acts on a copy of the clean golden exhibit, which has no loss and only the note that it is unsigned.
"""

import os
from collections.abc import Callable
from pathlib import Path

import msgspec

from agentaudit.format import layout
from agentaudit.format.bagit import manifest_line
from agentaudit.model.base import Instant, digest_of
from agentaudit.model.journal import Answered, Closed, WalkBegan, WalkEnded
from agentaudit.model.limits import ByteLimits
from tests.forge import edit, reanswer, rechain, refold, remanifest, retag, rewrite, rows_of
from tests.golden import page

Mutation = Callable[[Path], None]

FIRST = "data/script/s000001/000001.json"
SECOND = "data/script/s000001/000002.json"


def bagit_with_a_third_line(root: Path) -> None:
    """A line more than BagIt 1.0 has."""
    edit(root / layout.BAGIT, b"UTF-8\n", b"UTF-8\nMore: 1\n")
    retag(root)


def bag_info_with_another_oxum(root: Path) -> None:
    """A Payload-Oxum that is not that of the payload."""
    edit(root / layout.BAG_INFO, b"Payload-Oxum: ", b"Payload-Oxum: 9")
    retag(root)


def extra_file(root: Path) -> None:
    """A file that nobody lists."""
    rewrite(root / "agentaudit/extra.json", b"{}")


def extra_folder(root: Path) -> None:
    """An empty folder."""
    (root / "data/empty").mkdir()


def link(root: Path) -> None:
    """A link out of the package."""
    (root / "data/link.json").symlink_to("/etc/passwd")


def pipe(root: Path) -> None:
    """A named pipe without a writer."""
    os.mkfifo(root / "data/pipe.json")


def unsafe_name(root: Path) -> None:
    """A name with a space."""
    rewrite(root / "data/a b.json", b"{}")


def tag_file_removed(root: Path) -> None:
    """A required tag file is gone."""
    (root / layout.VERIFY).unlink()


def package_with_a_space(root: Path) -> None:
    """package.json is JSON, but not canonical."""
    edit(root / layout.PACKAGE, b'":', b'": ')
    retag(root)


def package_with_another_examiner(root: Path) -> None:
    """package.json is canonical, but not what the journal says."""
    edit(root / layout.PACKAGE, b"E. Examiner", b"F. Examiner")
    retag(root)


def deep_folders(root: Path) -> None:
    """Folders in folders, deeper than a reader goes."""
    (root / "data" / "/".join(["d"] * 40)).mkdir(parents=True)


def payload_manifest_removed(root: Path) -> None:
    """The payload manifest is gone."""
    (root / layout.MANIFEST).unlink()


def tag_manifest_removed(root: Path) -> None:
    """The tag manifest is gone."""
    (root / layout.TAG_MANIFEST).unlink()


def malformed_line(root: Path) -> None:
    """A manifest line that is none."""
    rewrite(root / layout.MANIFEST, (root / layout.MANIFEST).read_bytes() + b"nothing\n")
    retag(root)


def path_listed_twice(root: Path) -> None:
    """A path stands twice in the payload manifest."""
    lines = (root / layout.MANIFEST).read_bytes().splitlines(keepends=True)
    rewrite(root / layout.MANIFEST, b"".join([*lines, lines[-1]]))
    retag(root)


def changed_bit(root: Path) -> None:
    """One bit of one payload file."""
    octets = bytearray((root / FIRST).read_bytes())
    octets[7] ^= 1
    rewrite(root / FIRST, bytes(octets))


def payload_file_removed(root: Path) -> None:
    """A listed payload file is gone."""
    (root / FIRST).unlink()


def path_outside(root: Path) -> None:
    """A manifest names a file outside the package."""
    line = manifest_line("../outside", "sha256:" + "0" * 64)
    rewrite(root / layout.MANIFEST, line + (root / layout.MANIFEST).read_bytes())
    retag(root)


def weaker_manifest(root: Path) -> None:
    """An MD5 manifest lies beside the others."""
    rewrite(root / "manifest-md5.txt", b"")


def tag_file_unlisted(root: Path) -> None:
    """The tag manifest passes over a tag file."""
    lines = (root / layout.TAG_MANIFEST).read_bytes().splitlines(keepends=True)
    rewrite(root / layout.TAG_MANIFEST, b"".join(line for line in lines if layout.GAPS.encode() not in line))


def journal_with_a_space(root: Path) -> None:
    """A journal line is JSON, but not canonical."""
    edit(root / layout.JOURNAL, b'"event":"walk_began"', b'"event": "walk_began"')
    retag(root)


def row_changed(root: Path) -> None:
    """A journal row is changed, the chain is not."""
    edit(root / layout.JOURNAL, b'"request_id":"req_1"', b'"request_id":"req_2"')
    retag(root)


def row_removed(root: Path) -> None:
    """A journal row is cut out."""
    lines = (root / layout.JOURNAL).read_bytes().splitlines(keepends=True)
    rewrite(root / layout.JOURNAL, b"".join(lines[:2] + lines[3:]))
    retag(root)


def first_row_removed(root: Path) -> None:
    """The journal no longer says what was opened, and its chain fits."""
    rechain(root, rows_of(root)[1:])


def last_row_removed(root: Path) -> None:
    """The journal no longer says what came of it."""
    rechain(root, rows_of(root)[:-1])


def row_with_another_digest(root: Path) -> None:
    """A row names a payload file by another digest."""
    rows = rows_of(root)
    at, row = _answer(root, FIRST)
    rows[at] = msgspec.structs.replace(row, item=msgspec.structs.replace(row.item, sha256=digest_of(b"")))
    rechain(root, rows)


def payload_file_added(root: Path) -> None:
    """A payload file is added and listed, and no row knows it."""
    rewrite(root / "data/script/s000001/000003.json", b"{}")
    octets = sum(path.stat().st_size for path in (root / "data").rglob("*.json"))
    old = next(line for line in (root / layout.BAG_INFO).read_bytes().splitlines() if b"Oxum" in line)
    edit(root / layout.BAG_INFO, old, f"Payload-Oxum: {octets}.4".encode())
    remanifest(root)


def item_with_another_role(root: Path) -> None:
    """A fold is changed."""
    edit(root / layout.ITEMS, b'"role":"answer"', b'"role":"refusal"')
    retag(root)


def closed_with_another_count(root: Path) -> None:
    """The last row counts a message more, and package.json with it."""
    rows = rows_of(root)
    closed = rows[-1]
    assert isinstance(closed, Closed)
    counts = msgspec.structs.replace(closed.counts, messages=closed.counts.messages + 1)
    refold(root, [*rows[:-1], msgspec.structs.replace(closed, counts=counts)], recount=False)


def clock_set_back(root: Path) -> None:
    """A row is earlier than the one before it."""
    rows = rows_of(root)
    rows[3] = msgspec.structs.replace(rows[3], at=Instant("2020-01-01T00:00:00.000000Z"))
    refold(root, rows)


def walk_without_end(root: Path) -> None:
    """A walk has no end, and the outcome says so."""
    refold(root, [row for row in rows_of(root) if not (isinstance(row, WalkEnded) and row.walk == "script/list")])


def first_page_removed(root: Path) -> None:
    """The first page of a walk is gone without a trace but the hole."""
    at, _ = _answer(root, FIRST)
    rows = rows_of(root)
    (root / FIRST).unlink()
    refold(root, rows[:at] + rows[at + 1 :])


def another_cursor(root: Path) -> None:
    """A page was asked for with a cursor that no page gave."""
    rows = rows_of(root)
    at, row = _answer(root, SECOND)
    rows[at] = msgspec.structs.replace(row, exchange=msgspec.structs.replace(row.exchange, cursor="p7"))
    refold(root, rows)


def other_limits(root: Path) -> None:
    """An answer states other byte limits than its walk."""
    rows = rows_of(root)
    at, row = _answer(root, SECOND)
    rows[at] = msgspec.structs.replace(row, limits=ByteLimits(tool_input_max_bytes=1, tool_result_max_bytes=1))
    refold(root, rows)


def last_page_leads_on(root: Path) -> None:
    """The last page of a walk that is said to be exhausted gives a cursor."""
    rows = rows_of(root)
    at, row = _answer(root, SECOND)
    rows[at] = reanswer(root, row, page([{"id": "m2", "role": "assistant"}], "p2"))
    refold(root, rows)


def walk_begun_twice(root: Path) -> None:
    """A walk begins twice."""
    rows = rows_of(root)
    at = next(number for number, row in enumerate(rows) if isinstance(row, WalkBegan))
    refold(root, [*rows[: at + 1], rows[at], *rows[at + 1 :]])


def record_with_another_role(root: Path) -> None:
    """A reading is changed."""
    edit(root / layout.RECORDS, b'"role":"user"', b'"role":"user2"')
    retag(root)


def _answer(root: Path, path: str) -> tuple[int, Answered]:
    for number, row in enumerate(rows_of(root)):
        if isinstance(row, Answered) and row.item.path == path:
            return number, row
    raise AssertionError(path)


MUTATIONS: dict[str, Mutation] = {
    "P001": bagit_with_a_third_line,
    "P002": bag_info_with_another_oxum,
    "P003": extra_file,
    "P004": extra_folder,
    "P005": link,
    "P006": pipe,
    "P007": unsafe_name,
    "P008": tag_file_removed,
    "P010": package_with_a_space,
    "P011": package_with_another_examiner,
    "P012": deep_folders,
    "M001": payload_manifest_removed,
    "M002": tag_manifest_removed,
    "M003": malformed_line,
    "M004": path_listed_twice,
    "M005": changed_bit,
    "M006": payload_file_removed,
    "M008": path_outside,
    "M009": weaker_manifest,
    "M010": tag_file_unlisted,
    "J001": journal_with_a_space,
    "J002": row_changed,
    "J003": row_removed,
    "J004": first_row_removed,
    "J005": last_row_removed,
    "J006": row_with_another_digest,
    "J007": payload_file_added,
    "J008": item_with_another_role,
    "J009": closed_with_another_count,
    "J010": clock_set_back,
    "W001": walk_without_end,
    "W002": first_page_removed,
    "W003": another_cursor,
    "W004": other_limits,
    "W005": last_page_leads_on,
    "W006": walk_begun_twice,
    "R001": record_with_another_role,
}
