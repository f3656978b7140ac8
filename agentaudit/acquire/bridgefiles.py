"""Preserving what was handed over of the bridge: export files as they are, a database without its tokens' rows.

- A database is reduced in a folder of ours, outside case and source, that is removed at the end; the originals are
  listed with their state and left out, and the note beside the copy holds their digests.
"""

import os
import stat
import tempfile
from dataclasses import replace
from pathlib import Path

from agentaudit.acquire.bundle import preserve_bundle
from agentaudit.acquire.progress import Progress
from agentaudit.acquire.request import PreserveBundle, Surroundings
from agentaudit.adapters.bridge.database import MAGIC
from agentaudit.adapters.bridge.secrets import REDUCED
from agentaudit.errors import UsageFault
from agentaudit.model.local import true_name
from agentaudit.model.results import SealedResult
from agentaudit.model.selection import HandedOver
from agentaudit.package.case import load_case
from agentaudit.package.tree import resolved
from agentaudit.sources.bridge.database import reduce_database

_NO_WAIT: int = getattr(os, "O_NONBLOCK", 0)


def preserve_exports(
    request: PreserveBundle, files: tuple[Path, ...], around: Surroundings, progress: Progress
) -> SealedResult:
    """Preserve export files into a new exhibit and seal it; raises as `preserve_bundle`, and 2 for a database."""
    load_case(request.case)
    for path in files:
        _refuse_name(path)
        _refuse_database(path)
    return preserve_bundle(replace(request, selection=_selection(files)), around, progress)


def preserve_database(request: PreserveBundle, path: Path, around: Surroundings, progress: Progress) -> SealedResult:
    """Preserve a reduced copy of a database into a new exhibit and seal it; raises as its two steps do."""
    load_case(request.case)
    _refuse_name(path)
    with tempfile.TemporaryDirectory(prefix="agentaudit-") as folder:
        scratch, handed = Path(folder) / "scratch", Path(folder) / "handed"
        scratch.mkdir(mode=0o700)
        handed.mkdir(mode=0o700)
        note = reduce_database(path, scratch, handed)
        rows = sum(table.rows for table in note.withheld)
        progress.warn(f"{rows:,} rows of tokens were left out of the copy; its note holds the digests of the originals")
        return preserve_bundle(replace(request, selection=_selection((handed, path))), around, progress)


def _selection(paths: tuple[Path, ...]) -> HandedOver:
    names = tuple(true_name(os.fsencode(path.expanduser().absolute())) for path in paths)
    return HandedOver(deposit="bridge", paths=names)


def _refuse_name(path: Path) -> None:
    """Of that name is the one database that is packed, and it is made here."""
    if REDUCED in {os.fsencode(path.name), os.fsencode(resolved(path).name)}:
        raise UsageFault(f"{path} has the name of a reduced copy", "give the file its own name back")


def _refuse_database(path: Path) -> None:
    """A database that goes by another name is told by its first bytes: it holds rows of tokens."""
    try:
        if path.is_dir():
            raise UsageFault(f"{path} is a folder", "name the export files themselves")
        # A pipe would be waited for: it is opened without waiting, and told by what it is.
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | _NO_WAIT)) as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise UsageFault(f"{path} is no regular file", "name an export file")
            head = stream.read(len(MAGIC))
    except OSError as error:
        raise UsageFault(f"cannot read {path}: {os.strerror(error.errno or 0)}", "name an export file") from None
    if head == MAGIC:
        raise UsageFault(f"{path} is a database", "give it with --database: its rows of tokens stay out then")
