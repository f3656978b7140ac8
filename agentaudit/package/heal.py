"""What a crash left in a partial exhibit is set aside, named, and never lost.

- A torn journal tail is copied below `data/set-aside/` before the journal is cut back to its last whole row.
- A payload file without a row is moved there and keeps its bytes.
- Derived tag files of an attempt to seal are removed: they are folds and readings, never evidence. So are folders
  without a file.
"""

import os
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path

import msgspec

from agentaudit.format import layout
from agentaudit.model.base import Digest
from agentaudit.model.journal import SetAside, TornTail
from agentaudit.package.disk import destination
from agentaudit.package.recorded import Recorded, payload_files
from agentaudit.package.writer import OpenExhibit


def set_aside(exhibit: OpenExhibit, recorded: Recorded) -> tuple[tuple[SetAside, ...], TornTail | None]:
    """Move orphans and the torn tail aside, durably; what was moved is for the `resumed` row."""
    torn = _torn_tail(exhibit)
    known = recorded.paths | ({torn.path} if torn else set())
    orphans = [path for path in payload_files(exhibit.root) if path not in known]
    numbers = count(1)  # one that is taken is taken for the next orphan, too
    moved = tuple(_move(exhibit, path, numbers) for path in orphans)
    if moved:
        exhibit.disk.settle_folder(exhibit.root / layout.SET_ASIDE)
    return moved, torn


def remove_derived(exhibit: OpenExhibit) -> None:
    """Remove the tag files of an unfinished sealing, the journal excepted, and payload folders left without a file."""
    for name in layout.TAG_FILES:
        path = exhibit.root / name
        if name != layout.JOURNAL and os.path.lexists(path):
            exhibit.disk.remove(path)
    if os.path.lexists(exhibit.root / layout.TAG_MANIFEST):
        exhibit.disk.remove(exhibit.root / layout.TAG_MANIFEST)
    _remove_idle_folders(exhibit.root / layout.DATA)


def _remove_idle_folders(data: Path) -> None:
    """A folder that was made for a file that never came has no place in a closed world."""
    for folder, _, _ in os.walk(data, topdown=False):
        path = Path(folder)
        if path != data and not any(path.iterdir()):
            with destination(path):
                path.rmdir()


def _torn_tail(exhibit: OpenExhibit) -> TornTail | None:
    tail = exhibit.journal.tail
    if not tail.torn:
        return None
    path = exhibit.journal.path
    with destination(path), path.open("rb") as stream:
        stream.seek(tail.length)
        octets = stream.read(tail.torn)
    kept = exhibit.keep(_free(exhibit.root, "tail-", count(1)), octets)
    exhibit.settle()
    exhibit.disk.cut(path, tail.length)
    exhibit.journal.tail = msgspec.structs.replace(tail, torn=0)
    return TornTail(bytes=kept.bytes, sha256=kept.sha256, path=kept.path)


def _move(exhibit: OpenExhibit, path: str, numbers: Iterator[int]) -> SetAside:
    if path.startswith(f"{layout.SET_ASIDE}/"):
        aside = path  # an earlier resumption moved it and ended before its row
    else:
        aside = _free(exhibit.root, "", numbers)
        if not (exhibit.root / layout.SET_ASIDE).is_dir():
            exhibit.disk.make_folder(exhibit.root / layout.SET_ASIDE)
            exhibit.disk.settle_folder(exhibit.root / layout.DATA)
        exhibit.disk.rename(exhibit.root / path, exhibit.root / aside)
    size, digest = _measure(exhibit.root / aside)
    return SetAside(found=path, path=aside, bytes=size, sha256=digest)


def _free(root: Path, prefix: str, numbers: Iterator[int]) -> str:
    while os.path.lexists(root / (path := f"{layout.SET_ASIDE}/{prefix}{next(numbers):06d}")):
        pass
    return path


def _measure(path: Path) -> tuple[int, Digest]:
    digest, size = sha256(), 0
    with destination(path), path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
            size += len(block)
    return size, Digest(f"sha256:{digest.hexdigest()}")
