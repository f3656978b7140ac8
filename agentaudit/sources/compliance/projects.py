"""One project: its detail, what is attached to it, who may work in it (compliance reference, section 7.2).

- A project that is not found is one loss: its parts are not asked for. One that its user deleted says so itself.
- Only the detail's refusal is the project's; a list of its parts that fails is a loss of its own.
- An attachment of a type that the documents do not name cannot be asked for, and is a loss.
"""

from agentaudit.adapters.compliance.chatfacts import is_deleted
from agentaudit.adapters.compliance.named import Named, attachment_of
from agentaudit.adapters.compliance.naming import project_walk
from agentaudit.adapters.compliance.pages import Page, read_directory_page
from agentaudit.model.walk import Ended, Learned, Task
from agentaudit.sources.compliance.chatrequests import project_request
from agentaudit.sources.compliance.gaps import Where, is_over, lost_gap, ruled_gap, stated_gap, when_gone
from agentaudit.sources.compliance.trail import Trail
from agentaudit.sources.compliance.walking import ask_object, page_through, why_gap


def read_project(named: Named, number: int, identifier: str, *, with_files: bool) -> Task:
    """All of one project; `named` is told its attachments. Without `with_files` its files are an exclusion."""
    about = project_walk(number, "about")
    told = yield from ask_object(Trail(about, "project", project_request(identifier, "about")))
    gone = when_gone(told.why, "project_not_found")
    learned: tuple[Learned, ...] = (*told.learned, *why_gap(told.why, Where(about, page=1), code=gone))
    if is_over(told.why):
        return Ended(learned)
    if is_deleted(told.found):
        learned = (*learned, stated_gap("content_unavailable", Where(about)))
    walk = project_walk(number, "attachments")
    left_out = 0

    def take(page_number: int, page: Page, _item: str) -> tuple[Learned, ...]:
        nonlocal left_out
        lost: list[Learned] = []
        for index, entry in enumerate(page.data):
            found = attachment_of(entry)
            if found is None or found.id is None:
                lost.append(lost_gap("unreadable_answer", Where(walk, page=page_number, index=index), "field"))
                continue
            named.attachment(number, found)
            left_out += found.thing == "file" and not with_files
        return tuple(lost)

    trail = Trail(walk, "attachments", project_request(identifier, "attachments"), read=read_directory_page)
    over = yield from page_through(trail, take, learned)
    excluded = (ruled_gap("category_excluded", walk, left_out),) if left_out else ()
    learned = (*over.learned, *over.gaps(Where(walk, page=over.page)), *excluded)
    walk_of_people = project_walk(number, "collaborators")
    people = Trail(
        walk_of_people, "collaborators", project_request(identifier, "collaborators"), read=read_directory_page
    )
    over = yield from page_through(people, lambda _page, _found, _item: (), learned)
    return Ended((*over.learned, *over.gaps(Where(walk_of_people, page=over.page))))
