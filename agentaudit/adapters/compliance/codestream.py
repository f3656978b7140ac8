"""The list of code artifacts: an event for each entry, by ids and the time of its update alone (section 7.2).

- Titles, addresses and whatever else an entry says are content: they stay in the page.
- What an entry holds is not documented: ids and times are read under the names that they have in the other lists.
- Pages may come short or empty in the middle; both are counted, and neither ends the list.
- The list is sorted by id, so the times of its entries are in no order.
"""

from collections.abc import Iterator

from agentaudit.adapters.compliance.chatfacts import chat_id
from agentaudit.adapters.compliance.findings import Findings
from agentaudit.adapters.compliance.pages import Page
from agentaudit.adapters.compliance.windows import is_outside
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.base import UNSET
from agentaudit.model.selection import Window
from agentaudit.model.stream import EventRow, KeyName, Place, StreamRow, Word
from agentaudit.model.text import SourceText, source_text

STREAM = "code/000001"
KIND = "code_artifact"

_ORGANIZATIONS = ("organization_uuid", "organization_id")


class CodeStream:
    """The list as it is fed; it holds the ids of its entries, for what comes twice."""

    def __init__(self, window: Window | None) -> None:
        """Nothing was fed yet; `window` bounds the update of what was asked for."""
        self._window = window
        self._ids: set[str] = set()
        self._events = 0
        self._pages = 0
        self._empty = 0
        self._findings = Findings()

    def take(self, page: Page, item: str) -> Iterator[EventRow]:
        """Take one page: an event for each entry, in the order returned."""
        self._pages += 1
        self._empty += not page.data and page.next_page is not None
        for index, entry in enumerate(page.data):
            place = Place(item=item, pointer=f"/data/{index}")
            members = mapping(entry)
            if members is None:
                self._findings.add("not_an_object", place)
            else:
                self._events += 1
                yield self._event(members, place)

    def rows(self) -> Iterator[StreamRow]:
        """The one stream; none where no page came."""
        if not self._pages:
            return
        counted = (("empty_pages", self._empty), ("pages", self._pages))
        yield StreamRow(
            stream=STREAM,
            kind="feed",
            events=self._events,
            kinds=((KIND, self._events),) if self._events else (),
            counts=tuple((name, count) for name, count in counted if count),
            findings=self._findings.rows(),
        )

    def _event(self, members: dict[str, Json], place: Place) -> EventRow:
        identifier, at = chat_id(members), members.get("updated_at")
        updated: Word = source_text(at) if isinstance(at, str) else UNSET
        return EventRow(
            stream=STREAM,
            kind=KIND,
            place=place,
            id=UNSET if identifier is None else source_text(identifier),
            at=updated,
            keys=_keys(identifier, members),
            marks=tuple(sorted((*self._known(identifier, place), *self._timed(at, place)))),
        )

    def _known(self, identifier: str | None, place: Place) -> Iterator[str]:
        if identifier is None:
            self._findings.add("no_id", place)
        elif identifier in self._ids:
            self._findings.add("repeated", place)
            yield "repeated"
        else:
            self._ids.add(identifier)

    def _timed(self, at: Json, place: Place) -> Iterator[str]:
        if not isinstance(at, str):
            self._findings.add("no_time", place)
        elif is_outside(at, self._window):
            self._findings.add("outside_window", place)
            yield "outside_window"


def _keys(identifier: str | None, members: dict[str, Json]) -> tuple[tuple[KeyName, SourceText], ...]:
    organizations = (members.get(name) for name in _ORGANIZATIONS)
    organization = next((name for name in organizations if isinstance(name, str)), None)
    user = (mapping(members.get("user")) or {}).get("id", members.get("user_id"))
    found: tuple[tuple[KeyName, Json], ...] = (
        ("artifact", identifier), ("organization", organization), ("user", user),
    )  # fmt: skip
    return tuple((key, source_text(name)) for key, name in found if isinstance(name, str))
