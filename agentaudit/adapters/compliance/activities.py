"""The activity feed as events: who did what, when, by ids and coded words alone (compliance reference, section 7.3).

- Titles, file names, request bodies, addresses and user agents are content: they stay in the page.
- Types and actor types are an open list; an unknown one is an event like any other.
- `compliance_api_accessed` holds the request-id of a request to the very API: by it our own requests are found again.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from agentaudit.adapters.answers import Unreadable
from agentaudit.adapters.compliance.naming import place_of
from agentaudit.adapters.compliance.pages import Page, read_id_page
from agentaudit.adapters.compliance.windows import is_outside
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.base import UNSET
from agentaudit.model.journal import Answered, Opened
from agentaudit.model.losses import Gap, Truncation
from agentaudit.model.readings import UNREAD, RecordRow, Unread
from agentaudit.model.selection import ActivitySelection
from agentaudit.model.sessionrow import AnySession
from agentaudit.model.storejournal import Kept
from agentaudit.model.stream import (
    PLACES_MAX,
    EventRow,
    KeyName,
    PayloadFeed,
    Place,
    StreamFinding,
    StreamRow,
    Word,
)
from agentaudit.model.tagfiles import CoverageLimit, WalkRow
from agentaudit.model.text import SourceText, display, source_text

VERSION = "compliance-activities/1"
STREAM = "feed/000001"

_OK = 200
_KEYS: tuple[tuple[str, KeyName], ...] = (
    ("organization_uuid", "organization"), ("organization_id", "organization"), ("request_id", "request"),
    ("session_id", "session"), ("chat_id", "chat"), ("claude_chat_id", "chat"), ("project_id", "project"),
    ("claude_project_id", "project"), ("file_id", "file"), ("artifact_id", "artifact"), ("user_id", "user"),
)  # fmt: skip
_WORDS = ("request_method", "product_surface", "client_platform")
_COVERAGE = (
    ("activities.absence", "The feed lists what was recorded as an activity; an act without one is not shown by it."),
    (
        "activities.late",
        "An activity can be in the feed up to a minute after it happened; the window was closed by then.",
    ),
    ("activities.no_backfill", "The feed begins when it was first enabled; nothing from before is ever added."),
    (
        "activities.viewed",
        "An event that ends in _viewed means that an application loaded something, not that anybody read it.",
    ),
)


class Feed:
    """The events of feed pages, as they are fed, and what their order and ids come to.

    `order` is that of the request: `desc` from the newest on. It holds the ids seen, for what comes twice.
    """

    def __init__(self, selection: ActivitySelection | None) -> None:
        """`selection` bounds and orders the feed; without one it is the witness of a collection, oldest first."""
        self._order = "asc" if selection is None else selection.order
        self._window = None if selection is None else selection.window
        self._ids: set[str] = set()
        self._last: str | None = None
        self._made: list[EventRow] = []
        self._kinds: Counter[SourceText] = Counter()
        self._first_at: Word = UNSET
        self._last_at: Word = UNSET
        self._found: dict[str, list[Place]] = {}
        self._counts: Counter[str] = Counter()

    def take(self, item: str, page: Page) -> None:
        """Take one page, in the order of the walk."""
        for index, entry in enumerate(page.data):
            place = Place(item=item, pointer=f"/data/{index}")
            members = mapping(entry)
            if members is None:
                self._find("not_an_object", place)
                continue
            self._event(members, place)

    def made(self) -> Iterator[EventRow]:
        """The events since the last call."""
        made, self._made = self._made, []
        yield from made

    def rows(self) -> Iterator[StreamRow]:
        """The one stream; none where no page came."""
        if not self._kinds and not self._found:
            return
        yield StreamRow(
            stream=STREAM,
            kind="feed",
            events=sum(self._kinds.values()),
            first_at=self._first_at,
            last_at=self._last_at,
            kinds=tuple(sorted(self._kinds.items(), key=lambda one: display(one[0]))),
            findings=tuple(
                StreamFinding(code=code, count=self._counts[code], places=tuple(places))
                for code, places in sorted(self._found.items())
            ),
        )

    def _event(self, members: dict[str, Json], place: Place) -> None:
        identifier, at = _text(members, "id"), _text(members, "created_at")
        kind = source_text(type_) if isinstance(type_ := members.get("type"), str) else "unknown"
        marks = tuple(sorted(self._marks(identifier, at, place)))
        self._kinds[kind] += 1
        self._first_at = at if self._first_at is UNSET else self._first_at
        self._last_at = at
        actor = mapping(members.get("actor")) or {}
        self._made.append(
            EventRow(
                stream=STREAM,
                kind=kind,
                place=place,
                id=identifier,
                at=at,
                keys=_keys(members, actor),
                words=_words(members, actor),
                numbers=_numbers(members),
                marks=marks,
            )
        )

    def _marks(self, identifier: Word, at: Word, place: Place) -> Iterator[str]:
        if not isinstance(identifier, str):
            self._find("no_id", place)
        elif identifier in self._ids:
            self._find("repeated", place)
            yield "repeated"
        else:
            self._ids.add(identifier)
        if not isinstance(at, str):
            self._find("no_time", place)
            return
        if is_outside(at, self._window):
            self._find("outside_window", place)
            yield "outside_window"
        if self._last is not None and _is_turned(self._last, at, self._order):
            self._find("out_of_order", place)
        self._last = at

    def _find(self, code: str, place: Place) -> None:
        self._counts[code] += 1
        places = self._found.setdefault(code, [])
        if len(places) < PLACES_MAX:
            places.append(place)


class ActivityReader:
    """The adapter of an exhibit of activities."""

    @property
    def name(self) -> str:
        """The name as it stands in the journal."""
        return VERSION

    def open(self, opened: Opened, walks: Iterable[WalkRow]) -> "ActivityReading":
        """Begin a reading."""
        del walks
        return ActivityReading(opened.selection if isinstance(opened.selection, ActivitySelection) else None)


class ActivityReading:
    """One pass over the pages of a feed."""

    def __init__(self, selection: ActivitySelection | None) -> None:
        """Nothing was fed yet."""
        self._feed = Feed(selection)
        self._cursor: str | Unread | None = None

    def feed(self, row: Answered, body: bytes) -> tuple[tuple[RecordRow, ...], tuple[Truncation, ...]]:
        """Take one page; activities are events, not records."""
        self._cursor = UNREAD
        if place_of(row.walk) is not None and row.exchange.status == _OK:
            page = read_id_page(body, row.content_encoding)
            if not isinstance(page, Unreadable):
                self._cursor = page.next_page
                self._feed.take(row.item.path, page)
        return (), ()

    def next_cursor(self) -> str | Unread | None:
        """Where the answer fed last leads."""
        return self._cursor

    def payload(self, row: Kept) -> PayloadFeed | None:
        """An API gives no files."""
        del row
        return None

    def events(self) -> Iterator[EventRow]:
        """The activities of the page fed last."""
        return self._feed.made()

    def clipped(self) -> Iterator[Truncation]:
        """Nothing of the feed is shortened."""
        yield from ()

    def streams(self) -> Iterator[StreamRow]:
        """The feed."""
        return self._feed.rows()

    def sessions(self, walks: Iterable[WalkRow], gaps: Iterable[Gap]) -> Iterator[AnySession]:
        """A feed has no sessions."""
        del walks, gaps
        yield from ()

    def coverage(self) -> tuple[CoverageLimit, ...]:
        """What the feed can never show."""
        return tuple(CoverageLimit(code=code, statement=statement) for code, statement in _COVERAGE)


def _is_turned(before: str, at: str, order: str) -> bool:
    """Whether two times in UTC stand against the order, by whole seconds; other forms do not compare as text."""
    if not (before.endswith("Z") and at.endswith("Z")):
        return False
    return at[:19] < before[:19] if order == "asc" else at[:19] > before[:19]


def _text(members: dict[str, Json], name: str) -> Word:
    item = members.get(name, UNSET)
    if isinstance(item, str):
        return source_text(item)
    return None if item is None else UNSET


def _keys(members: dict[str, Json], actor: dict[str, Json]) -> tuple[tuple[KeyName, SourceText], ...]:
    found: dict[KeyName, SourceText] = {}
    for name, key in _KEYS:
        item = members.get(name, actor.get(name) if name == "user_id" else None)
        if isinstance(item, str) and key not in found:
            found[key] = source_text(item)
    api_key = actor.get("api_key_id")
    if isinstance(api_key, str):
        found["account"] = source_text(api_key)
    return tuple(sorted(found.items()))


def _words(members: dict[str, Json], actor: dict[str, Json]) -> tuple[tuple[str, SourceText], ...]:
    found = {name: source_text(item) for name in _WORDS if isinstance(item := members.get(name), str)}
    if isinstance(kind := actor.get("type"), str):
        found["actor"] = source_text(kind)
    return tuple(sorted(found.items()))


def _numbers(members: dict[str, Json]) -> tuple[tuple[str, int], ...]:
    status = members.get("status_code")
    whole = isinstance(status, int) and not isinstance(status, bool) and abs(status) < 1_000  # noqa: PLR2004 - RFC 9110
    return (("status_code", status),) if whole and isinstance(status, int) else ()
