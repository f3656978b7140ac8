"""What lists say of files, held against the files: sizes, digests, and what is listed and not here.

- A file is found in the lists by its id, by its digest, or by its name; what a name finds is judged by the digest.
- A digest is that of the bytes as they lie, or of their text where they are packed.
- An entry that comes again is the boundary of two pages; one that comes again otherwise than before is a finding.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from agentaudit.adapters.findings import Findings
from agentaudit.adapters.openai_logs.listing import LogEntry, LogPage
from agentaudit.adapters.openai_logs.logfile import LogFile
from agentaudit.adapters.openai_logs.totals import Span
from agentaudit.model.base import UNSET
from agentaudit.model.stream import Place, StreamRow


@dataclass(slots=True)
class _List:
    """One list: its pages' entries counted, the first and last end of a file's window."""

    stream: str
    findings: Findings = field(default_factory=Findings)
    span: Span = field(default_factory=Span)
    ids: dict[str, None] = field(default_factory=dict)
    pages: int = 0
    repeated: int = 0
    octets: int = 0
    before: str | None = None
    is_ended: bool = False


class Lists:
    """Every list of one exhibit, and what their entries say, by id."""

    def __init__(self, *, walked: bool) -> None:
        """No page came yet. `walked`: each list was walked by us; otherwise pages were saved by somebody else."""
        self._walked = walked
        self._lists: dict[int, _List] = {}
        self._entries: dict[str, LogEntry] = {}
        self._by_digest: dict[str, LogEntry] = {}
        self._by_name: dict[str, LogEntry] = {}
        self._here: set[str] = set()

    def take(self, number: int, item: str, page: LogPage) -> None:
        """One page of the list of that number, in its order."""
        one = self._lists.setdefault(number, _List(f"feed/{number:06d}"))
        one.pages += 1
        one.is_ended = one.is_ended or not page.has_more
        for index, entry in enumerate(page.entries):
            place = Place(item=item, pointer=f"/data/{index}")
            if entry is None:
                one.findings.add("entry_without_id", place)
            else:
                self._entry(one, entry, place)

    def entry(self, identity: str | None) -> LogEntry | None:
        """What the lists say of a file of that id."""
        return None if identity is None else self._entries.get(identity)

    def find(self, file: LogFile, name: str) -> LogEntry | None:
        """What the lists say of a file whose id nobody told: by its digest, else by its name."""
        unpacking = file.unpacking
        found = self._by_digest.get(unpacking.raw.sha256) or self._by_digest.get(unpacking.text.sha256)
        return found or self._by_name.get(name) or self._by_name.get(_bare(name)) or self._entries.get(_bare(name))

    def judge(self, file: LogFile, entry: LogEntry | None) -> str | None:
        """Our word for how the file stands to its entry; what is unlike is a finding. None: it is no log."""
        place = Place(item=file.item)
        if entry is None and not file.is_log:
            return None
        if entry is None:
            if self._lists:
                file.findings.add("not_listed", place)
            return "not_listed" if self._lists else "no_list"
        self._here.add(entry.id)
        raw, text = file.unpacking.raw, file.unpacking.text
        is_packed = file.unpacking.packing == "gzip"
        if entry.bytes is not None and entry.bytes != raw.bytes and not (is_packed and entry.bytes == text.bytes):
            file.findings.add("size_unlike_listed", place)
        if entry.sha256 is None:
            file.findings.add("digest_not_stated", place)
            return "not_stated"
        if entry.sha256 == raw.sha256:
            return "agrees"
        if is_packed and entry.sha256 == text.sha256:
            return "agrees_unpacked"
        file.findings.add("digest_unlike_listed", place)
        return "differs"

    def rows(self) -> Iterator[StreamRow]:
        """Each list, after the last file was judged."""
        is_ended = any(one.is_ended for one in self._lists.values())
        for _, one in sorted(self._lists.items()):
            if not (one.is_ended if self._walked else is_ended):
                one.findings.add("list_end_absent")
            for identity in one.ids:
                if identity not in self._here:
                    one.findings.add("listed_file_absent", None, identity)
            counts = {"bytes_listed": one.octets, "entries_repeated": one.repeated, "files_listed": len(one.ids)}
            yield StreamRow(
                stream=one.stream,
                kind="feed",
                first_at=UNSET if one.span.first is None else one.span.first,
                last_at=UNSET if one.span.last is None else one.span.last,
                counts=(*sorted(counts.items()), ("pages", one.pages)),
                findings=one.findings.rows(),
            )

    def _entry(self, one: _List, entry: LogEntry, place: Place) -> None:
        before = self._entries.get(entry.id)
        if before is not None:
            one.repeated += 1
            if before != entry:
                one.findings.add("entry_unlike_before", place, entry.id)
            return
        if _is_turned(one.before, entry.end_time):
            one.findings.add("end_time_not_rising", place)
        one.before = entry.end_time
        one.ids[entry.id] = None
        one.octets += entry.bytes or 0
        one.span.take(entry.end_time)
        self._entries[entry.id] = entry
        if entry.sha256 is not None:
            self._by_digest[entry.sha256] = entry
        if entry.file_name is not None:
            self._by_name[entry.file_name] = entry


def judged(lists: Lists, files: Iterable[tuple[LogFile, LogEntry | None]]) -> list[StreamRow]:
    """The row of each file, held against its entry."""
    return [_row(file, entry, lists.judge(file, entry)) for file, entry in files]


def _row(file: LogFile, entry: LogEntry | None, standing: str | None) -> StreamRow:
    told = entry or LogEntry("")
    words = {"digest": standing, "event_type": told.event_type, "end_time": told.end_time}
    counts = {"bytes": file.unpacking.raw.bytes, **file.counts}
    if file.unpacking.packing == "gzip":
        counts["text_bytes"] = file.unpacking.text.bytes
    return StreamRow(
        stream=file.stream,
        kind="file",
        name=told.id or None,
        item=file.item,
        form=file.form,
        events=sum(file.kinds.values()),
        first_at=UNSET if file.span.first is None else file.span.first,
        last_at=UNSET if file.span.last is None else file.span.last,
        kinds=tuple(sorted(file.kinds.items())),
        counts=tuple(sorted(counts.items())),
        words=tuple(sorted((name, text) for name, text in words.items() if text is not None)),
        findings=file.findings.rows(),
    )


def _is_turned(before: str | None, after: str | None) -> bool:
    """True for two times in UTC of which the later one stands first; other forms do not compare as text."""
    if before is None or after is None or not (before.endswith("Z") and after.endswith("Z")):
        return False
    return after[:19] < before[:19]


def _bare(name: str) -> str:
    """A file's name without the ends that downloads and packing add."""
    for end in (".gz", ".jsonl", ".ndjson", ".json"):
        name = name.removesuffix(end)
    return name
