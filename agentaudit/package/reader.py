"""What lies in a package, and what it declares: the reader's two halves. It judges nothing.

- The survey follows no link, opens no file, and never goes deeper, wider or longer than its limits.
- A manifest is streamed line by line; its paths are checked before anybody opens them.
- A package is hostile input: time and memory stay bounded.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from agentaudit.format.bagit import LINE_MAX, Fault, Listed, read_manifest
from agentaudit.format.names import is_portable
from agentaudit.package.tree import FOLDER_FLAGS, HAS_HANDLES, Tree, resolved

ENTRIES_MAX = 4_000_000
DEPTH_MAX = 32
FAULTS_MAX = 10_000


@dataclass(slots=True)
class Observed:
    """What lies there: regular files with their sizes, folders, and whatever should not be, by code.

    Paths are relative with `/`; names that are no UTF-8 carry surrogates.
    """

    files: dict[str, int] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    oddities: list[tuple[str, str]] = field(default_factory=list)
    entries: int = 0


@dataclass(slots=True)
class Manifest:
    """What a manifest lists, path to 64 hex digits, and its faulty lines; `present` is false when it is missing."""

    present: bool
    listed: dict[str, str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    over_limit: bool = False


def observe(root: Path) -> Observed:
    """Walk the tree below a folder; OSError only when the folder itself cannot be opened."""
    observed = Observed()
    if HAS_HANDLES:
        top = os.open(resolved(root), FOLDER_FLAGS)
        try:
            _walk_handle(observed, top, "", 1)
        finally:
            os.close(top)
    else:
        _walk_path(observed, root)
    return observed


def _walk_handle(observed: Observed, folder: int, prefix: str, depth: int) -> None:
    """One folder through its handle, then those below it, each opened relative to its parent."""
    with os.scandir(folder) as entries:
        below = list(_take(observed, entries, prefix, depth))
    for name in below:
        try:
            handle = os.open(name, FOLDER_FLAGS, dir_fd=folder)
        except OSError:
            observed.oddities.append(("P009", prefix + name))
            continue
        try:
            _walk_handle(observed, handle, f"{prefix}{name}/", depth + 1)
        except OSError:
            observed.oddities.append(("P009", prefix + name))
        finally:
            os.close(handle)


def _walk_path(observed: Observed, root: Path) -> None:
    """Without handles: the same by path; links and junctions are seen before anything is entered."""
    pending = [""]
    while pending:
        prefix = pending.pop()
        try:
            with os.scandir(root / prefix) as entries:
                below = list(_take(observed, entries, prefix, prefix.count("/") + 1))
        except OSError:
            observed.oddities.append(("P009", prefix))
            continue
        pending.extend(f"{prefix}{name}/" for name in below)


def _take(observed: Observed, entries: Iterator[os.DirEntry[str]], prefix: str, depth: int) -> Iterator[str]:
    """Note each entry; give the names of the folders to enter."""
    for entry in entries:
        path = prefix + entry.name
        observed.entries += 1
        if observed.entries > ENTRIES_MAX:
            observed.oddities.append(("P012", prefix))
            return
        code = _kind(observed, entry, path, depth)
        if code == "":
            yield entry.name
        elif code is not None:
            observed.oddities.append((code, path))


def _kind(observed: Observed, entry: os.DirEntry[str], path: str, depth: int) -> str | None:
    """Note a file or a folder; the code of anything odd, "" for a folder to enter, None for a file."""
    try:
        look = entry.stat(follow_symlinks=False)
    except OSError:
        return "P009"
    if stat.S_ISLNK(look.st_mode) or getattr(look, "st_reparse_tag", False):
        return "P005"
    if stat.S_ISREG(look.st_mode):
        observed.files[path] = look.st_size
        return None
    if not stat.S_ISDIR(look.st_mode):
        return "P006"
    observed.folders.add(path)
    if not is_portable(path):
        return "P007"
    return "" if depth < DEPTH_MAX else "P012"


def read_listing(tree: Tree, path: str, *, tags: bool) -> Manifest:
    """A manifest as it declares; lines after too many faults or entries are left unread."""
    try:
        lines = tree.lines(path, LINE_MAX)
        manifest = Manifest(present=True)
        for row in read_manifest(lines, tags=tags):
            if isinstance(row, Listed):
                manifest.listed[row.path] = row.hex
            else:
                manifest.faults.append(row)
            if len(manifest.faults) > FAULTS_MAX or len(manifest.listed) > ENTRIES_MAX:
                manifest.over_limit = True
                break
    except OSError:
        return Manifest(present=False)
    return manifest
