"""Golden exhibits: a small scripted acquisition through the real writer, and an adapter that reads it.

- The script has walks of several pages, a page asked for twice, a refusal, gaps of each kind, and truncations.
- The adapter is one of ours for tests: pages are `{"data": [...], "next_page": ...}`.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from agentaudit.format.readings import Reading
from agentaudit.model.base import UNSET, Instant, instant_of
from agentaudit.model.journal import (
    Answered,
    Clock,
    Exchange,
    Noted,
    Opened,
    PayloadFile,
    Unanswered,
    WalkBegan,
    WalkEnded,
    WalkKind,
    WalkReason,
)
from agentaudit.model.journal import CustodyHead as Head
from agentaudit.model.limits import ByteLimits
from agentaudit.model.losses import Gap, Truncation
from agentaudit.model.readings import UNREAD, BlockRow, RecordRow, SessionCounts, SessionRow, SessionSource, Unread
from agentaudit.model.selection import SessionSelection
from agentaudit.model.storejournal import Kept
from agentaudit.model.stream import EventRow, PayloadFeed, Place, StreamRow
from agentaudit.model.tagfiles import CoverageLimit, WalkRow
from agentaudit.package.begin import begin_exhibit
from agentaudit.package.case import Case, new_case_file, open_case
from agentaudit.package.seal import SealedExhibit, seal_exhibit
from agentaudit.package.writer import OpenExhibit
from tests.support.around import ACTORS, hand
from tests.support.clock import StillClock
from tests.support.openings import opened_row

ADAPTER = "script/1"
LIST = "script/list"
LIMITS = ByteLimits(tool_input_max_bytes=64, tool_result_max_bytes=64)


@dataclass
class ScriptReading:
    """Reads the script's pages: an entry with `role` is a message, one without is a session; a page is an event."""

    found: list[SessionRow] = field(default_factory=list)
    last: str | Unread | None = None
    pages: int = 0
    made: list[EventRow] = field(default_factory=list)

    def feed(self, row: Answered, body: bytes) -> tuple[tuple[RecordRow, ...], tuple[Truncation, ...]]:
        """Records of messages; a message that is `cut` is a truncation by our limit."""
        try:
            page = json.loads(body)
        except ValueError:
            self.last = UNREAD
            return (), ()
        self.pages += 1
        self.made.append(EventRow(stream="feed/000001", kind="page", place=Place(item=row.item.path), order=self.pages))
        self.last = page["next_page"]
        records: list[RecordRow] = []
        cuts: list[Truncation] = []
        for index, entry in enumerate(page["data"]):
            if "role" in entry:
                records.append(_record(row, index, entry["id"], entry["role"]))
                cuts += [_cut(row, index, entry["cut"])] if "cut" in entry else []
            else:
                self.found.append(_session(row, index, entry["id"], truncated=entry.get("truncated", False)))
        return tuple(records), tuple(cuts)

    def next_cursor(self) -> str | Unread | None:
        """Where the page fed last leads."""
        return self.last

    def sessions(self, walks: Iterable[WalkRow], gaps: Iterable[Gap]) -> Iterator[SessionRow]:
        """Each session as it was listed."""
        del walks, gaps
        yield from self.found

    def payload(self, row: Kept) -> PayloadFeed | None:
        """No file is read."""
        del row
        return None

    def events(self) -> Iterator[EventRow]:
        """The page that was fed last."""
        made, self.made = self.made, []
        yield from made

    def clipped(self) -> Iterator[Truncation]:
        """Truncations came with the page."""
        yield from ()

    def streams(self) -> Iterator[StreamRow]:
        """All pages are one stream."""
        yield StreamRow(stream="feed/000001", kind="feed", events=self.pages, kinds=(("page", self.pages),))

    def coverage(self) -> tuple[CoverageLimit, ...]:
        """One limit."""
        return (CoverageLimit(code="script", statement="Only what the script says."),)


