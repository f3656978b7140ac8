"""The reading of an exhibit's raw pages: sessions, records, truncations, coverage (evidence format, section 2).

- Name and version stand in the journal; another version's reading is not rebuilt.
- It is fed in the order of the payload paths: context, local lists, local sessions, remote lists, remote sessions.
- Its memory is flat in the number of messages, and small in the number of sessions.
- It decides and numbers as the plan did, from the same answers (`selecting`, `numbering`).
"""

from collections.abc import Callable, Iterable, Iterator

from agentaudit.adapters.answers import Unreadable, read_object
from agentaudit.adapters.compliance.activities import Feed
from agentaudit.adapters.compliance.coverage import Narrowed, coverage_limits
from agentaudit.adapters.compliance.directory import organization_id, retention_periods
from agentaudit.adapters.compliance.messages import PagePlace, read_message
from agentaudit.adapters.compliance.naming import Place, place_of
from agentaudit.adapters.compliance.outcomes import Ends, session_rows
from agentaudit.adapters.compliance.pages import Page, read_directory_page, read_id_page, read_page
from agentaudit.adapters.compliance.roll import Roll
from agentaudit.adapters.compliance.sessions import read_session, session_id
from agentaudit.adapters.compliance.transcript import Seen
from agentaudit.model.base import Frozen
from agentaudit.model.journal import Answered, Opened, WalkKind
from agentaudit.model.losses import Gap, Truncation
from agentaudit.model.readings import UNREAD, RecordRow, SessionRow, Unread
from agentaudit.model.selection import Family, SessionSelection
from agentaudit.model.storejournal import Kept
from agentaudit.model.stream import EventRow, PayloadFeed, StreamRow
from agentaudit.model.tagfiles import CoverageLimit, WalkRow

VERSION = "compliance/1"

Rows = tuple[tuple[RecordRow, ...], tuple[Truncation, ...]]

_NOTHING: Rows = ((), ())
_OK = 200
_LISTS = ("local_list", "remote_list")
_READ: dict[WalkKind, Callable[[bytes, str | None], Page | Unreadable]] = {
    "organizations": read_directory_page, "users": read_directory_page, "activities": read_id_page,
}  # fmt: skip


class CompliancePageReader:
    """This adapter, as the package knows it."""

    @property
    def name(self) -> str:
        """`compliance/1`."""
        return VERSION

    def open(self, opened: Opened, walks: Iterable[WalkRow]) -> "ComplianceReading":
        """Begin a reading of the exhibit that this row opened; of the walks only the lists' parameters are kept."""
        lists = {walk.walk: walk.parameters for walk in walks if walk.kind in _LISTS}
        return ComplianceReading(opened, lists)


