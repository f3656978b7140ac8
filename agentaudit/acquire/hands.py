"""Who reads and copies: this process, or it and others, each file as a whole by one of them.

- Results come in the order of the jobs, whoever was faster. What is done before its turn is bounded.
- This process copies too, whenever it would have to wait: others are one fewer than the cores.
- Jobs are handed over in batches, small files many at once: one by one, handing over costs more than copying.
- A store that is soon copied is not worth another process: only above a bound are others started.
- Others may begin while this process has something else to do: their results wait for it, and so does their fault.
- Another process creates the payload file under its final name and this one takes it into its group: the barrier
  makes it durable before its row.
- What another does not find at its path this one looks for: its handle leads to the root that was surveyed, wherever
  that lies now.
- Where no other process can be started this one copies alone.
- A signal stops every copy at its next stretch.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from agentaudit.acquire.copier import Batch, Given
from agentaudit.acquire.copiers import Copiers
from agentaudit.acquire.copying import Copied, CopyJob, copy_file
from agentaudit.acquire.packed import looked_into
from agentaudit.adapters.stores.ruling import Denied
from agentaudit.errors import DestinationFault
from agentaudit.package.writer import OpenExhibit
from agentaudit.sources.local.read import Reader, Unread

ALONE_BYTES = 32 * 1024 * 1024
# What opening, creating and hashing one more file costs, as the bytes that are copied in that time.
FILE_BYTES = 64 * 1024
BATCH_BYTES = 4 * 1024 * 1024
STINT_BYTES = 512 * 1024
# One file counts as a batch at most: beside one of gigabytes the others go on.
AHEAD_BYTES = 16 * BATCH_BYTES
LOOK_SECONDS = 0.1

# What another process finds that looks at the path of a root: this one has the handle of the root that was surveyed.
_BY_PATH = frozenset({"vanished", "replaced", "unreadable", "failed"})

Check: TypeAlias = Callable[[], None]


class Hands:
    """The readers of one store; `workers` 1 means this process alone. `octets` counts what was copied so far."""

    def __init__(self, readers: Mapping[str, Reader], roots: Mapping[str, bytes], workers: int) -> None:
        """`readers` are those of this process, `roots` the resolved paths that others open for themselves."""
        self._readers = readers
        self._roots = dict(roots)
        self._denied: Denied = frozenset()
        self._workers = workers
        self._here = 0
        self._others: Copiers | None = None
        self._sharing: _Sharing | None = None

    def deny(self, files: Denied) -> None:
        """Nobody reads these files; `readers` know it already."""
        self._denied = files

    @property
    def octets(self) -> int:
        """Bytes copied by all hands."""
        return self._here + (0 if self._others is None else self._others.octets)

    def begin(self, exhibit: OpenExhibit, jobs: Iterable[CopyJob]) -> None:
        """Have others begin with jobs that `copy` will be given, and `go_on`; nothing where no others are worth it.

        What they copy is taken into the exhibit by `copy`. Whoever begins has to `end`.
        """
        waiting = tuple(jobs)
        if self._workers == 1 or sum(map(_cost, waiting)) < ALONE_BYTES:
            return
        given = Given(self._roots, self._denied, exhibit.root, waiting)
        try:
            self._others = Copiers(self._workers - 1, given, (exhibit.journal.descriptor,))
        except OSError:
            return
        self._sharing = _Sharing(self, exhibit, self._others, waiting)
        self._sharing.go_on()

    def go_on(self) -> None:
        """Keep the others busy with what was begun."""
        if self._sharing is not None:
            self._sharing.go_on()

    def end(self) -> None:
        """End the others; what they have not answered is forgotten."""
        self._sharing = None
        others, self._others = self._others, None
        if others is not None:
            others.close()
            self._here += others.octets

    def copy(self, exhibit: OpenExhibit, jobs: Iterable[CopyJob], check: Check) -> Iterator[Copied]:
        """Each job done, in order; `check` is called often and ends it all by raising.

        The jobs are those that were begun with, where others have begun.
        """
        waiting = tuple(jobs)
        try:
            if self._sharing is None:
                self.begin(exhibit, waiting)
            if self._sharing is None:
                yield from (self.copy_here(exhibit, job, check) for job in waiting)
            else:
                yield from self._sharing.results(waiting, check)
        finally:
            self.end()

    def copy_here(self, exhibit: OpenExhibit, job: CopyJob, check: Check) -> Copied:
        """One job done by this process."""

        def tell(octets: int) -> None:
            self._here += octets
            check()

        return looked_into(copy_file(job, self._readers[job.seen.root], exhibit.begin, tell), exhibit.root)


class _Sharing:
    """Jobs that are shared out: `_next` is the first that nobody has, `_done` what is there before its turn."""

    def __init__(self, hands: Hands, exhibit: OpenExhibit, others: Copiers, jobs: tuple[CopyJob, ...]) -> None:
        self._hands = hands
        self._exhibit = exhibit
        self._others = others
        self._jobs = jobs
        self._next = 0
        self._ahead = 0
        self._done: dict[int, Copied] = {}
        self._theirs: set[int] = set()
        self._fault: DestinationFault | None = None

    def go_on(self) -> None:
        """Collect what was done and hand out as much as may be; a fault waits until the results are asked for."""
        if self._fault is None:
            try:
                self._collect(0)
                self._hand_out()
            except DestinationFault as fault:
                self._fault = fault

    def results(self, jobs: tuple[CopyJob, ...], check: Check) -> Iterator[Copied]:
        """Each result in the order of the jobs; what others wrote is taken into the exhibit in its turn.

        ValueError when the jobs are not those that were begun with. Raises what ended the copying before.
        """
        if jobs != self._jobs:
            raise ValueError("other jobs were begun with")
        if self._fault is not None:
            raise self._fault
        for place, job in enumerate(self._jobs):
            while place not in self._done:
                self._hand_out()
                self._collect(0)
                if place not in self._done:
                    self._work(check)
            self._ahead -= _share(job)
            copied = self._done.pop(place)
            if place in self._theirs:
                self._theirs.discard(place)
                if copied.item is not None:
                    self._exhibit.adopt(copied.item)
                elif isinstance(copied.read, Unread) and copied.read.problem in _BY_PATH:
                    copied = self._hands.copy_here(self._exhibit, job, check)
            yield copied

    def _hand_out(self) -> None:
        while self._others.wants and (batch := self._batch()):
            for place in batch:
                self._exhibit.make_room(self._jobs[place].path)
            self._others.give(batch)

    def _batch(self) -> Batch:
        """The next jobs, as many as fit a batch and may be done ahead; at least one, if any may."""
        first, cost = self._next, 0
        while self._next < len(self._jobs) and self._ahead < AHEAD_BYTES:
            more = _share(self._jobs[self._next])
            if cost and cost + more > BATCH_BYTES:
                break
            cost += more
            self._take(more)
        return range(first, self._next)

    def _work(self, check: Check) -> None:
        """Do some of the jobs that nobody has; where there is none, or too much is done ahead, wait."""
        stint = 0
        while stint < STINT_BYTES and self._next < len(self._jobs) and self._ahead < AHEAD_BYTES:
            place, job = self._next, self._jobs[self._next]
            stint += _share(job)
            self._take(_share(job))
            self._done[place] = self._hands.copy_here(self._exhibit, job, check)
        if not stint:
            self._collect(LOOK_SECONDS)
            check()

    def _take(self, share: int) -> None:
        self._next += 1
        self._ahead += share

    def _collect(self, timeout_s: float) -> None:
        for place, copied in self._others.collect(timeout_s):
            self._done[place] = copied
            self._theirs.add(place)


def _cost(job: CopyJob) -> int:
    return FILE_BYTES + (0 if job.seen.look is None else job.seen.look.size)


def _share(job: CopyJob) -> int:
    return min(_cost(job), BATCH_BYTES)