@dataclass(frozen=True)
class ScriptReader:
    """The adapter of the script."""

    name: str = ADAPTER

    def open(self, opened: Opened, walks: Iterable[WalkRow]) -> Reading:
        """Begin a reading."""
        del opened, walks
        return ScriptReading()


def _record(row: Answered, index: int, name: str, role: str) -> RecordRow:
    return RecordRow(
        session=row.walk.rpartition("/")[2],
        walk=row.walk,
        page=row.page,
        index=index,
        item=row.item.path,
        pointer=f"/data/{index}",
        id=name,
        role=role,
        model=UNSET,
        created_at=UNSET,
        provenance=None,
        blocks=(BlockRow(type="text", bytes=4),),
        limits=row.limits,
    )


_BY: dict[str, Literal["our_limit", "server_limit", "marker", "undetermined"]] = {
    "ours": "our_limit",
    "server": "server_limit",
    "marker": "marker",
    "unclear": "undetermined",
}


def _cut(row: Answered, index: int, by: str) -> Truncation:
    return Truncation(
        session=row.walk.rpartition("/")[2],
        walk=row.walk,
        page=row.page,
        item=row.item.path,
        pointer=f"/data/{index}",
        block_type="tool_use",
        by=_BY[by],
        basis=("parameter", "kept_length"),
        kept_bytes=64,
        limit_bytes=64,
        raise_parameter="tool_input_max_bytes" if by == "ours" else None,
    )


def _session(row: Answered, index: int, name: str, *, truncated: bool) -> SessionRow:
    return SessionRow(
        session=name,
        family="local",
        id=f"id-{name}",
        decision="kept",
        rule=None,
        listed=SessionSource(item=row.item.path, pointer=f"/data/{index}", truncated=truncated),
        retrieved=None,
        envelope=None,
        disagree=(),
        outcome="all_given",
        counts=SessionCounts(),
    )


def page(entries: list[dict[str, str | bool]], following: str | None) -> bytes:
    """The bytes of one page of the script."""
    return json.dumps({"data": entries, "next_page": following}).encode()


@dataclass
class Script:
    """An acquisition under way: each call is one act."""

    exhibit: OpenExhibit
    clock: StillClock

    def exchange(self, status: int | None, cursor: str | None) -> Exchange:
        """One attempt with fixed words."""
        return Exchange(
            method="GET",
            url="http://127.0.0.1:1/v1/things",
            query=(("limit", "2"),),
            cursor=cursor,
            attempt=1,
            asked_at=Instant(instant_of(self.clock.now())),
            elapsed_ms=12,
            status=status,
            headers=(("content-type", "application/json"),),
            request_id="req_1",
            server_date=None,
            clock=Clock(offset_ms=-3, bound_ms=506) if status else None,
            http_version="HTTP/1.1",
            peer="127.0.0.1:1",
            tls=None,
        )

    def begin(self, walk: str, limits: ByteLimits | None = None) -> None:
        """A walk begins."""
        kind: WalkKind = "local_messages" if limits else "local_list"
        session = walk.rpartition("/")[2] if limits else None
        self.exhibit.stage(
            WalkBegan(walk=walk, kind=kind, session=session, parameters=(("limit", "2"),), limits=limits)
        )

    def answer(
        self,
        walk: str,
        number: int,
        body: bytes,
        *,
        cursor: str | None = None,
        ask: int = 1,
        status: int = 200,
        limits: ByteLimits | None = None,
    ) -> PayloadFile:
        """An answer is kept and journalled."""
        again = f"-{ask}" if ask > 1 else ""
        item = self.exhibit.keep(f"data/{walk}/{number:06d}{again}.json", body)
        self.exhibit.stage(
            Answered(
                walk=walk,
                page=number,
                ask=ask,
                limits=limits,
                exchange=self.exchange(status, cursor),
                content_encoding=None,
                media_type="application/json",
                item=item,
            )
        )
        return item

    def fail(self, walk: str, number: int) -> None:
        """An attempt is retried."""
        self.exhibit.stage(
            Unanswered(
                walk=walk,
                page=number,
                ask=1,
                exchange=self.exchange(503, None),
                failure="status",
                error_type="overloaded_error",
                error_code=None,
                body_bytes=0,
                body_sha256=self.exhibit.journal.head.digest,
                next="retry",
                missed=None,
                wait_ms=5,
            )
        )

    def end(self, walk: str, pages: int, records: int, reason: WalkReason = "exhausted") -> None:
        """A walk ends."""
        self.exhibit.stage(WalkEnded(walk=walk, reason=reason, pages=pages, records=records))

    def note(self, gap: Gap) -> None:
        """A gap is known."""
        self.exhibit.stage(Noted(gap=gap))


