"""Sealing: everything that is derived, then the manifests, then the name without `.partial`, then custody.

- Folds and readings are drawn from the journal and the pages by the code that verification uses. Rows that the
  writer holds are not decoded for it; the journal is read back beside, and one that says anything else is not sealed.
- Everything before manifests, manifests before the tag manifest, all of it durable, then the rename: nothing
  looks sealed that is not.
- Sealing that was cut short is done again from the journal; what it left of tag files is removed first.
"""

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from pathlib import Path

from agentaudit.encoding.canonical import encode_line
from agentaudit.errors import PackageFault
from agentaudit.format import layout
from agentaudit.format.baginfo import package_info
from agentaudit.format.bagit import BAGIT_TEXT, manifest_line
from agentaudit.format.readings import PageReader
from agentaudit.format.verifytxt import verify_text
from agentaudit.model.base import Digest
from agentaudit.model.custody import ExhibitSealed
from agentaudit.model.journal import Closed
from agentaudit.model.tagfiles import PackageFile
from agentaudit.package.case import Case, Hand, seal_of
from agentaudit.package.derive import Derived, Sink, derive
from agentaudit.package.disk import READ_ONLY, destination
from agentaudit.package.heal import remove_derived
from agentaudit.package.readback import Readback
from agentaudit.package.writer import OpenExhibit

_FLUSH_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class SealedExhibit:
    """An exhibit that can no longer be written: where it lies, its seal, what was derived."""

    path: Path
    seal: Digest
    closed: Closed
    derived: Derived


class _TagFile:
    """One tag file under its final name: what is written is hashed on the way."""

    def __init__(self, exhibit: OpenExhibit, name: str) -> None:
        self.name = name
        self._path = exhibit.root / name
        self._disk = exhibit.disk
        self._descriptor = exhibit.disk.create(self._path)
        self._digest = sha256()
        self._pending: list[bytes] = []
        self._size = 0

    def write(self, octets: bytes) -> None:
        self._pending.append(octets)
        self._size += len(octets)
        if self._size >= _FLUSH_BYTES:
            self.flush()

    def flush(self) -> None:
        block = b"".join(self._pending)
        self._pending.clear()
        self._size = 0
        self._digest.update(block)
        with destination(self._path):
            self._disk.write(self._descriptor, block)

    def finish(self) -> str:
        """Make it durable and close it; its digest is returned."""
        self.flush()
        with destination(self._path):
            self._disk.settle(self._descriptor)
            self._disk.close(self._descriptor)
        return f"sha256:{self._digest.hexdigest()}"


def seal_exhibit(
    exhibit: OpenExhibit, case: Case, hand: Hand, reader: PageReader, earlier: Closed | None = None
) -> SealedExhibit:
    """Consume an open exhibit: derive, close, write the manifests, rename, and tell the custody log.

    `earlier` is the `closed` row of a sealing that was cut short: it is not written again.
    """
    exhibit.settle()
    remove_derived(exhibit)
    digests: dict[str, str] = {}
    derived = _derived_files(exhibit, reader, digests)
    if derived.altered:
        raise PackageFault(
            f"{exhibit.root / derived.altered[0]} is not what its journal row says",
            "look at it; the partial exhibit stays as it is",
        )
    closed = earlier or _close(exhibit, derived)
    package = derived.package(closed)
    _tag(exhibit, layout.PACKAGE, encode_line(package), digests)
    _fixed_files(exhibit, package, digests)
    digests[layout.JOURNAL] = _file_digest(exhibit.root / layout.JOURNAL)
    lines = b"".join(manifest_line(name, digests[name]) for name in sorted(digests))
    _tag(exhibit, layout.TAG_MANIFEST, lines, {})
    return _finish(exhibit, case, hand, derived, closed)


