"""The folder of an export: new files in a new folder, each hashed while it is written.

- Nothing is overwritten: the folder is made, files are created exclusively, 0600 in folders 0700.
- While it is being written its name ends in `.partial`; it gets its own name when everything in it is durable.
- sha256sums.txt lists every file of it in the form that `sha256sum --check` reads; its digest stands for the export.
"""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from agentaudit.errors import DestinationFault
from agentaudit.format import layout
from agentaudit.model.base import Digest
from agentaudit.package.disk import Disk, destination

SUMS = "sha256sums.txt"
BLOCK_BYTES = 256 * 1024

_REPORT = re.compile(r"R-(\d{4,})(?:\.partial)?\Z")


@dataclass(frozen=True, slots=True)
class Written:
    """One file as it was written: its name in the folder, size, digest."""

    name: str
    bytes: int
    sha256: Digest


class NewFolder:
    """A folder that is being written; `settle` gives it its name."""

    def __init__(self, path: Path, disk: Disk) -> None:
        """Make the folder beside its final name; DestinationFault (7) when either is taken."""
        self.path = path
        self._disk = disk
        self._partial = path.with_name(f"{path.name}{layout.PARTIAL}")
        self._folders = {self._partial}
        self._files: dict[str, Written] = {}
        if os.path.lexists(path):
            raise DestinationFault(f"{path} exists", "nothing is ever overwritten: name a new folder")
        disk.make_folder(self._partial)

    def write(self, name: str, pieces: Iterable[bytes]) -> Written:
        """Write one file of the folder, `/` between its parts; it is durable afterwards."""
        path = self._partial / name
        self._make(path.parent)
        digest, size = sha256(), 0
        descriptor = self._disk.create(path)
        with destination(path):
            for block in _blocks(pieces):
                digest.update(block)
                size += len(block)
                self._disk.write(descriptor, block)
            self._disk.settle(descriptor)
            self._disk.close(descriptor)
        written = Written(name, size, Digest(f"sha256:{digest.hexdigest()}"))
        self._files[name] = written
        return written

    def find(self, name: str) -> Written | None:
        """A file that was written before."""
        return self._files.get(name)

    def settle(self) -> tuple[Digest, tuple[Written, ...]]:
        """Write the listing, make everything durable, take the final name; the listing's digest and what it lists."""
        files = tuple(self._files[name] for name in sorted(self._files))
        lines = (f"{one.sha256.removeprefix('sha256:')}  {one.name}\n".encode() for one in files)
        listing = self.write(SUMS, lines)
        for folder in sorted(self._folders):
            self._disk.settle_folder(folder)
        self._disk.rename(self._partial, self.path)
        self._disk.settle_folder(self.path.parent)
        return listing.sha256, files

    def _make(self, folder: Path) -> None:
        if folder not in self._folders:
            self._make(folder.parent)
            self._disk.make_folder(folder)
            self._folders.add(folder)


def next_report(case: Path, disk: Disk) -> Path:
    """The next free `reports/R-NNNN` of a case; the folder `reports` is made when it is not there."""
    reports = case / layout.REPORTS
    if not reports.is_dir():
        disk.make_folder(reports)
    with destination(reports):
        taken = [found for found in (_REPORT.match(entry.name) for entry in reports.iterdir()) if found]
    return reports / f"R-{max((int(one.group(1)) for one in taken), default=0) + 1:04d}"


def _blocks(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in blocks that are worth a call of the system."""
    held = bytearray()
    for piece in pieces:
        held += piece
        if len(held) >= BLOCK_BYTES:
            yield bytes(held)
            held.clear()
    if held:
        yield bytes(held)
