"""Taking one session out: the verified exhibit, a new folder, then the custody row.

- The check comes before, from whoever calls. What is copied must have the digest that the manifests name.
- An extract that fails leaves a folder that ends in `.partial`, and no row.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from agentaudit import __version__
from agentaudit.encoding.canonical import encode_line
from agentaudit.errors import PackageFault, UsageFault
from agentaudit.export.checked import Checked
from agentaudit.export.custody import read_custody
from agentaudit.export.words import attention
from agentaudit.export.writing import NewFolder
from agentaudit.extract.document import HOW, ExtractedFile, ExtractFile, LeftBehind, Proof
from agentaudit.extract.recognise import EXTRACT
from agentaudit.extract.taking import Taken, id_of, row_files, take
from agentaudit.extract.verifytxt import verify_text
from agentaudit.format import layout
from agentaudit.format.attestations import read_name
from agentaudit.model.base import Digest, Frozen, digest_of
from agentaudit.model.custody import Extracted
from agentaudit.model.journal import CustodyHead
from agentaudit.model.tagfiles import PackageFile
from agentaudit.package.case import Case, Hand
from agentaudit.package.disk import Disk
from agentaudit.package.reader import read_listing
from agentaudit.package.session import SessionHeld, held_session, sealed_rows, still_sealed
from agentaudit.package.tree import Tree

STATEMENT = "One session taken out of a sealed exhibit. Not an exhibit: it rests on the seal of the original."

BLOCK_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class TakeOut:
    """One session, named by key or id, of a checked exhibit, into a new folder."""

    case: Case | None
    exhibit: Checked
    session: str
    to: Path


class ExtractedResult(Frozen, frozen=True, kw_only=True):
    """A session was taken out: where it lies, the digest of its extract.json, its row of the custody log."""

    result: Literal["extracted"] = "extracted"
    path: str
    exhibit: str
    seal: Digest
    session: str
    extract: Digest
    payload_files: int
    payload_bytes: int
    left_behind: LeftBehind
    attestations: int
    custody_row: int | None
    attention: str | None


def take_out(asked: TakeOut, hand: Hand | None, disk: Disk) -> ExtractedResult:
    """Take the session out, then record it by this hand (None without a case).

    Raises PackageFault (4) for what is not intact, UsageFault (2) for a session of which nothing is here,
    DestinationFault (7).
    """
    verdict, path = asked.exhibit.verdict, asked.exhibit.path
    if verdict.integrity != "intact" or verdict.seal is None:
        raise PackageFault(f"{path} is not intact, so nothing is taken out of it", f"agentaudit verify {path}")
    head = read_custody(asked.case.path, names=False).head if asked.case is not None else None
    with Tree(path) as tree:
        held = held_session(tree, asked.session)
        if not held.items:
            raise UsageFault(f"{path} holds no files of this session", f"agentaudit show {path} --all")
        taking = _Taking(tree, held, verdict.seal, NewFolder(asked.to, disk))
        result = taking.write(head)
        if not still_sealed(tree, verdict.seal):
            raise PackageFault(f"{path} changed while it was copied", "let nothing write to it; begin again")
    taking.folder.settle()
    if asked.case is None or hand is None or head is None:
        return result
    row = _row(result, hand, head)
    return msgspec.structs.replace(result, custody_row=asked.case.append(row, hand).seq)


class _Taking:
    """One session on its way out."""

    def __init__(self, tree: Tree, held: SessionHeld, seal: Digest, folder: NewFolder) -> None:
        self.tree = tree
        self.held = held
        self.seal = seal
        self.folder = folder
        self.files: list[ExtractedFile] = []

    def write(self, head: CustodyHead | None) -> ExtractedResult:
        """Every file, extract.json last."""
        package = next(sealed_rows(self.tree, layout.PACKAGE, PackageFile))
        taken = take(self.tree, package, self.held)
        attests = sorted(name for name in (entry.name for entry in self.tree.root.iterdir()) if read_name(name))
        for item in taken.items:
            self.copy(item.path, item.sha256, "manifest")
        listed = read_listing(self.tree, layout.TAG_MANIFEST, tags=True).listed
        for name in taken.tags:
            self.copy(name, f"sha256:{listed.get(name)}", "tag_manifest")
        self.copy(layout.TAG_MANIFEST, self.seal, "attests")
        for name in attests:
            self.copy(name, None, "attests")
        for name, lines in row_files(self.tree, self.held):
            self.note(name, lines)
        self.note(HOW, iter((verify_text(taken.tags, taken.folders),)))
        content = encode_line(self.document(package, taken, head))
        self.folder.write(EXTRACT, (content,))
        return ExtractedResult(
            path=str(self.folder.path),
            exhibit=package.exhibit,
            seal=self.seal,
            session=self.held.key,
            extract=digest_of(content),
            payload_files=len(taken.items),
            payload_bytes=sum(item.bytes for item in taken.items),
            left_behind=taken.left_behind,
            attestations=len(attests),
            custody_row=None,
            attention=attention(package.endpoint_class),
        )

    def copy(self, path: str, digest: str | None, proof: Proof) -> None:
        """One file, byte for byte; PackageFault when it has not the digest that it must have."""
        written = self.folder.write(path, self.blocks(path))
        if digest is not None and written.sha256 != digest:
            raise PackageFault(f"{path} changed while it was copied", "let nothing write to the exhibit")
        self.files.append(ExtractedFile(path=path, bytes=written.bytes, sha256=written.sha256, proof=proof))

    def blocks(self, path: str) -> Iterator[bytes]:
        """The bytes of a file of the exhibit."""
        with self.tree.stream(path) as stream:
            while block := stream.read(BLOCK_BYTES):
                yield block

    def note(self, name: str, pieces: Iterator[bytes]) -> None:
        """A file that is drawn up here."""
        written = self.folder.write(name, pieces)
        self.files.append(ExtractedFile(path=name, bytes=written.bytes, sha256=written.sha256, proof="drawn"))

    def document(self, package: PackageFile, taken: Taken, head: CustodyHead | None) -> ExtractFile:
        """The content of extract.json."""
        return ExtractFile(
            format="agentaudit-extract/1",
            attention=attention(package.endpoint_class),
            statement=STATEMENT,
            case=package.case,
            exhibit=package.exhibit,
            seal=self.seal,
            endpoint_class=package.endpoint_class,
            source=package.source,
            adapter=package.adapter,
            begun_at=package.begun_at,
            ended_at=package.ended_at,
            limits=package.limits,
            custody_head=head,
            made_by=f"agentaudit {__version__}",
            session=self.held.key,
            id=id_of(self.held),
            folders=taken.folders,
            files=tuple(sorted(self.files, key=lambda one: one.path)),
            left_behind=taken.left_behind,
        )


def _row(result: ExtractedResult, hand: Hand, head: CustodyHead) -> Extracted:
    return Extracted(
        actors=hand.actors,
        host=hand.host.node,
        user=hand.host.user,
        tool=hand.program,
        exhibit=result.exhibit,
        seal=result.seal,
        session=result.session,
        files=result.payload_files,
        bytes=result.payload_bytes,
        head=head,
        extract=result.extract,
    )