def _derived_files(exhibit: OpenExhibit, reader: PageReader, digests: dict[str, str]) -> Derived:
    names = (
        layout.ENTRIES, layout.ITEMS, layout.WALKS, layout.GAPS, layout.SESSIONS, layout.RECORDS, layout.TRUNCATIONS,
        layout.EVENTS, layout.STREAMS, layout.COVERAGE, layout.MANIFEST,
    )  # fmt: skip
    files = {name: _TagFile(exhibit, name) for name in names}
    derived = _derived(exhibit, reader, {name: file.write for name, file in files.items()})
    for file in files.values():
        digests[file.name] = file.finish()
    return derived


def _derived(exhibit: OpenExhibit, reader: PageReader, sinks: Mapping[str, Sink]) -> Derived:
    held = exhibit.journal.held
    if held is None:
        return derive(exhibit.root, reader, sinks)
    with Readback(exhibit.journal) as beside:
        derived = derive(exhibit.root, reader, sinks, held)
        if not beside.agrees():
            raise PackageFault(f"{exhibit.root} holds a broken journal", "look at it with `agentaudit verify`")
    return derived


def _close(exhibit: OpenExhibit, derived: Derived) -> Closed:
    row = exhibit.journal.stage(Closed(outcome=derived.outcome, counts=derived.counts))
    exhibit.settle()
    if not isinstance(row, Closed):
        raise PackageFault(f"{exhibit.root} could not be closed")
    return row


def _fixed_files(exhibit: OpenExhibit, package: PackageFile, digests: dict[str, str]) -> None:
    format_text = resources.files("agentaudit.format").joinpath("FORMAT.md").read_bytes()
    _tag(exhibit, layout.BAGIT, BAGIT_TEXT, digests)
    _tag(exhibit, layout.BAG_INFO, package_info(package), digests)
    _tag(exhibit, layout.FORMAT, format_text, digests)
    _tag(exhibit, layout.VERIFY, verify_text(), digests)


def _tag(exhibit: OpenExhibit, name: str, octets: bytes, digests: dict[str, str]) -> None:
    file = _TagFile(exhibit, name)
    file.write(octets)
    digests[name] = file.finish()


def _finish(exhibit: OpenExhibit, case: Case, hand: Hand, derived: Derived, closed: Closed) -> SealedExhibit:
    for folder in (exhibit.root / layout.TAGS, exhibit.root):
        exhibit.disk.settle_folder(folder)
    final = exhibit.root.with_name(exhibit.root.name.removesuffix(layout.PARTIAL))
    with case.locked(hand) as log:  # no other run may find the exhibit sealed before its row is there
        if not exhibit.disk.renames_around_open_files:
            # Only here is the lock given up early: another run that took it now would keep the folder from its name.
            exhibit.journal.close()
        exhibit.disk.rename(exhibit.root, final)
        exhibit.disk.settle_folder(final.parent)
        exhibit.journal.close()
        _protect(exhibit, final)
        seal = seal_of(final)
        if seal is None:
            raise PackageFault(f"{final} lost its tag manifest", "look at it with `agentaudit verify`")
        log.stage(
            ExhibitSealed(
                actors=hand.actors,
                host=hand.host.node,
                user=hand.host.user,
                tool=hand.program,
                exhibit=final.name,
                seal=seal,
                outcome=closed.outcome,
            )
        )
        log.settle()
    return SealedExhibit(final, seal, closed, derived)


def _protect(exhibit: OpenExhibit, final: Path) -> None:
    """Set what is not read-only yet: tag files, and payload where it could not be made so from its beginning."""
    folders = [str(final)]
    while folders:
        folder = folders.pop()
        with destination(folder), os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif stat.S_IMODE(entry.stat(follow_symlinks=False).st_mode) != READ_ONLY:
                    exhibit.disk.protect(Path(entry.path))


def _file_digest(path: Path) -> str:
    digest = sha256()
    with destination(path), path.open("rb") as stream:
        while block := stream.read(_FLUSH_BYTES):
            digest.update(block)
    return f"sha256:{digest.hexdigest()}"
