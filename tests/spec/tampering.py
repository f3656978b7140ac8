"""The tampering matrix: what is done to a signed, stamped case, and what a check must find.

- Every file times flip, truncate, append, delete, add, rename and swap: `ACTS`, by what kind of file it is.
- Manifests times drop, downgrade, duplicate, case, CRLF and BOM; the seal's attestations times other key, other
  namespace, old token and other authority: `MANIFESTS`, `SEALS`.
- Findings are those of the whole case; those of the exhibit alone are the ones that begin with P, M, J or S.
"""

import hashlib
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from agentaudit.adapters.rfc3161 import read_answer, request
from agentaudit.attest.stamps import pem_chain
from agentaudit.format import layout
from agentaudit.verify import verify_case
from tests.forge import edit, rewrite
from tests.golden import ScriptReader
from tests.support.attesting import AttestedCase, signature

BASE = layout.TAG_MANIFEST
FIRST, SECOND = f"{BASE}.1.sig", f"{BASE}.2.sig"
STAMP, SIGNATURE_STAMP = f"{BASE}.1.tsr", f"{BASE}.1.sig.1.tsr"

Act = Callable[[Path], None]


def flip(path: Path) -> None:
    """One bit in the middle; of a time stamp one near its end, where its signature lies."""
    octets = bytearray(path.read_bytes())
    octets[-5 if path.suffix == ".tsr" else len(octets) // 2] ^= 1
    rewrite(path, bytes(octets))


def truncate(path: Path) -> None:
    """The last quarter is cut off."""
    octets = path.read_bytes()
    rewrite(path, octets[: len(octets) * 3 // 4])


def append(path: Path) -> None:
    """A byte more."""
    rewrite(path, path.read_bytes() + b"x")


def delete(path: Path) -> None:
    """Gone."""
    path.unlink()


def add(path: Path) -> None:
    """A copy of it beside it, under a name that nothing lists."""
    shutil.copy(path, path.with_name(f"{path.name}.copy"))


def rename(path: Path) -> None:
    """The same bytes under another name."""
    path.rename(path.with_name(f"{path.name}.old"))


def swap_with(other: str) -> Act:
    """The bytes of two files change places; the other is named from the folder of the first."""

    def swap(path: Path) -> None:
        beside = path.parent / other
        mine, its = path.read_bytes(), beside.read_bytes()
        rewrite(path, its)
        rewrite(beside, mine)

    return swap


@dataclass(frozen=True)
class Kind:
    """One kind of file: which files it is, with whom each changes places, and what each act is found as."""

    names: tuple[str, ...]
    swapped_with: Callable[[str], str]
    flip: str
    truncate: str
    append: str
    delete: str
    add: str
    rename: str
    swap: str


_PAYLOAD = ("data/script/list/000001.json", "data/script/s000001/000001.json", "data/script/s000001/000002.json")
_TAGS = tuple(name for name in layout.TAG_FILES if name != layout.MANIFEST and name.startswith("agentaudit/"))
_EMPTY = frozenset({layout.GAPS, layout.TRUNCATIONS, layout.ENTRIES})

# The codes after which everything that rests on the seal is wrong as well: the log's seal, signatures, the stamp.
_SEAL = "C007 S004 S008"


def _kind(
    *names: str,
    swapped_with: Callable[[str], str],
    changed: str,
    deleted: str,
    appended: str = "",
    swapped: str = "",
    added: str = "P003",
) -> Kind:
    """A kind of which a flip and a cut are found as the same, and a rename as a deletion and an addition."""
    return Kind(
        names=names,
        swapped_with=swapped_with,
        flip=changed,
        truncate=changed,
        append=appended or changed,
        delete=deleted,
        add=added,
        rename=f"{deleted} {added}",
        swap=swapped or changed,
    )  # fmt: skip


def _in_exhibit(*names: str) -> tuple[str, ...]:
    return tuple(f"EX-0001/{name}" for name in names)


_PAGES = {"list/000001.json": "../s000001/000001.json", "000001.json": "000002.json", "000002.json": "000001.json"}

KINDS: Mapping[str, Kind] = {
    "payload": _kind(
        *_in_exhibit(*_PAYLOAD),
        swapped_with=lambda name: next(other for end, other in _PAGES.items() if name.endswith(end)),
        changed="M005",
        deleted="M006",
    ),
    "tag file": _kind(
        *_in_exhibit(*(name for name in _TAGS if name not in _EMPTY)),
        swapped_with=lambda name: "VERIFY.txt" if name.endswith("FORMAT.md") else "FORMAT.md",
        changed="M005",
        deleted="P008",
    ),
    "bag file": _kind(
        *_in_exhibit(layout.BAGIT, layout.BAG_INFO),
        swapped_with=lambda name: layout.BAG_INFO if name.endswith(layout.BAGIT) else layout.BAGIT,
        changed="M005",
        deleted="P008",
    ),
    "second signature": _kind(
        *_in_exhibit(SECOND),
        swapped_with=lambda _: FIRST,
        changed="C016 S004",
        appended="C016",
        deleted="C015",
        swapped="C016 S008",
    ),
    "first signature, which a stamp is over": _kind(
        *_in_exhibit(FIRST),
        swapped_with=lambda _: SECOND,
        changed="C016 S004 S008",
        appended="C016 S008",
        deleted="C015 S008",
        swapped="C016 S008",
    ),
    "time stamp": _kind(
        *_in_exhibit(STAMP, SIGNATURE_STAMP),
        swapped_with=lambda name: SIGNATURE_STAMP if name.endswith(f"txt.{1}.tsr") else STAMP,
        changed="C016 S009",
        deleted="C015 S013",
        swapped="C016 S008",
    ),
    "certificates": _kind(
        *_in_exhibit(f"{STAMP}.pem", f"{SIGNATURE_STAMP}.pem"),
        swapped_with=lambda _: SECOND,
        changed="C016 S013",
        deleted="C015 S013",
        swapped="C016 S004 S013",
    ),
    "case file": _kind(
        layout.CASE,
        swapped_with=lambda _: layout.CUSTODY,
        changed="C003",
        deleted="C003",
        added="C009",
        swapped="C001",
    ),
}

ACTS = ("flip", "truncate", "append", "delete", "add", "rename", "swap")


def expected(kind: Kind, act: str) -> set[str]:
    """What an act on a file of that kind is found as."""
    return set(str(getattr(kind, act)).split())


def perform(case: Path, name: str, kind: Kind, act: str) -> None:
    """Do it."""
    plain: dict[str, Act] = {
        "flip": flip, "truncate": truncate, "append": append, "delete": delete, "add": add, "rename": rename,
    }  # fmt: skip
    (plain[act] if act in plain else swap_with(kind.swapped_with(name)))(case / name)


def _lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def other_digit(path: Path) -> None:
    """One digit of the first line is another."""
    octets = path.read_bytes()
    rewrite(path, (b"1" if octets[:1] == b"0" else b"0") + octets[1:])


def drop_line(path: Path) -> None:
    """The last line is left out."""
    rewrite(path, b"".join(_lines(path)[:-1]))


def duplicate_line(path: Path) -> None:
    """The last line stands twice."""
    lines = _lines(path)
    rewrite(path, b"".join([*lines, lines[-1]]))


def upper_case(path: Path) -> None:
    """The digits of the first line that has letters among them, in capitals."""
    lines = _lines(path)
    at = next(n for n, line in enumerate(lines) if line[:64] != line[:64].upper())
    lines[at] = lines[at][:64].upper() + lines[at][64:]
    rewrite(path, b"".join(lines))


def crlf(path: Path) -> None:
    """Line ends of another system."""
    rewrite(path, path.read_bytes().replace(b"\n", b"\r\n"))


def bom(path: Path) -> None:
    """A byte-order mark in front."""
    rewrite(path, b"\xef\xbb\xbf" + path.read_bytes())


def downgrade(path: Path) -> None:
    """MD5 in the place of SHA-256, over the files as they are."""
    root = path.parent
    names = [line[66:].rstrip(b"\n").decode() for line in _lines(path)]
    lines = [f"{hashlib.md5((root / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    path.unlink()
    rewrite(path.with_name(path.name.replace("sha256", "md5")), "".join(lines).encode())


def weaker_beside(path: Path) -> None:
    """MD5 beside SHA-256."""
    octets = path.read_bytes()
    downgrade(path)
    rewrite(path, octets)


MANIFESTS: Mapping[str, tuple[str, Act, str]] = {
    "payload manifest, line dropped": (layout.MANIFEST, drop_line, "M005 P003"),
    "payload manifest, line doubled": (layout.MANIFEST, duplicate_line, "M004 M005"),
    "payload manifest, capitals": (layout.MANIFEST, upper_case, "M003 M005 P003"),
    "payload manifest, CRLF": (layout.MANIFEST, crlf, "M003 M005 P003"),
    "payload manifest, BOM": (layout.MANIFEST, bom, "M003 M005 P003"),
    "payload manifest, MD5 instead": (layout.MANIFEST, downgrade, "M001 M009"),
    "payload manifest, MD5 beside": (layout.MANIFEST, weaker_beside, "M009"),
    "payload manifest, another digit": (layout.MANIFEST, other_digit, "M005"),
    "tag manifest, another digit": (BASE, other_digit, f"M005 {_SEAL}"),
    "tag manifest, line dropped": (BASE, drop_line, f"M010 {_SEAL}"),
    "tag manifest, line doubled": (BASE, duplicate_line, f"M004 {_SEAL}"),
    "tag manifest, capitals": (BASE, upper_case, f"M003 M010 {_SEAL}"),
    "tag manifest, CRLF": (BASE, crlf, f"M003 M010 {_SEAL}"),
    "tag manifest, BOM": (BASE, bom, f"M003 M010 {_SEAL}"),
    "tag manifest, MD5 instead": (BASE, downgrade, f"M002 M009 {_SEAL}"),
    "tag manifest, MD5 beside": (BASE, weaker_beside, "M009"),
    "tag manifest, deleted": (BASE, delete, f"M002 {_SEAL}"),
}

Seal = Callable[[AttestedCase], None]


def other_key(made: AttestedCase) -> None:
    """The second signature is made anew by a stranger."""
    _resign(made, made.folder / "stranger", "agentaudit-seal")


def other_namespace(made: AttestedCase) -> None:
    """The second signature is by its signer, for something else."""
    _resign(made, made.key(2), "file")


def other_seal(made: AttestedCase) -> None:
    """The second signature is by its signer, over another tag manifest."""
    rewrite(made.exhibit / SECOND, signature(made.key(2), b"another tag manifest"))


def old_token(made: AttestedCase) -> None:
    """The stamp is by the authority, over an earlier tag manifest."""
    _restamp(made, made.authority.answer(request(b"an earlier tag manifest", 1)))


def other_authority(made: AttestedCase) -> None:
    """The stamp is over this tag manifest, by an authority that nobody named."""
    _restamp(made, _answer_of(made, "stranger-tsa"))


def expired_authority(made: AttestedCase) -> None:
    """The stamp is by the root that was named, with a certificate that was no longer valid."""
    _restamp(made, _answer_of(made, "expired-tsa"))


def signature_added(made: AttestedCase) -> None:
    """A stranger's signature lies beside the others."""
    octets = signature(made.folder / "stranger", (made.exhibit / BASE).read_bytes())
    rewrite(made.exhibit / f"{BASE}.3.sig", octets)


def attestations_removed(made: AttestedCase) -> None:
    """Every signature and stamp is gone."""
    for path in made.exhibit.glob(f"{BASE}.*"):
        path.unlink()


def custody_flipped(made: AttestedCase) -> None:
    """One letter of one row."""
    edit(made.path / layout.CUSTODY, b'"event":"began"', b'"event":"bEgan"')


def custody_note_changed(made: AttestedCase) -> None:
    """A row says something else, and is still a row."""
    edit(made.path / layout.CUSTODY, b"E. Examiner", b"F. Examiner")


def custody_rows_swapped(made: AttestedCase) -> None:
    """Two rows change places."""
    _reorder(made, lambda rows: [*rows[:3], rows[4], rows[3], *rows[5:]])


def custody_row_missing(made: AttestedCase) -> None:
    """A row in the middle is cut out."""
    _reorder(made, lambda rows: [*rows[:3], *rows[4:]])


def custody_tail_cut(made: AttestedCase) -> None:
    """The last row is cut off: what it told of lies there untold."""
    _reorder(made, lambda rows: rows[:-1])


def _reorder(made: AttestedCase, change: Callable[[list[bytes]], list[bytes]]) -> None:
    """The log with other rows."""
    path = made.path / layout.CUSTODY
    rewrite(path, b"".join(change(_lines(path))))


def custody_torn(made: AttestedCase) -> None:
    """The last row lost its end."""
    path = made.path / layout.CUSTODY
    rewrite(path, path.read_bytes()[:-1])


def custody_removed(made: AttestedCase) -> None:
    """The log is gone."""
    (made.path / layout.CUSTODY).unlink()


def exhibit_removed(made: AttestedCase) -> None:
    """The exhibit is gone."""
    shutil.rmtree(made.exhibit)


SEALS: Mapping[str, tuple[Seal, str]] = {
    "signature by another key": (other_key, "C016 S006"),
    "signature of another namespace": (other_namespace, "C016 S005"),
    "signature over another seal": (other_seal, "C016 S004"),
    "time stamp over an earlier seal": (old_token, "C016 S008"),
    "time stamp by another authority": (other_authority, "C016 S010"),
    "time stamp by an expired certificate": (expired_authority, "C016 S011"),
    "signature added": (signature_added, "C017 S006"),
    "attestations removed": (attestations_removed, "C015 S002"),
    "custody row misspelt": (custody_flipped, "C001"),
    "custody row changed": (custody_note_changed, "C002"),
    "custody rows swapped": (custody_rows_swapped, "C002"),
    "custody row missing": (custody_row_missing, "C002"),
    "custody tail cut": (custody_tail_cut, "C017"),
    "custody tail torn": (custody_torn, "C013 C017"),
    "custody log removed": (custody_removed, "C004"),
    "exhibit removed": (exhibit_removed, "C005"),
}


def found(made: AttestedCase) -> set[str]:
    """The codes of a case and of its exhibits."""
    verdict = verify_case(made.path, readers=(ScriptReader(),), witness=made.witness(), threads=1)
    return {code for codes in (verdict.codes, *(one.codes for one in verdict.exhibits)) for code, _ in codes}


def _resign(made: AttestedCase, key: Path, namespace: str) -> None:
    rewrite(made.exhibit / SECOND, signature(key, (made.exhibit / BASE).read_bytes(), namespace))


def _restamp(made: AttestedCase, answer: bytes) -> None:
    rewrite(made.exhibit / STAMP, answer)
    rewrite(made.exhibit / f"{STAMP}.pem", pem_chain(read_answer(answer)))


def _answer_of(made: AttestedCase, folder: str) -> bytes:
    """What the authority of another folder answers about this tag manifest."""
    other = type(made.authority)(made.folder / folder)
    return other.answer(request((made.exhibit / BASE).read_bytes(), 1))
