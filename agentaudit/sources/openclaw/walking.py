"""One walk over the Gateway's command to its end: what is asked next, told what was printed; no process and no file.

- Only a document without a further cursor ends a walk. A cursor that came before ends it as a gap: it would go round.
- A cursor that the Gateway no longer takes is recorded, and the walk begins anew without one, a few times at most.
- A call that fails is made once more; then the walk ends.
- A cursor is handed back as it was said, in one argument with its option, so that it is never an option itself.
"""

import re
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from agentaudit.adapters.openclaw.documents import Document, Explained, Failed, Page
from agentaudit.adapters.openclaw.events import text_of
from agentaudit.adapters.openclaw.livenote import LiveWalk, WalkEnd, WalkName
from agentaudit.model.text import source_text

PAGES_MAX: Final = 2_000
RESTARTS_MAX: Final = 2
PAGE_EVENTS: Final = "500"
PAGE_DECISIONS: Final = "50"

_ASKABLE: Final = re.compile(r"[!-~]{1,512}\Z")

Walk: TypeAlias = Generator[tuple[str, ...], Document, LiveWalk]


def events_walk(kind: str | None = None) -> Walk:
    """All events that an unfiltered question gives, or those of one kind that it hides."""
    name: WalkName = "events" if kind is None else "skill_selection"
    words = ("audit", "--json", f"--limit={PAGE_EVENTS}", *(() if kind is None else (f"--kind={kind}",)))
    return _walk(_Asked(name, None, words, _page_cursors))


def explanation_walk(option: str, subject: str) -> Walk:
    """The explanation of a run (`run`) or of an execution (`execution`), with all its decisions and candidates."""
    words = ("audit", "--explain", "--json", f"--{option}={subject}", f"--limit={PAGE_DECISIONS}")
    return _walk(_Asked("explanation", subject, words, _explanation_cursors))


def runs_of(document: Document) -> tuple[str, ...]:
    """The runs that the events of a page name, in their order."""
    if not isinstance(document, Page):
        return ()
    said = (text_of(event, "runId") for _, event in document.events)
    return tuple(dict.fromkeys(run for run in said if run is not None))


def candidates_of(document: Document) -> tuple[str, ...]:
    """The executions of a run that is ambiguous: only the Gateway says which they are."""
    if not isinstance(document, Explained):
        return ()
    identity = document.document.get("identity")
    candidates = identity.get("candidates") if isinstance(identity, dict) else None
    held = candidates if isinstance(candidates, list) else []
    said = (text_of(one, "executionId") for one in held if isinstance(one, dict))
    return tuple(dict.fromkeys(execution for execution in said if execution is not None))


def is_askable(word: str) -> bool:
    """Whether a word of the source can be an argument: visible ASCII, and not without bound."""
    return _ASKABLE.match(word) is not None


@dataclass(frozen=True, slots=True)
class _Asked:
    """A walk as it is asked for; `leads` gives the cursors of a document of its own, None for another one."""

    name: WalkName
    subject: str | None
    words: tuple[str, ...]
    leads: Callable[[Document], tuple[str, ...] | None]


@dataclass(slots=True)
class _Course:
    """Where a walk stands; `left` are cursors that were not asked yet, None for the beginning."""

    left: list[str | None] = field(default_factory=lambda: [None])
    used: set[str] = field(default_factory=set)
    retired: list[str] = field(default_factory=list)
    pages: int = 0
    again: bool = True

    def begin_anew(self, cursor: str) -> None:
        """The Gateway no longer takes this cursor."""
        self.retired.append(cursor)
        self.used.clear()
        self.left = [None]

    def follow(self, cursors: tuple[str, ...]) -> WalkEnd | None:
        """Go where the document leads; why the walk ends where it may not go there."""
        self.pages += 1
        self.again = True
        if not all(map(is_askable, cursors)):
            return "cursor_odd"
        if not self.used.isdisjoint(cursors):
            return "cursor_repeated"
        self.used.update(cursors)
        self.left += cursors
        return "page_cap" if self.left and self.pages >= PAGES_MAX else None


def _walk(asked: _Asked) -> Walk:
    course = _Course()
    while course.left:
        cursor = course.left.pop(0)
        document = yield (*asked.words, *(() if cursor is None else (f"--cursor={cursor}",)))
        cursors = asked.leads(document)
        if cursors is not None:
            end = course.follow(cursors)
            if end is not None:
                return _ended(asked, course, end)
        elif cursor is not None and _is_retired(document) and len(course.retired) < RESTARTS_MAX:
            course.begin_anew(cursor)
        elif course.again:
            course.again = False
            course.left.insert(0, cursor)
        else:
            return _ended(asked, course, "failed")
    return _ended(asked, course, "exhausted")


def _ended(asked: _Asked, course: _Course, end: WalkEnd) -> LiveWalk:
    return LiveWalk(
        walk=asked.name,
        subject=None if asked.subject is None else source_text(asked.subject),
        ended=end,
        pages=course.pages,
        retired=tuple(map(source_text, course.retired)),
    )


def _is_retired(document: Document) -> bool:
    return isinstance(document, Failed) and document.retired


def _page_cursors(document: Document) -> tuple[str, ...] | None:
    if not isinstance(document, Page):
        return None
    return () if document.cursor is None else (document.cursor,)


def _explanation_cursors(document: Document) -> tuple[str, ...] | None:
    if not isinstance(document, Explained):
        return None
    said = (text_of(document.document, name) for name in ("nextDecisionCursor", "nextExecutionCursor"))
    return tuple(dict.fromkeys(cursor for cursor in said if cursor is not None))
