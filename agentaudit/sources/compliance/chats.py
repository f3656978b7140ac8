"""Chats: the list, the messages of each chat, then what the selection asks for beside them.

- Chats asked for by id are not listed: other chats are nobody's business then.
- A chat that its user deleted stays listed and comes without content: that is stated (section 7.1).
- What messages name and the selection does not ask for is an exclusion with its number: nothing is silently missing.
- Code artifacts are listed beside chats that are listed; nothing names them, and there is no way to their content.
- Projects come after all chats, stored things after all projects: then their numbers no longer depend on which walks
  were under way at once.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from agentaudit.adapters.compliance.chatfacts import ChatNumbers, is_deleted
from agentaudit.adapters.compliance.named import Named, mentions
from agentaudit.adapters.compliance.naming import CHATS_WALK, CODE_WALK, PROJECTS_WALK, Thing, chat_walk
from agentaudit.adapters.compliance.pages import Page, read_chat_page, read_directory_page, read_id_page
from agentaudit.model.selection import ChatSelection
from agentaudit.model.walk import Ended, Learned, Stage, Task
from agentaudit.sources.compliance.chatrequests import (
    chat_messages_request,
    chats_request,
    code_artifacts_request,
    projects_request,
)
from agentaudit.sources.compliance.gaps import Where, lost_gap, ruled_gap, stated_gap
from agentaudit.sources.compliance.projects import read_project
from agentaudit.sources.compliance.stored import read_thing
from agentaudit.sources.compliance.trail import Trail
from agentaudit.sources.compliance.walking import page_through


def asked_things(selection: ChatSelection) -> frozenset[Thing]:
    """Which kinds of stored things a selection asks for."""
    things: list[Thing] = [
        *(("artifact",) if selection.with_artifacts else ()),
        *(("file", "generated") if selection.with_files else ()),
        *(("document",) if selection.with_projects != "none" else ()),
    ]
    return frozenset(things)


class ChatPlan:
    """The plan of a collection of chats: it keeps the ids that its pages gave, in their order."""

    def __init__(self, selection: ChatSelection) -> None:
        """Nothing is asked before the first stage is drawn."""
        self._selection = selection
        self._things = asked_things(selection)
        self._numbers = ChatNumbers(selection.chats)
        self._named = Named()
        self._deleted: set[str] = set()

    def stages(self) -> Iterable[Stage]:
        """The list, unless chats were named; the messages; code artifacts; the projects; what is stored."""
        if not self._selection.chats:
            yield Stage("chats", (self._list(),))
        yield Stage("messages", _Series(self._numbers.ids(), self.messages))
        if self._selection.with_code_artifacts:
            yield Stage("code artifacts", (self._list_code(),))
        if self._selection.with_projects == "listed":
            yield Stage("projects", (self._list_projects(),))
        if self._selection.with_projects != "none":
            read = partial(read_project, self._named, with_files="file" in self._things)
            yield Stage("projects", _Series(self._named.projects(), read))
        for thing in sorted(self._things):
            ids = tuple(identifier for identifier, _ in self._named.things(thing))
            yield Stage(
                f"{thing}s" if thing != "generated" else "generated files", _Series(ids, partial(read_thing, thing))
            )

    def messages(self, number: int, identifier: str) -> Task:
        """The messages of one chat."""
        walk = chat_walk(number)
        deleted, left_out = identifier in self._deleted, 0

        def take(page_number: int, page: Page, _item: str) -> tuple[Learned, ...]:
            nonlocal deleted, left_out
            deleted = deleted or is_deleted(page.session)
            self._named.chat(number, page.session)
            lost: list[Learned] = []
            for index, message in enumerate(page.data):
                found = tuple(mentions(message))
                self._named.message(number, found)
                asked = tuple(one for one in found if one.thing in self._things)
                left_out += len(found) - len(asked)
                if any(one.id is None for one in asked):
                    lost.append(lost_gap("unreadable_answer", Where(walk, page=page_number, index=index), "field"))
            return tuple(lost)

        trail = Trail(
            walk, "chat_messages", chat_messages_request(identifier), read=read_chat_page, cursor_name="after_id"
        )
        over = yield from page_through(trail, take)
        gone = (stated_gap("content_unavailable", Where(walk)),) if deleted else ()
        excluded = (ruled_gap("category_excluded", walk, left_out),) if left_out else ()
        return Ended((*over.learned, *over.gaps(Where(walk, page=over.page)), *gone, *excluded))

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
                continue
            self._named.chat(self._numbers.number(identifier), entry)
            if is_deleted(entry):
                self._deleted.add(identifier)
        return tuple(lost)

    def _list_code(self) -> Task:
        trail = Trail(CODE_WALK, "code_artifacts", code_artifacts_request(self._selection), read=read_directory_page)
        over = yield from page_through(trail, lambda _page, _found, _item: ())
        return Ended((*over.learned, *over.gaps(Where(CODE_WALK, page=over.page))))

    def _list_projects(self) -> Task:
        trail = Trail(PROJECTS_WALK, "projects", projects_request(self._selection), read=read_directory_page)
        over = yield from page_through(trail, self._see_projects)
        return Ended((*over.learned, *over.gaps(Where(PROJECTS_WALK, page=over.page))))

    def _see_projects(self, number: int, page: Page, _item: str) -> tuple[Learned, ...]:
        return tuple(
            lost_gap("unreadable_answer", Where(PROJECTS_WALK, page=number, index=index), "field")
            for index, entry in enumerate(page.data)
            if not self._named.listed(entry)
        )


class _Series:
    """A stage of one task for each id, in the order of their numbers: a task is made when it is drawn."""

    def __init__(self, ids: tuple[str, ...], task: Callable[[int, str], Task]) -> None:
        self._ids = ids
        self._task = task

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[Task]:
        return (self._task(number, identifier) for number, identifier in enumerate(self._ids, 1))
