"""From a verified exhibit to the copy of one of its sessions: two passes over its raw files, one file line at a time.

- The first pass finds what belongs together and counts; the second gives the messages. Content is never held.
- The bytes of every file are hashed in each pass and must be those of its item.
- At the end the seal must be the one that was verified, and what was read of the tag files must lie under it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256

from agentaudit import __version__
from agentaudit.errors import PackageFault, UsageFault
from agentaudit.export.checked import Checked, attested_by
from agentaudit.export.words import attention
from agentaudit.format import layout
from agentaudit.model.base import Digest
from agentaudit.model.losses import Gap
from agentaudit.model.tagfiles import CoverageFile, ItemProvenance, ItemRow, PackageFile
from agentaudit.model.workingcopy import Aside, Message, NotRead, Piece, Way
from agentaudit.package.session import SessionHeld, held_session, sealed_rows, still_sealed
from agentaudit.package.tree import Tree
from agentaudit.transcript.document import Head, Loss, PartTold
from agentaudit.transcript.joins import Joins
from agentaudit.transcript.order import kept_instead, ordered
from agentaudit.transcript.reader import LINE_MAX, CopyReader
from agentaudit.transcript.words import CANNOT_SHOW


@dataclass(frozen=True, slots=True)
class Copy:
    """The copy of one session: its head, and its pieces, which can be walked through again and again."""

    head: Head
    _source: "_Source"
    _joins: Joins

    @property
    def key(self) -> str:
        """The session's key: `s000012`."""
        return self._source.held.key

    def pieces(self) -> Iterator[Piece]:
        """Messages with their numbers and joins, what could not be read, what is missing, in the order of the copy."""
        number = 0
        for piece in self._source.pieces():
            if isinstance(piece, Message):
                number += 1
                yield self._joins.joined(piece, number)
            else:
                yield piece


@contextmanager
def opened(checked: Checked, word: str, readers: tuple[CopyReader, ...]) -> Iterator[Copy]:
    """The copy of a session, named by key or id, while the block runs.

    Raises PackageFault (4) for what is not intact, or changed meanwhile; UsageFault (2) for a session that is not here
    or of which nothing can be read.
    """
    path, verdict = checked.path, checked.verdict
    if verdict.integrity != "intact" or verdict.seal is None:
        raise PackageFault(f"{path} is not intact, so nothing is copied from it", f"agentaudit verify {path}")
    with Tree(path) as tree:
        package = next(sealed_rows(tree, layout.PACKAGE, PackageFile))
        reader = next((one for one in readers if one.reads(package.adapter)), None)
        if reader is None:
            raise UsageFault(f"no reader for exhibits of {package.adapter}", "use a newer agentaudit")
        source = _Source(tree, held_session(tree, word), reader)
        joins = Joins()
        for piece in source.pieces():
            if isinstance(piece, Message | NotRead | Aside):
                joins.see(piece)
        yield Copy(_head(package, checked, verdict.seal, source, joins), source, joins)
        if not still_sealed(tree, verdict.seal):
            raise PackageFault(f"{path} changed while it was copied", "let nothing write to it; copy again")


class _Source:
    """The files of one session and how to read them."""

    def __init__(self, tree: Tree, held: SessionHeld, reader: CopyReader) -> None:
        self.tree = tree
        self.held = held
        self.reader = reader
        self.steps = ordered(held, reader)
        if not self.steps:
            raise UsageFault(
                f"{tree.root} holds no messages of this session: {_why(held)}", f"agentaudit show {tree.root} --all"
            )

    def pieces(self) -> Iterator[Piece]:
        """One pass."""
        reading = self.reader.open(self.held.key, self.held.walks)
        for step in self.steps:
            if isinstance(step, Gap):
                instead = kept_instead(self.held, step)
                yield Loss(gap=step, way=_way(instead) if instead is not None else None)
            else:
                yield from reading.feed(step, self.lines(step))

    def lines(self, item: ItemRow) -> Iterator[bytes]:
        """All bytes of a file, hashed as they go; PackageFault at the end when they are not those of its item."""
        digest = sha256()
        with self.tree.stream(item.path) as stream:
            while line := stream.readline(LINE_MAX):
                digest.update(line)
                yield line
        if f"sha256:{digest.hexdigest()}" != item.sha256:
            raise PackageFault(f"{item.path} changed while it was read", "let nothing write to the exhibit")

    def parts(self) -> Iterator[PartTold]:
        """The files that the copy is drawn from."""
        for step in self.steps:
            if isinstance(step, ItemRow):
                asked = step.provenance if isinstance(step.provenance, ItemProvenance) else None
                yield PartTold(
                    item=step.path,
                    bytes=step.bytes,
                    sha256=step.sha256,
                    request_id=asked.request_id if asked else None,
                    received_at=asked.received_at if asked else None,
                    row=step.provenance.row if step.provenance is not None else None,
                )


def _head(package: PackageFile, checked: Checked, seal: Digest, source: _Source, joins: Joins) -> Head:
    coverage = next(sealed_rows(source.tree, layout.COVERAGE, CoverageFile))
    return Head(
        attention=attention(package.endpoint_class),
        case=package.case,
        exhibit=package.exhibit,
        seal=seal,
        endpoint_class=package.endpoint_class,
        adapter=package.adapter,
        read_by=source.reader.name,
        made_by=f"agentaudit {__version__}",
        integrity=checked.verdict.integrity,
        authenticity=checked.verdict.authenticity,
        attested=attested_by(checked, names=True),
        session=source.held.row,
        limits=package.limits,
        totals=joins.totals(),
        gaps=source.held.gaps,
        parts=tuple(source.parts()),
        coverage=coverage.limits,
        cannot_show=CANNOT_SHOW,
    )


def _way(item: ItemRow) -> Way:
    asked = item.provenance
    return Way(
        item=item.path,
        sha256=item.sha256,
        pointer="",
        request_id=asked.request_id if isinstance(asked, ItemProvenance) else None,
        row=asked.row if asked is not None else None,
    )


def _why(held: SessionHeld) -> str:
    """Why there are none: our decision and its rule, or what came of it."""
    row = held.row
    rule = f", {row.rule}" if row.rule else ""
    return f"{row.decision}{rule}" if row.decision != "kept" else "none was asked for, or none was obtained"
