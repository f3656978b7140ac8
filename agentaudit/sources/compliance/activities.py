"""The activity feed: one walk over a closed window, and the same walk as the witness of a collection.

- The window ends before the walk begins: who reads an open window chases the traces of its own reading (trap 20).
- What happens is in the feed within a minute; before that nothing is asked (compliance reference, section 6).
- `after_id` leads on in the order of the answers, whichever that is; `has_more` false ends the walk (section 1.3).
"""

from collections.abc import Callable, Iterable, Iterator, Sized
from datetime import timedelta
from typing import Protocol, runtime_checkable

from agentaudit.adapters.compliance.naming import FEED_WALK, WITNESS_WALK
from agentaudit.adapters.compliance.pages import read_id_page
from agentaudit.model.base import Instant, instant_of, moment_of
from agentaudit.model.selection import ActivitySelection, Window
from agentaudit.model.walk import Ended, Kept, Missed, Stage, Task
from agentaudit.sources.compliance.gaps import Where
from agentaudit.sources.compliance.requests import activities_request
from agentaudit.sources.compliance.trail import Trail
from agentaudit.sources.compliance.walking import page_through

LAG = timedelta(minutes=1)
OWN_REQUESTS = "compliance_api_accessed"


class ActivityPlan:
    """The plan of a collection of activities: one walk."""

    def __init__(self, selection: ActivitySelection) -> None:
        """Nothing is asked before the stage is drawn."""
        self._selection = selection

    def stages(self) -> Iterable[Stage]:
        """The feed."""
        yield Stage("activities", (_feed(FEED_WALK, self._selection, None, optional=False),))


class OwnWindow:
    """The time in which a collection asked, as the walks heard it; it is the same when they are replayed."""

    def __init__(self) -> None:
        """Nothing was asked yet."""
        self._first: Instant | None = None
        self._last: Instant | None = None

    def watch(self, task: Task) -> Task:
        """The same task, its answers looked at for when they were asked for."""
        reply: Kept | Missed | None = None
        while True:
            try:
                ask = next(task) if reply is None else task.send(reply)
            except StopIteration as end:
                ended: Ended = end.value
                return ended
            reply = yield ask
            if isinstance(reply, Kept):
                self._first = min(self._first or reply.asked_at, reply.asked_at)
                self._last = max(self._last or reply.asked_at, reply.asked_at)

    def witness(self) -> Task:
        """The feed of our own requests, from a lag before the first to a lag after the last; nothing without one."""
        if self._first is None or self._last is None:
            return (yield from _nothing())
        begins, ends = moment_of(self._first) - LAG, moment_of(self._last) + LAG
        selection = ActivitySelection(
            window=Window(begins=instant_of(begins), ends=instant_of(ends)), types=(OWN_REQUESTS,), order="asc"
        )
        return (yield from _feed(WITNESS_WALK, selection, instant_of(ends + LAG), optional=True))

    def watched(self, tasks: Iterable[Task]) -> Iterable[Task]:
        """The tasks of a stage, each looked at; a series whose length is known keeps it."""
        return _Watched(tasks, self.watch) if isinstance(tasks, _Series) else map(self.watch, tasks)


@runtime_checkable
class _Series(Sized, Iterable[Task], Protocol):
    """Tasks whose number is known before they are drawn."""


class _Watched:
    """A stage of known length whose tasks are looked at."""

    def __init__(self, tasks: "_Series", watch: Callable[[Task], Task]) -> None:
        self._tasks = tasks
        self._watch = watch

    def __len__(self) -> int:
        return len(self._tasks)

    def __iter__(self) -> Iterator[Task]:
        return map(self._watch, self._tasks)


def _nothing() -> Task:
    yield from ()
    return Ended()


def _feed(walk: str, selection: ActivitySelection, due_at: Instant | None, *, optional: bool) -> Task:
    trail = Trail(
        walk,
        "activities",
        activities_request(selection),
        optional=optional,
        read=read_id_page,
        due_at=due_at,
        cursor_name="after_id",
    )
    over = yield from page_through(trail, lambda _page, _found, _item: ())
    return Ended((*over.learned, *over.gaps(Where(walk, page=over.page))))
