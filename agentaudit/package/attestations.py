"""What attests a seal, on disk: kept beside it once, read back, and told to the custody log.

- A file is created exclusively under the next free number, made durable, set read-only; its row comes after it.
- The custody lock is held from the choice of the number to the row: two signers never take one number.
- Nothing is attested whose seal is not the one that the custody log holds.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agentaudit.errors import NotAPackage, NotSealed, PackageFault
from agentaudit.format import layout
from agentaudit.format.attestations import chain_name, next_number, read_name, signature_name, stamp_name
from agentaudit.model.base import Digest, digest_of
from agentaudit.model.custody import CustodyRow, ExhibitSealed, SealedFound
from agentaudit.model.journal import CustodyHead
from agentaudit.package.case import Case, Hand, load_case
from agentaudit.package.disk import destination
from agentaudit.package.tree import Tree, resolved

ATTESTATION_MAX = 1024 * 1024


@dataclass(frozen=True, slots=True)
class SealedFolder:
    """A sealed exhibit in its case: its seal, and the tag manifest that the seal is the digest of."""

    case: Case
    path: Path
    seal: Digest
    manifest: bytes

    @property
    def name(self) -> str:
        """The exhibit's number, as its folder is named."""
        return self.path.name

    def read(self, name: str) -> bytes | None:
        """An attestation beside the seal; None when it is not there, or is no regular file of that size."""
        with Tree(self.path) as tree:
            return _read(tree, name)


@dataclass(frozen=True, slots=True)
class Laid:
    """What is to be laid beside a seal: of which kind, its bytes, and the certificates that came with a stamp."""

    kind: Literal["signature", "stamp"]
    octets: bytes
    signature: int | None = None
    chain: bytes | None = None

    def name(self, number: int) -> str:
        """Its file's name under a number."""
        return signature_name(number) if self.kind == "signature" else stamp_name(number, self.signature)


def sealed_folder(path: Path) -> SealedFolder:
    """The sealed exhibit at a path, inside its case.

    Raises NotAPackage (8), NotSealed (9), DestinationFault (7) when no case is around it, and PackageFault (4) when
    its seal is not the one that the custody log holds.
    """
    root = resolved(path)
    if root.name.endswith(layout.PARTIAL):
        raise NotSealed(f"{path} is not sealed", "go on with --resume, or close it with `agentaudit seal`")
    if not root.is_dir() or layout.exhibit_number(root.name) is None:
        raise NotAPackage(f"{path} is not an exhibit", "name the folder of a sealed exhibit, inside its case")
    case = load_case(root.parent)
    manifest = _manifest(root)
    seal = digest_of(manifest)
    if not sealed_as(case, root.name) <= {seal}:
        raise PackageFault(
            f"the seal of {root.name} is not the one that the custody log holds", f"agentaudit verify {path}"
        )
    return SealedFolder(case, root, seal, manifest)


def sealed_as(case: Case, exhibit: str) -> set[Digest]:
    """The seals that the log holds for an exhibit: one, or none for one that it does not know as sealed."""
    rows = (row for row in case.rows() if isinstance(row, ExhibitSealed | SealedFound))
    return {row.seal for row in rows if row.exhibit == exhibit}


@dataclass(frozen=True, slots=True)
class Lies:
    """An attestation that was laid: its file and number, and the head of the custody log after its row."""

    file: str
    number: int
    head: CustodyHead


def lay(sealed: SealedFolder, laid: Laid, row: Callable[[str], CustodyRow], hand: Hand) -> Lies:
    """Lay an attestation beside the seal, durably, and append the row that `row` makes for its file's name."""
    with sealed.case.locked(hand) as log:
        number = next_number(_names(sealed.path), laid.kind, laid.signature)
        name = laid.name(number)
        if laid.chain is not None:
            _write(sealed.path / chain_name(name), laid.chain, hand)
        _write(sealed.path / name, laid.octets, hand)
        hand.disk.settle_folder(sealed.path)
        log.stage(row(name))
        log.settle()
        return Lies(name, number, log.head)


def attestation_digests(tree: Tree) -> dict[str, Digest | None]:
    """Each attestation beside a seal with its digest; None for one that cannot be read."""
    found = sorted(filter(read_name, _names(tree.root)))
    return {name: None if (octets := _read(tree, name)) is None else digest_of(octets) for name in found}


def _names(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir()]


def _manifest(root: Path) -> bytes:
    with _readable(root), Tree(root) as tree:
        return tree.read(layout.TAG_MANIFEST, ATTESTATION_MAX)


@contextmanager
def _readable(root: Path) -> Iterator[None]:
    try:
        yield
    except OSError:
        raise NotAPackage(f"{root.name} has no tag manifest that can be read", f"agentaudit verify {root}") from None


def _read(tree: Tree, name: str) -> bytes | None:
    try:
        octets = tree.read(name, ATTESTATION_MAX)
    except OSError:
        return None
    return octets if len(octets) <= ATTESTATION_MAX else None


def _write(path: Path, octets: bytes, hand: Hand) -> None:
    descriptor = hand.disk.create(path)
    with destination(path):
        hand.disk.write(descriptor, octets)
        hand.disk.settle(descriptor)
        hand.disk.close(descriptor)
    hand.disk.protect(path)
