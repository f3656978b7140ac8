"""Chats and what lies beside them as streams, without their content (compliance reference, sections 7.1 and 7.2).

- Names, texts, addresses, tool input and output are content: they stay in the answers.
- Roles and block types are open lists; an unknown block is counted and marked, its word is not repeated.
- Answers come in the order of their paths: what names a thing comes before the thing.
"""

from collections.abc import Iterable, Iterator

from agentaudit.adapters.answers import Unreadable
from agentaudit.adapters.compliance.besides import Besides
from agentaudit.adapters.compliance.chatclips import chat_clips
from agentaudit.adapters.compliance.chatcoverage import chat_coverage
from agentaudit.adapters.compliance.chatfacts import ChatNumbers
from agentaudit.adapters.compliance.chatstream import ChatStream
from agentaudit.adapters.compliance.named import Named, mentions
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


class ChatReader:
    """The adapter of an exhibit of chats."""

    @property
    def name(self) -> str:
        """The name as it stands in the journal."""
        return VERSION

    def open(self, opened: Opened, walks: Iterable[WalkRow]) -> "ChatReading":
        """Begin a reading."""
        del walks
        return ChatReading(opened.selection if isinstance(opened.selection, ChatSelection) else ChatSelection())


class ChatReading:
    """One pass over all answers; what it holds of a chat, a project or a thing does not grow with their text."""

    def __init__(self, selection: ChatSelection) -> None:
        """Nothing was fed yet; `selection` is what was asked for."""
        self._selection = selection
        self._numbers = ChatNumbers(selection.chats)
        self._named = Named()
        self._besides = Besides(self._named, selection.window)
        self._streams: dict[int, ChatStream] = {}
        self._cursor: str | Unread | None = None
        self._made: list[EventRow] = []
        self._clips: list[Truncation] = []

    def feed(self, row: Answered, body: bytes) -> tuple[tuple[RecordRow, ...], tuple[Truncation, ...]]:
        """Take one answer; messages are events, not records."""
        self._cursor = UNREAD
        place = place_of(row.walk)
        if place is None or row.exchange.status != _OK:
            return (), ()
        if place.kind not in ("chats", "chat_messages"):
            self._cursor = self._besides.feed(place, row, body)
            self._made += self._besides.events()
            return (), ()
        page = (read_id_page if place.kind == "chats" else read_chat_page)(body, row.content_encoding)
        if not isinstance(page, Unreadable):
            self._cursor = page.next_page
            if place.kind == "chats":
                self._list(page, row.item.path)
            else:
                self._messages(place.number, page, row)
        return (), ()

    def _list(self, page: Page, item: str) -> None:
        for index, entry in enumerate(page.data):
            identifier = self._numbers.see(entry)
            if identifier is not None:
                number = self._numbers.number(identifier)
                self._named.chat(number, entry)
                self._stream(number).listed(entry, Place(item=item, pointer=f"/data/{index}"))

    def _messages(self, number: int, page: Page, row: Answered) -> None:
        self._named.chat(number, page.session)
        for message in page.data:
            self._named.message(number, mentions(message))
        self._made += self._stream(number).take(page, row.item.path)
        self._clips += chat_clips(row, page, f"chat/{number:06d}")

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
        """Messages of the page fed last, and what they name; code artifacts; a project's attachments, collaborators."""
        made, self._made = self._made, []
        yield from made

    def clipped(self) -> Iterator[Truncation]:
        """What the page fed last says is shortened, although no limit was set."""
        clips, self._clips = self._clips, []
        yield from clips

    def streams(self) -> Iterator[StreamRow]:
        """Chats, code artifacts, projects and stored things, by their keys."""
        chats = (self._streams[number].row() for number in sorted(self._streams))
        yield from sorted((*chats, *self._besides.rows()), key=lambda one: one.stream)

    def sessions(self, walks: Iterable[WalkRow], gaps: Iterable[Gap]) -> Iterator[AnySession]:
        """A chat is a stream, not a session; what the gaps say of projects and things is told with those."""
        del walks
        self._besides.lose(gaps)
        yield from ()

    def coverage(self) -> tuple[CoverageLimit, ...]:
        """What chats can never show, and what this collection does not ask for."""
        return chat_coverage(self._selection)