def small_script(script: Script) -> None:
    """Two sessions listed over two pages, one transcript of two pages with a page asked for twice, one refusal."""
    script.begin(LIST)
    script.answer(LIST, 1, page([{"id": "s000001"}], "c1"))
    script.fail(LIST, 2)
    script.answer(LIST, 2, page([{"id": "s000002", "truncated": True}], None), cursor="c1")
    script.end(LIST, 2, 2)
    walk = "script/s000001"
    script.begin(walk, LIMITS)
    script.answer(walk, 1, page([{"id": "m1", "role": "user"}], "p1"), limits=LIMITS)
    script.answer(walk, 2, b"not json", cursor="p1", limits=LIMITS)
    second: list[dict[str, str | bool]] = [
        {"id": "m2", "role": "assistant", "cut": "ours"},
        {"id": "m3", "role": "user", "cut": "server"},
    ]
    script.answer(walk, 2, page(second, None), cursor="p1", ask=2, limits=LIMITS)
    script.end(walk, 2, 3)
    refused = "script/s000002"
    script.begin(refused, LIMITS)
    script.answer(refused, 1, b'{"error":{"type":"not_found_error"}}', status=404, limits=LIMITS)
    gap = Gap(kind="unavailable", code="session_not_found", basis="status", walk=refused, session="s000002", status=404)
    script.note(gap)
    script.note(gap)
    script.note(Gap(kind="excluded", code="other_user", basis="rule", walk=LIST, count=3))
    script.end(refused, 0, 0, "refused")


def clean_script(script: Script) -> None:
    """One session listed, its transcript of two pages, and no loss of any kind."""
    script.begin(LIST)
    script.answer(LIST, 1, page([{"id": "s000001"}], None))
    script.end(LIST, 1, 1)
    walk = "script/s000001"
    script.begin(walk, LIMITS)
    script.answer(walk, 1, page([{"id": "m1", "role": "user"}], "p1"), limits=LIMITS)
    script.answer(walk, 2, page([{"id": "m2", "role": "assistant"}], None), cursor="p1", limits=LIMITS)
    script.end(walk, 2, 2)


def golden_case(folder: Path, clock: StillClock | None = None) -> Case:
    """A new case in the folder."""
    clock = clock or StillClock(steps_ms=1)
    return open_case(folder, new_case_file("N-1", "A matter", ACTORS, "", clock.now()), hand(clock.now))


def begin_script(
    case: Case, clock: StillClock, adapter: str = ADAPTER, number: str | None = None, *, hold: bool = False
) -> Script:
    """A new exhibit of the case, open; `number` is the case that it says it belongs to, `hold` holds its rows."""

    def opened(exhibit: str, head: Head) -> Opened:
        return msgspec.structs.replace(
            opened_row(exhibit, head),
            case=number or case.file.number,
            source="script",
            adapter=adapter,
            limits=LIMITS,
        )

    selection = SessionSelection(families=("local",))
    return Script(begin_exhibit(case, hand(clock.now), "script", selection, opened, hold=hold), clock)


def golden_exhibit(
    case: Case, write: Callable[[Script], None] = small_script, adapter: str = ADAPTER, number: str | None = None
) -> SealedExhibit:
    """A script, sealed."""
    clock = StillClock(steps_ms=1)
    script = begin_script(case, clock, adapter, number)
    write(script)
    return seal_exhibit(script.exhibit, case, hand(clock.now), ScriptReader(adapter))
