"""Chats: one list walk, then the messages of each chat in the order of the list.

- Chats asked for by id are not listed: other chats are nobody's business then.
- A chat that its user deleted stays listed and comes without content: that is stated (section 7.1).
- Files that messages name are not asked for: their number is an exclusion, so that nothing is silently missing.
"""

from collections.abc import Iterable, Iterator

from agentaudit.adapters.compliance.chatfacts import ChatNumbers, attached, is_deleted
from agentaudit.adapters.compliance.naming import CHATS_WALK, chat_walk
from agentaudit.adapters.compliance.pages import Page, read_chat_page, read_id_page
from agentaudit.model.selection import ChatSelection
from agentaudit.model.walk import Ended, Learned, Stage, Task
from agentaudit.sources.compliance.gaps import Where, lost_gap, ruled_gap, stated_gap
from agentaudit.sources.compliance.requests import chat_messages_request, chats_request
from agentaudit.sources.compliance.trail import Trail
from agentaudit.sources.compliance.walking import page_through


class ChatPlan:
    """The plan of a collection of chats: it keeps the ids that its list gave, in their order."""

    def __init__(self, selection: ChatSelection) -> None:
        """Nothing is asked before the first stage is drawn."""
        self._selection = selection
        self._numbers = ChatNumbers(selection.chats)
        self._deleted: set[str] = set()

    def stages(self) -> Iterable[Stage]:
        """The list, unless chats were named; then the messages."""
        if not self._selection.chats:
            yield Stage("chats", (self._list(),))
        yield Stage("messages", ChatSeries(self, self._numbers.ids()))

    def messages(self, number: int, identifier: str) -> Task:
        """The messages of one chat."""
        walk = chat_walk(number)
        deleted, files = identifier in self._deleted, 0

        def take(_number: int, page: Page, _item: str) -> tuple[Learned, ...]:
            nonlocal deleted, files
            deleted = deleted or is_deleted(page.session)
            files += sum(sum(attached(message).values()) for message in page.data)
            return ()

        trail = Trail(
            walk, "chat_messages", chat_messages_request(identifier), read=read_chat_page, cursor_name="after_id"
        )
        over = yield from page_through(trail, take)
        gone = (stated_gap("content_unavailable", Where(walk)),) if deleted else ()
        left_out = (ruled_gap("category_excluded", walk, files),) if files else ()
        return Ended((*over.learned, *over.gaps(Where(walk, page=over.page)), *gone, *left_out))

    def _list(self) -> Task:
        trail = Trail(CHATS_WALK, "chats", chats_request(self._selection), read=read_id_page, cursor_name="after_id")
        over = yield from page_through(trail, self._see)
        return Ended((*over.learned, *over.gaps(Where(CHATS_WALK, page=over.page))))

    def _see(self, number: int, page: Page, _item: str) -> tuple[Learned, ...]:
        lost: list[Learned] = []
        for index, entry in enumerate(page.data):
            identifier = self._numbers.see(entry)
            if identifier is None:
                lost.append(lost_gap("unreadable_answer", Where(CHATS_WALK, page=number, index=index), "field"))
            elif is_deleted(entry):
                self._deleted.add(identifier)
        return tuple(lost)


class ChatSeries:
    """The stage of the messages: its length is known, a task is made when it is drawn."""

    def __init__(self, plan: ChatPlan, chats: tuple[str, ...]) -> None:
        """Fix the chats, in the order of their numbers."""
        self._plan = plan
        self._chats = chats

    def __len__(self) -> int:
        """How many chats there are."""
        return len(self._chats)

    def __iter__(self) -> Iterator[Task]:
        """Each task."""
        return (self._plan.messages(number, identifier) for number, identifier in enumerate(self._chats, 1))
