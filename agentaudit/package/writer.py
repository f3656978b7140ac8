"""The one writer of evidence: an exhibit that is open.

- Payload files are created exclusively under their final names and made durable in groups; only then are their
  journal rows written, and made durable: the row is the commit.
- The barrier of one group may run beside the filling of the next; rows keep their order, and wait for their own.
- The first error fails every later act.
- An open exhibit is consumed by sealing it; nothing else can be written to.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from agentaudit.errors import AgentAuditError, DestinationFault
from agentaudit.format import layout
from agentaudit.format.chain import JOURNAL_CODEC
from agentaudit.model.journal import Act, Opened, PayloadFile
from agentaudit.package.barrier import Barrier
from agentaudit.package.disk import Disk, Place, destination
from agentaudit.package.item import Item, payload_mode
from agentaudit.package.rows import ChainLog, create_log, open_log

A = TypeVar("A", bound=Act)

GROUP_FILES_MAX = 1_024
GROUP_OPEN_FILES_MAX = 128
GROUP_BYTES_MAX = 64 * 1024 * 1024


@dataclass(slots=True)
class _Group:
    """What was written since the last barrier."""

    files: list[int] = field(default_factory=list)
    folders: set[str] = field(default_factory=set)
    octets: int = 0
    count: int = 0

    def folders_below(self, root: Path) -> tuple[Path, ...]:
        """The folders that got a new entry, in their order."""
        return tuple(root / folder for folder in sorted(self.folders))


class _Guarded:
    """It stands round each call of the writer; a class and no generator, as `destination` is."""

    __slots__ = ("_journal", "_place")

    def __init__(self, journal: ChainLog[Act], path: Place) -> None:
        self._journal = journal
        self._place = destination(path)

    def __enter__(self) -> None:
        self._journal.check()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self._journal.bar()
            self._place.__exit__(kind, error, trace)


class OpenExhibit:
    """A partial exhibit that this process holds the lock of."""

    def __init__(self, root: Path, journal: ChainLog[Act], disk: Disk) -> None:
        """Take over a locked journal; use `create_exhibit` or `reopen_exhibit`."""
        self.root = root
        self.journal = journal
        self.disk = disk
        self._place = str(root)
        self._group = _Group()
        self._behind: Barrier | None = None
        self._known: set[str] = {layout.DATA}

    def keep(self, path: str, octets: bytes) -> PayloadFile:
        """Write a payload file; it is durable after the next `settle`, and its row may be staged before."""
        item = self.begin(path)
        item.write(octets)
        return item.finish()

    def begin(self, path: str) -> "Item":
        """A new payload file to be written piece by piece; ValueError for a name that is not neutral."""
        if not layout.is_payload_name(path):
            raise ValueError("a payload name is made of neutral counters")
        place = f"{self._place}/{path}"
        guard = self.guarded(place)
        with guard:
            folder = self._folders(path.rpartition("/")[0])
            descriptor = self.disk.create(place, payload_mode(self.disk))
        self._group.folders.add(folder)
        return Item(path, descriptor, self.disk, guard, self._wrote)

    def make_room(self, path: str) -> None:
        """Another process is to create a payload file of that name: its folders are there when this returns."""
        if not layout.is_payload_name(path):
            raise ValueError("a payload name is made of neutral counters")
        folder = path.rpartition("/")[0]
        if folder not in self._known:
            with self.guarded(self.root / path):
                self._folders(folder)

    def adopt(self, file: PayloadFile) -> None:
        """Take a file that another process wrote whole into the group."""
        self._group.folders.add(file.path.rpartition("/")[0])
        self._group.octets += file.bytes
        self._group.count += 1
        if not self.disk.settles_closed_files:
            path = self.root / file.path
            with self.guarded(path):
                self._group.files.append(self.disk.append_to(path))

    def _wrote(self, descriptor: int, octets: int) -> None:
        """Take a finished file into the group: it is closed now, or at the barrier where the barrier needs it open."""
        self._group.octets += octets
        self._group.count += 1
        if self.disk.settles_closed_files:
            self.disk.close(descriptor)
        else:
            self._group.files.append(descriptor)

    def stage(self, act: Act) -> None:
        """Hold a row for the next `settle`."""
        self.journal.stage(act)

    @property
    def is_full(self) -> bool:
        """True when the group has reached its bounds and wants a `settle`."""
        most = GROUP_FILES_MAX if self.disk.settles_closed_files else GROUP_OPEN_FILES_MAX
        return self._group.count >= most or self._group.octets >= GROUP_BYTES_MAX

    def settle(self) -> None:
        """The barrier: files first, then rows. What was kept and staged before is committed afterwards."""
        self._await_barrier()
        if self._group.count:
            group, self._group = self._group, _Group()
            with self.guarded(self.root / layout.DATA):
                self.disk.settle_group(self.journal.descriptor, tuple(group.files), group.folders_below(self.root))
            self._close_files(group.files)
        self.journal.settle()

    def settle_beside(self) -> None:
        """Begin the barrier of what was kept before, and let it run beside what is kept next.

        The rows that were staged before are committed by the next call of this, or of `settle`, which await it first.
        """
        self._await_barrier()
        if self._group.count:
            group, self._group = self._group, _Group()
            files, folders = tuple(group.files), group.folders_below(self.root)
            act = partial(self.disk.settle_group, self.journal.descriptor, files, folders)
            self._behind = Barrier(act, files, self.journal.staged)

    def release(self) -> None:
        """Let go of the lock and of what is open, after an error; what was not settled is dropped."""
        behind, self._behind = self._behind, None
        group, self._group = self._group, _Group()
        if behind is not None:
            behind.end()  # its descriptors may not be closed under it
            group.files.extend(behind.files)
        for descriptor in group.files:
            with contextlib.suppress(OSError):
                self.disk.close(descriptor)
        with contextlib.suppress(DestinationFault):
            self.journal.close()

    def _await_barrier(self) -> None:
        """Commit the rows of the group whose barrier runs; an error of the barrier bars every later act."""
        behind, self._behind = self._behind, None
        if behind is None:
            return
        with self.guarded(self.root / layout.DATA):
            behind.result()
        self._close_files(behind.files)
        self.journal.settle(behind.rows)

    def _close_files(self, descriptors: Iterable[int]) -> None:
        with self.guarded(self.root / layout.DATA):
            for descriptor in descriptors:
                self.disk.close(descriptor)

    def guarded(self, path: Place) -> AbstractContextManager[None]:
        """The first error fails every later act."""
        return _Guarded(self.journal, path)

    def _folders(self, folder: str) -> str:
        """Make the folders of a payload path that are not there yet, each entry durable with the group."""
        if folder in self._known:
            return folder
        parent = folder.rpartition("/")[0]
        self._folders(parent)
        path = self.root / folder
        if not path.is_dir() or path.is_symlink():
            self.disk.make_folder(path)
            self._group.folders.add(parent)
        self._known.add(folder)
        return folder


@contextlib.contextmanager
def releasing(exhibit: OpenExhibit) -> Iterator[None]:
    """An error of ours inside the block lets go of the exhibit, so that another run can go on with it."""
    try:
        yield
    except AgentAuditError:
        exhibit.release()
        raise


def create_exhibit(
    root: Path, opened: Callable[[], Opened], disk: Disk, now: Callable[[], datetime], *, hold: bool = False
) -> OpenExhibit:
    """Make the journal of a new partial folder and write its first row; folders durable before the row.

    `root` exists and is empty; `opened` is called once the journal is locked. `hold`: rows are held for the sealing.
    """
    disk.make_folder(root / layout.TAGS)
    disk.make_folder(root / layout.DATA)
    journal: ChainLog[Act] = create_log(root / layout.JOURNAL, disk, now, Act)
    exhibit = OpenExhibit(root, journal, disk)
    if hold:
        journal.hold()
    with releasing(exhibit):
        for folder in (root / layout.TAGS, root):
            disk.settle_folder(folder)
        exhibit.stage(opened())
        exhibit.settle()
    return exhibit


def reopen_exhibit(root: Path, disk: Disk, now: Callable[[], datetime]) -> OpenExhibit:
    """Lock the journal of a partial exhibit; raises DestinationFault when another run holds it."""
    journal = open_log(root / layout.JOURNAL, disk, now, JOURNAL_CODEC, Act, wait=False)
    return OpenExhibit(root, journal, disk)
