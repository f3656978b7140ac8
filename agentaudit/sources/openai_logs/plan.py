"""The whole of a collection of log files: one list for each event type, then each file that they name, once.

- Files are numbered in the order of the lists and of their entries, whichever list ended first.
- A file's size and digest are held against its list as soon as it is here. One that is unlike is asked for once more;
  then it is kept as it came, and the difference is a gap: what the source promised was not obtained.
"""

from collections.abc import Generator, Iterable, Iterator
from typing import Literal

from agentaudit.adapters.answers import Unreadable, expand
from agentaudit.adapters.openai_logs.listing import LogEntry
from agentaudit.adapters.openai_logs.naming import file_walk
from agentaudit.model.base import digest_of
from agentaudit.model.journal import WalkBegan, WalkEnded, WalkReason
from agentaudit.model.selection import OpenAiLogSelection
from agentaudit.model.walk import Ask, Ended, Kept, Missed, Stage, Task
from agentaudit.sources.compliance.gaps import Where, end_of, lost_gap, missed_gap
from agentaudit.sources.openai_logs.listing import walk_list
from agentaudit.sources.openai_logs.requests import file_request, list_request

Unlike = Literal["size", "sha256"]


class OpenAiLogPlan:
    """The plan of one acquisition: it keeps what its lists name, in their order."""

    def __init__(self, selection: OpenAiLogSelection) -> None:
        """Nothing is asked before the first stage is drawn."""
        self._selection = selection
        self._listed: tuple[dict[str, LogEntry], ...] = tuple({} for _ in selection.event_types)

    def stages(self) -> Iterable[Stage]:
        """The lists, then the files."""
        yield Stage("lists", tuple(self._list(index) for index in range(len(self._listed))))
        yield Stage("files", FileSeries(self._selection, self._files()))

    def _list(self, index: int) -> Task:
        listed = self._listed[index]

        def see(entry: LogEntry) -> None:
            listed.setdefault(entry.id, entry)

        request = list_request(self._selection, self._selection.event_types[index])
        return walk_list(index + 1, request, see)

    def _files(self) -> tuple[LogEntry, ...]:
        files: dict[str, LogEntry] = {}
        for listed in self._listed:
            for identity, entry in listed.items():
                files.setdefault(identity, entry)
        return tuple(files.values())


class FileSeries:
    """The stage of the files: its length is known, a task is made when it is drawn."""

    def __init__(self, selection: OpenAiLogSelection, files: tuple[LogEntry, ...]) -> None:
        """Fix the files, in the order of their numbers."""
        self._selection = selection
        self._files = files

    def __len__(self) -> int:
        """How many files there are."""
        return len(self._files)

    def __iter__(self) -> Iterator[Task]:
        """Each task."""
        return (self._file(number, entry) for number, entry in enumerate(self._files, 1))

    def _file(self, number: int, entry: LogEntry) -> Task:
        walk = file_walk(number)
        began = WalkBegan(walk=walk, kind="log_file", session=None, parameters=(), limits=None)
        ask = Ask(walk, 1, file_request(self._selection, entry.id), sent_on=True, file=True, learned=(began,))
        came = yield from _ask_for(ask, entry)
        where = Where(walk, page=1)
        if isinstance(came, Missed):
            return Ended((_ended(walk, end_of(came), 0), missed_gap(came, where)))
        gaps = (lost_gap("file_unlike_listed", where, "field", subject=came),) if came is not None else ()
        return Ended((_ended(walk, "exhausted", 1), *gaps))


def _ask_for(ask: Ask, entry: LogEntry) -> Generator[Ask, Kept | Missed, Missed | Unlike | None]:
    """The file, once more where it is unlike its list: why it did not come, what is still unlike, or None."""
    answer = yield ask
    if isinstance(answer, Missed):
        return answer
    first = unlike(answer, entry)
    if first is None:
        return None
    answer = yield Ask(ask.walk, ask.page, ask.request, ask=2, sent_on=True, file=True)
    # What came first is here: that it did not come again does not take it away.
    return first if isinstance(answer, Missed) else unlike(answer, entry)


def unlike(kept: Kept, entry: LogEntry) -> Unlike | None:
    """In what a file is unlike its list: its bytes as they came, or without a coding of their transfer."""
    plain = expand(kept.body, kept.content_encoding)
    bodies = (kept.body,) if isinstance(plain, Unreadable) else (kept.body, plain)
    if entry.bytes is not None and entry.bytes not in map(len, bodies):
        return "size"
    if entry.sha256 is not None and all(entry.sha256 != digest_of(body) for body in bodies):
        return "sha256"
    return None


def _ended(walk: str, reason: WalkReason, pages: int) -> WalkEnded:
    return WalkEnded(walk=walk, reason=reason, pages=pages, records=0)
