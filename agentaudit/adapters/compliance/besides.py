"""What is read beside chats: code artifacts, projects with their parts, and stored things with their bytes.

- A thing that was named and asked for is a stream even when nothing of it came: the gaps say why.
"""

from collections.abc import Iterable, Iterator

from agentaudit.adapters.answers import Unreadable, read_object
from agentaudit.adapters.compliance.chatfacts import chat_id
from agentaudit.adapters.compliance.codestream import CodeStream
from agentaudit.adapters.compliance.named import Named, attachment_of
from agentaudit.adapters.compliance.naming import Part, Thing, place_of
from agentaudit.adapters.compliance.naming import Place as WalkPlace
from agentaudit.adapters.compliance.pages import Page, read_directory_page
from agentaudit.adapters.compliance.projectstream import ProjectStream
from agentaudit.adapters.compliance.thingstream import ThingStream
from agentaudit.model.base import Unset
from agentaudit.model.journal import Answered
from agentaudit.model.losses import Gap
from agentaudit.model.readings import UNREAD, Unread
from agentaudit.model.selection import Window
from agentaudit.model.stream import EventRow, Place, StreamRow


class Besides:
    """The projects and the things of one exhibit, as they are fed; `named` is told what projects name."""

    def __init__(self, named: Named, window: Window | None) -> None:
        """Nothing was fed yet; `window` is that of the selection."""
        self._named = named
        self._code = CodeStream(window)
        self._projects: dict[int, ProjectStream] = {}
        self._things: dict[tuple[Thing, int], ThingStream] = {}
        self._made: list[EventRow] = []
        self._ids: tuple[str, ...] | None = None
        self._known: dict[Thing, tuple[tuple[str, str], ...]] = {}

    def feed(self, place: WalkPlace, row: Answered, body: bytes) -> str | Unread | None:
        """Take one answer; where it leads."""
        if place.thing is not None and place.part == "content":
            self._thing(place.thing, place.number).content(row, body)
            return None
        if place.part == "about":
            found = read_object(body, row.content_encoding)
            if isinstance(found, Unreadable):
                return UNREAD
            of = self._project(place.number) if place.thing is None else self._thing(place.thing, place.number)
            of.about(found, row.item.path)
            return None
        page = read_directory_page(body, row.content_encoding)
        if isinstance(page, Unreadable):
            return UNREAD
        if place.kind == "code_artifacts":
            self._made += self._code.take(page, row.item.path)
        elif place.part is None:
            self._list(page, row.item.path)
        else:
            self._parts(place.number, place.part, page, row.item.path)
        return page.next_page

    def events(self) -> Iterator[EventRow]:
        """The events of the answer fed last."""
        made, self._made = self._made, []
        yield from made

    def lose(self, gaps: Iterable[Gap]) -> None:
        """Take what the gaps say of projects and things."""
        for gap in gaps:
            place = None if isinstance(gap.walk, Unset) else place_of(gap.walk)
            if place is None or place.part is None or gap.kind == "excluded" or not isinstance(gap.index, Unset):
                continue
            of = self._project(place.number) if place.thing is None else self._thing(place.thing, place.number)
            of.lost(place.part, gap.code)

    def rows(self) -> Iterator[StreamRow]:
        """The code artifacts, then each project and each thing that anything came of, or that a gap speaks of."""
        yield from self._code.rows()
        yield from (stream.row() for stream in self._projects.values())
        yield from (stream.row() for stream in self._things.values())

    def _list(self, page: Page, item: str) -> None:
        known = [self._named.listed(entry) for entry in page.data]
        self._ids = self._named.projects()
        numbers = {identifier: number for number, identifier in enumerate(self._ids, 1)}
        for index, entry in enumerate(page.data):
            if known[index]:
                number = numbers[chat_id(entry) or ""]
                self._project(number).listed(entry, Place(item=item, pointer=f"/data/{index}"))

    def _parts(self, number: int, part: Part, page: Page, item: str) -> None:
        if part == "attachments":
            for entry in page.data:
                mention = attachment_of(entry)
                if mention is not None:
                    self._named.attachment(number, mention)
        self._made += self._project(number).take(part, page, item)

    def _project(self, number: int) -> ProjectStream:
        # Every chat was fed by now, and the list of projects too: answers come in the order of their paths.
        self._ids = self._named.projects() if self._ids is None else self._ids
        name = self._ids[number - 1] if number <= len(self._ids) else None
        return self._projects.setdefault(number, ProjectStream(number, name))

    def _thing(self, thing: Thing, number: int) -> ThingStream:
        if thing not in self._known:
            self._known[thing] = self._named.things(thing)
        ids = self._known[thing]
        name, within = ids[number - 1] if number <= len(ids) else (None, None)
        return self._things.setdefault((thing, number), ThingStream(thing, number, name, within))
