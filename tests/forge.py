"""A forger's bench: changes to a sealed exhibit or a case, and as much of its bookkeeping as a forger redoes.

- `rewrite` changes one file; `retag` makes the tag manifest anew; `remanifest` the payload manifest too.
- `rechain` writes the journal anew with a whole chain; `refold` then redoes everything that follows from it.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from agentaudit.encoding.canonical import Codec, encode_line
from agentaudit.format import layout
from agentaudit.format.baginfo import package_info
from agentaudit.format.bagit import manifest_line
from agentaudit.format.chain import CUSTODY_CODEC, JOURNAL_CODEC
from agentaudit.model.base import Digest, Frozen, digest_of
from agentaudit.model.custody import CustodyRow
from agentaudit.model.journal import ZERO, Act, Answered, Closed
from agentaudit.model.tagfiles import PackageFile
from agentaudit.package.derive import derive
from tests.golden import ScriptReader


def rewrite(path: Path, octets: bytes) -> None:
    """Put other bytes in the place of a file."""
    path.unlink(missing_ok=True)
    path.write_bytes(octets)


def edit(path: Path, old: bytes, new: bytes) -> None:
    """Replace the first occurrence of some bytes, which must be there."""
    octets = path.read_bytes()
    assert old in octets
    rewrite(path, octets.replace(old, new, 1))


def retag(root: Path) -> None:
    """Make the tag manifest anew over the tag files that are there."""
    names = [name for name in layout.TAG_FILES if (root / name).is_file()]
    lines = [manifest_line(name, digest_of((root / name).read_bytes())) for name in sorted(names)]
    rewrite(root / layout.TAG_MANIFEST, b"".join(lines))


def remanifest(root: Path) -> None:
    """Make both manifests anew."""
    files = sorted(path.relative_to(root).as_posix() for path in (root / "data").rglob("*") if path.is_file())
    lines = [manifest_line(name, digest_of((root / name).read_bytes())) for name in files]
    rewrite(root / layout.MANIFEST, b"".join(lines))
    retag(root)


def rows_of(root: Path) -> list[Act]:
    """The journal's rows."""
    return [row for row in _decoded(root / layout.JOURNAL, JOURNAL_CODEC) if isinstance(row, Act)]


def custody_of(root: Path) -> list[CustodyRow]:
    """The custody log's rows."""
    return [row for row in _decoded(root / layout.CUSTODY, CUSTODY_CODEC) if isinstance(row, CustodyRow)]


def _decoded(path: Path, codec: Codec) -> list[Frozen]:
    return [codec.decode(line) for line in path.read_bytes().splitlines()]


def chained(rows: Sequence[Act] | Sequence[CustodyRow]) -> bytes:
    """The lines of the rows with numbers and digests that fit."""
    lines, prev = [], ZERO
    for number, row in enumerate(rows, 1):
        line = encode_line(msgspec.structs.replace(row, seq=number, prev=prev))
        prev = digest_of(line).removeprefix("sha256:")
        lines.append(line)
    return b"".join(lines)


def rechain(root: Path, rows: list[Act]) -> None:
    """Write the journal anew, and the tag manifest."""
    rewrite(root / layout.JOURNAL, chained(rows))
    retag(root)


def recustody(root: Path, rows: list[CustodyRow]) -> None:
    """Write the custody log anew."""
    rewrite(root / layout.CUSTODY, chained(rows))


def refold(root: Path, rows: list[Act], *, recount: bool = True) -> None:
    """Write the journal anew and redo all that follows from it; with `recount` the last row's numbers too."""
    rewrite(root / layout.JOURNAL, chained(rows))
    last = rows[-1]
    assert isinstance(last, Closed)
    derived = derive(root, ScriptReader(), {})
    if recount:
        last = msgspec.structs.replace(last, outcome=derived.outcome, counts=derived.counts)
        rewrite(root / layout.JOURNAL, chained([*rows[:-1], last]))
    package = redraw(root)
    rewrite(root / layout.BAG_INFO, package_info(package))
    remanifest(root)


def redraw(root: Path) -> PackageFile:
    """Write every fold and reading anew; package.json is given back."""
    lines: dict[str, list[bytes]] = {}
    sinks: dict[str, Callable[[bytes], None]] = {
        name: lines.setdefault(name, []).append
        for name in layout.TAG_FILES
        if name.startswith("agentaudit/") and name not in (layout.JOURNAL, layout.PACKAGE, layout.VERIFY, layout.FORMAT)
    }
    derived = derive(root, ScriptReader(), sinks)
    for name, found in lines.items():
        rewrite(root / name, b"".join(found))
    assert derived.index.closed is not None
    line = encode_line(derived.package(derived.index.closed))
    rewrite(root / layout.PACKAGE, line)
    return msgspec.json.decode(line, type=PackageFile)


def reanswer(root: Path, row: Answered, body: bytes) -> Answered:
    """Put other bytes in the place of an answer, and give the row that fits them."""
    rewrite(root / row.item.path, body)
    item = msgspec.structs.replace(row.item, bytes=len(body), sha256=Digest(digest_of(body)))
    return msgspec.structs.replace(row, item=item)
