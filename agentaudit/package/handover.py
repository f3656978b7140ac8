"""An exhibit that travels alone: its copy, with copies of case.json and custody.jsonl beside it.

- What is copied is checked on the way: every byte against the manifests, and read back from where it was written.
- The copies are named for the exhibit, so that the folder they lie in is not taken for a case, and nobody appends.
- First the exhibit, then the custody row, then the copies: they hold the row that says where they went.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath

from agentaudit.encoding.canonical import NotCanonical
from agentaudit.errors import PackageFault
from agentaudit.format import layout
from agentaudit.format.attestations import read_name
from agentaudit.format.chain import CUSTODY_CODEC, Break, Link, links
from agentaudit.format.codecs import CASE_CODEC
from agentaudit.model.base import Digest, digest_of
from agentaudit.model.custody import CaseFile, CustodyRow
from agentaudit.model.journal import CustodyHead
from agentaudit.package.attestations import SealedFolder
from agentaudit.package.case import CASE_MAX_BYTES, Hand, seal_of
from agentaudit.package.check_case import CustodyIndex, check_custody, index_custody
from agentaudit.package.disk import destination
from agentaudit.package.reader import observe, read_listing
from agentaudit.package.rows import LINE_MAX
from agentaudit.package.tree import Tree, resolved

BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Travelling:
    """What the copies beside an exhibit say: its case, the seal in its folder, the log; and what does not fit.

    `faults` are words of ours; with any of them nothing here is to be relied on.
    """

    exhibit: str
    seal: Digest | None
    case: CaseFile | None
    index: CustodyIndex
    rows: tuple[CustodyRow, ...]
    faults: tuple[str, ...]

    @property
    def head(self) -> CustodyHead | None:
        """The last row of the copied log."""
        lines = self.index.lines
        return CustodyHead(seq=len(lines), digest=Digest(f"sha256:{lines[-1]}")) if lines else None


def hand_over(sealed: SealedFolder, to: Path, row: CustodyRow, hand: Hand) -> CustodyHead:
    """Copy a sealed exhibit into a folder, append the row, and lay the copies of case and log beside it.

    The folder is made when it is not there. Raises DestinationFault (7) for a taken name, PackageFault (4) for an
    exhibit whose bytes are not those of its manifests.
    """
    if not to.is_dir():
        hand.disk.make_folder(to)
    copy = to / f"{sealed.name}{layout.PARTIAL}"
    _copy(sealed, copy, hand)
    hand.disk.rename(copy, to / sealed.name)
    with sealed.case.locked(hand) as log:
        log.stage(row)
        log.settle()
        for name, copied in zip((layout.CASE, layout.CUSTODY), layout.travelling_names(sealed.name), strict=True):
            with destination(sealed.case.path / name):
                octets = (sealed.case.path / name).read_bytes()
            _write(to / copied, iter((octets,)), hand)
        hand.disk.settle_folder(to)
        return log.head


def read_travelling(exhibit: Path) -> Travelling | None:
    """What the copies beside an exhibit say; None when there are none."""
    root = resolved(exhibit)
    names = layout.travelling_names(root.name)
    if not any((root.parent / name).is_file() for name in names):
        return None
    with Tree(root.parent) as tree:
        content = _small(tree, names[0])
        found = tuple(_links(tree, names[1]))
    index, case, seal = index_custody(found), _case(content), seal_of(root)
    faults = [
        *(f"{name} is missing" for name in names if not (root.parent / name).is_file()),
        *(f"{code} in {subject}" for code, subject, _ in check_custody(index, digest_of(content) if case else None)),
        *(() if index.seals.get(root.name) == {seal} else ("the log does not hold this seal for this exhibit",)),
    ]
    rows = tuple(link.row for link in found if isinstance(link, Link))
    return Travelling(root.name, seal, case, index, rows, tuple(faults))


def _copy(sealed: SealedFolder, copy: Path, hand: Hand) -> None:
    with Tree(sealed.path) as tree:
        listed = {
            **read_listing(tree, layout.MANIFEST, tags=False).listed,
            **read_listing(tree, layout.TAG_MANIFEST, tags=True).listed,
            layout.TAG_MANIFEST: sealed.seal.removeprefix("sha256:"),
        }
        files = observe(sealed.path).files
        strays = [path for path in files if path not in listed and not read_name(path)]
        if strays or listed.keys() - files.keys():
            raise _not_intact(sealed)
        folders = {copy, *(copy / path for path in _folders(files))}
        for folder in sorted(folders):
            hand.disk.make_folder(folder)
        for path in sorted(files):
            digest = _write(copy / path, _blocks(tree, path), hand)
            if digest != listed.get(path, digest):
                raise _not_intact(sealed)
        for folder in sorted(folders, reverse=True):
            hand.disk.settle_folder(folder)


def _folders(files: dict[str, int]) -> Iterator[str]:
    for path in files:
        yield from (str(folder) for folder in PurePosixPath(path).parents[:-1])


def _blocks(tree: Tree, path: str) -> Iterator[bytes]:
    with tree.stream(path) as stream:
        while block := stream.read(BLOCK_BYTES):
            yield block


def _write(path: Path, blocks: Iterator[bytes], hand: Hand) -> str:
    """Write a new file, durably and read-only; the digest of what was then read back from it."""
    descriptor = hand.disk.create(path)
    with destination(path):
        for block in blocks:
            hand.disk.write(descriptor, block)
        hand.disk.settle(descriptor)
        hand.disk.close(descriptor)
        digest = sha256()
        with path.open("rb") as stream:
            while block := stream.read(BLOCK_BYTES):
                digest.update(block)
    hand.disk.protect(path)
    return digest.hexdigest()


def _links(tree: Tree, name: str) -> Iterator[Link[CustodyRow] | Break]:
    try:
        yield from links(tree.lines(name, LINE_MAX), CUSTODY_CODEC, CustodyRow)
    except OSError:
        return


def _small(tree: Tree, name: str) -> bytes:
    try:
        return tree.read(name, CASE_MAX_BYTES)
    except OSError:
        return b""


def _case(content: bytes) -> CaseFile | None:
    try:
        row = CASE_CODEC.decode(content.removesuffix(b"\n"))
    except NotCanonical:
        return None
    return row if isinstance(row, CaseFile) else None


def _not_intact(sealed: SealedFolder) -> PackageFault:
    return PackageFault(
        f"{sealed.name} is not as it was sealed, so it is not handed over", f"agentaudit verify {sealed.path}"
    )
