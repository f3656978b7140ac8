"""Chats as streams, their messages as events: ids, times, roles and sizes alone (compliance reference, section 7.1).

- Names, texts, addresses, tool input and output are content: they stay in the page.
- Roles and block types are open lists; an unknown block is counted and marked, its word is not repeated.
"""

from collections.abc import Iterable, Iterator

from agentaudit.adapters.answers import Unreadable
from agentaudit.adapters.compliance.chatfacts import ChatNumbers
from agentaudit.adapters.compliance.chatstream import ChatStream
from agentaudit.adapters.compliance.naming import place_of
from agentaudit.adapters.compliance.pages import Page, read_chat_page, read_id_page
from agentaudit.model.journal import Answered, Opened
from agentaudit.model.losses import Gap, Truncation
from agentaudit.model.readings import UNREAD, RecordRow, Unread
from agentaudit.model.selection import ChatSelection
from agentaudit.model.sessionrow import AnySession
from agentaudit.model.storejournal import Kept
from agentaudit.model.stream import EventRow, PayloadFeed, Place, StreamRow
from agentaudit.model.tagfiles import CoverageLimit, WalkRow

VERSION = "compliance-chats/1"

_OK = 200
_COVERAGE = (
    ("chats.deleted", "A chat that its user deleted stays listed, without its name, its content and its files."),
    ("chats.files", "Files, generated files and artifacts are counted where a message names them; none is asked for."),
    ("chats.projects", "Projects, their instructions, attachments, documents and collaborators are not asked for."),
    ("chats.thinking", "Thinking is not given; a mark on a text says at most that there was some."),
)


class ChatReader:
    """The adapter of an exhibit of chats."""

    @property
    def name(self) -> str:
        """The name as it stands in the journal."""
        return VERSION

    def open(self, opened: Opened, walks: Iterable[WalkRow]) -> "ChatReading":
        """Begin a reading."""
        del walks
        return ChatReading(opened.selection.chats if isinstance(opened.selection, ChatSelection) else ())


class ChatReading:
    """One pass over the pages of a list and of its chats; what it holds of a chat does not grow with its text."""

    def __init__(self, named: tuple[str, ...]) -> None:
        """Nothing was fed yet; `named` are the chats that were asked for by id."""
        self._numbers = ChatNumbers(named)
        self._streams: dict[int, ChatStream] = {}
        self._cursor: str | Unread | None = None
        self._made: list[EventRow] = []

    def feed(self, row: Answered, body: bytes) -> tuple[tuple[RecordRow, ...], tuple[Truncation, ...]]:
        """Take one page; messages are events, not records."""
        self._cursor = UNREAD
        place = place_of(row.walk)
        if place is not None and row.exchange.status == _OK:
            listed = place.kind == "chats"
            page = (read_id_page if listed else read_chat_page)(body, row.content_encoding)
            if not isinstance(page, Unreadable):
                self._cursor = page.next_page
                if listed:
                    self._list(page, row.item.path)
                else:
                    self._made += self._stream(place.number).take(page, row.item.path)
        return (), ()

    def _list(self, page: Page, item: str) -> None:
        for index, entry in enumerate(page.data):
            identifier = self._numbers.see(entry)
            if identifier is not None:
                self._stream(self._numbers.number(identifier)).listed(entry, Place(item=item, pointer=f"/data/{index}"))

    def _stream(self, number: int) -> ChatStream:
        ids = self._numbers.ids()
        name = ids[number - 1] if number <= len(ids) else None
        return self._streams.setdefault(number, ChatStream(number, name))

    def next_cursor(self) -> str | Unread | None:
        """Where the answer fed last leads."""
        return self._cursor

    def payload(self, row: Kept) -> PayloadFeed | None:
        """An API gives no files."""
        del row
        return None

    def events(self) -> Iterator[EventRow]:
        """The messages of the page fed last."""
        made, self._made = self._made, []
        yield from made

    def clipped(self) -> Iterator[Truncation]:
        """No limit of characters is set, so nothing is shortened."""
        yield from ()

    def streams(self) -> Iterator[StreamRow]:
        """Each chat, by its number."""
        for _, stream in sorted(self._streams.items()):
            yield stream.row()

    def sessions(self, walks: Iterable[WalkRow], gaps: Iterable[Gap]) -> Iterator[AnySession]:
        """A chat is a stream, not a session."""
        del walks, gaps
        yield from ()

    def coverage(self) -> tuple[CoverageLimit, ...]:
        """What chats can never show, and what this collection does not ask for."""
        return tuple(CoverageLimit(code=code, statement=statement) for code, statement in _COVERAGE)