class ComplianceReading:
    """One pass over the pages of one exhibit."""

    def __init__(self, opened: Opened, lists: dict[str, tuple[tuple[str, str], ...]]) -> None:
        """`lists` are the parameters of each list walk by its id."""
        self._begun_at = opened.at
        self._selection = _selection(opened.selection)
        self._lists = lists
        self._roll = Roll(self._selection)
        self._seen = Seen()
        self._cursor: str | Unread | None = None
        self._organizations: dict[str, None] = {}
        self._listed_organizations = False
        self._settings = 0
        self._retention: dict[str, str] = {}
        self._witness = Feed(None)

    def feed(self, row: Answered, body: bytes) -> Rows:
        """The records and truncations of one answer, in the order returned; only transcripts have any."""
        self._cursor = UNREAD
        place = place_of(row.walk)
        if place is None or row.exchange.status != _OK:
            return _NOTHING
        if place.kind in ("local_retrieve", "settings"):
            self._object(place, row, body)
            return _NOTHING
        page = _READ.get(place.kind, read_page)(body, row.content_encoding)
        if isinstance(page, Unreadable):
            return _NOTHING
        self._cursor = page.next_page
        return self._page(place, row, page)

    def payload(self, row: Kept) -> PayloadFeed | None:
        """An API gives no files."""
        del row
        return None

    def events(self) -> Iterator[EventRow]:
        """What the witness says of our own requests, where one was asked."""
        return self._witness.made()

    def clipped(self) -> Iterator[Truncation]:
        """Truncations come with their answers."""
        yield from ()

    def streams(self) -> Iterator[StreamRow]:
        """The witness, where one was asked."""
        return self._witness.rows()

    def next_cursor(self) -> str | Unread | None:
        """Where the answer fed last leads: a token, None when null or absent, `UNREAD` when it was no page."""
        return self._cursor

    def sessions(self, walks: Iterable[WalkRow], gaps: Iterable[Gap]) -> Iterator[SessionRow]:
        """Each session seen, by its key, with its outcome."""
        return session_rows(self._roll, Ends(walks, gaps), list_only=self._selection.list_only)

    def coverage(self) -> tuple[CoverageLimit, ...]:
        """The limits of this source, narrowed to this exhibit, by code."""
        listed = len(self._organizations) if self._listed_organizations else None
        return coverage_limits(
            Narrowed(
                begun_at=self._begun_at,
                families=self._selection.families,
                organizations_seen=self._roll.organizations(),
                organizations_listed=listed,
                settings_obtained=self._settings,
                retention=tuple(sorted(self._retention.items())),
            )
        )

    def _page(self, place: Place, row: Answered, page: Page) -> Rows:
        match place:
            case Place(kind="local_list" | "remote_list", family="local" | "remote" as family):
                self._list_page(family, row, page)
            case Place(
                kind="local_messages" | "remote_messages", family="local" | "remote" as family, session=str(key)
            ):
                return self._messages(PagePlace(key, row.walk, row.page, row.item.path, family, row.limits), page)
            case Place(kind="activities"):
                self._witness.take(row.item.path, page)
            case Place(kind="organizations"):
                self._listed_organizations = page.next_page is None
                found = (organization_id(entry) for entry in page.data)
                self._organizations.update((one, None) for one in found if one is not None)
            case _:
                pass
        return _NOTHING

    def _object(self, place: Place, row: Answered, body: bytes) -> None:
        found = read_object(body, row.content_encoding)
        if isinstance(found, Unreadable):
            return
        self._cursor = None
        if place.session is not None:
            asked = self._roll.identifier(place.session)
            source = read_session(found, row.item.path, "", self._roll.share, asked=asked)
            self._roll.transcript(place.session).retrieved = source
            return
        self._settings += 1
        for name, period in retention_periods(found):
            self._retention[f"o{place.number:04d}.{name}"] = period

    def _list_page(self, family: Family, row: Answered, page: Page) -> None:
        parameters = self._lists.get(row.walk, ())
        for index, entry in enumerate(page.data):
            identifier = session_id(entry)
            source = read_session(entry, row.item.path, self._roll.share(f"/data/{index}"), self._roll.share)
            if identifier is not None and source is not None:
                self._roll.see(family, identifier, source, parameters)

    def _messages(self, at: PagePlace, page: Page) -> Rows:
        if self._seen.session != at.session:
            self._seen = Seen(at.session)
        transcript = self._roll.transcript(at.session)
        asked = self._roll.identifier(at.session)
        transcript.page(read_session(page.session, at.item, "/session", self._roll.share, asked=asked))
        records: list[RecordRow] = []
        clipped: list[Truncation] = []
        for index, message in enumerate(page.data):
            record, truncations = read_message(message, at, index, repeated=self._seen.is_repeated(message))
            transcript.message(record, truncations)
            records.append(record)
            clipped.extend(truncations)
        return tuple(records), tuple(clipped)


def _selection(selection: Frozen) -> SessionSelection:
    """The selection of the exhibit; one of another source names no session of this one."""
    return selection if isinstance(selection, SessionSelection) else SessionSelection(families=())
