"""One session: its retrieve call (local only), then its transcript, page by page.

- A transcript whose token is older than 24 hours begins anew, at most three times, and is reconciled by
  identifier: what was noted of a message is not noted again (trap 7).
- The placeholder for what retention took has a new identifier each time: it is noted once (trap 8).
- Pages read are kept, whatever ends the walk (trap 12). A 404 of one session is its gap and no more (trap 9).
"""

from collections.abc import Generator
from dataclasses import dataclass, replace

from agentaudit.adapters.answers import Unreadable, read_object
from agentaudit.adapters.compliance.naming import messages_walk, session_walk
from agentaudit.adapters.compliance.sessions import read_session
from agentaudit.model.journal import WalkKind
from agentaudit.model.limits import ByteLimits
from agentaudit.model.readings import SessionSource
from agentaudit.model.selection import Family
from agentaudit.model.walk import Ask, Ended, Kept, Learned, Missed, Task
from agentaudit.sources.compliance.gaps import Where, end_of, ruled_gap
from agentaudit.sources.compliance.requests import messages_request, session_request
from agentaudit.sources.compliance.stated import Stated
from agentaudit.sources.compliance.trail import CURSOR_LIFETIME, Trail
from agentaudit.sources.compliance.walking import Read, ask_twice, page_through, why_gap

RESTARTS_MAX = 3

_KINDS: dict[Family, WalkKind] = {"local": "local_messages", "remote": "remote_messages"}


@dataclass(frozen=True, slots=True)
class Target:
    """One session to be asked for, and what is known of it.

    `listed` and `retrieved` say what was done in this run, `pending` and `truncated` what the session's own words
    said there.
    """

    family: Family
    key: str
    id: str
    organization: str | None = None
    listed: bool = True
    pending: bool = False
    truncated: bool = False
    retrieved: bool = False


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a retrieve call came to: the session's words, or why there are none; `learned` has still to travel.

    Both are None where the answer names another session.
    """

    source: SessionSource | None
    why: Missed | Unreadable | None
    learned: tuple[Learned, ...]


def retrieve_session(target: Target) -> Generator[Ask, Kept | Missed, Retrieved]:
    """The retrieve call of a local session (section 2.2)."""
    walk = session_walk(target.family, target.key)
    trail = Trail(walk, "local_retrieve", session_request(target.id), target.key, organization=target.organization)
    answer = yield from ask_twice(trail.ask(1, None, None, (trail.began(),)), read_object)
    if isinstance(answer, Read):
        over = trail.ended("exhausted", 1, 0)
        other = Stated(target.key, target.id).other(Where(walk, target.key, page=1), answer.found)
        source = None if other else read_session(answer.found, answer.kept.item, "")
        return Retrieved(source, None, (over, *other))
    reason = "unreadable" if isinstance(answer, Unreadable) else end_of(answer)
    return Retrieved(None, answer, (trail.ended(reason, 0, 0),))


def read_target(target: Target, limits: ByteLimits, *, list_only: bool = False) -> Task:
    """All that is asked of one session that is kept; with `list_only` its metadata alone."""
    learned: tuple[Learned, ...] = ()
    if target.family == "local" and not target.retrieved:
        retrieved = yield from retrieve_session(target)
        where = Where(session_walk("local", target.key), target.key, page=1)
        learned = (*retrieved.learned, *why_gap(retrieved.why, where))
        if _ends_the_session(retrieved.why):
            return Ended(learned)
        truncated = retrieved.source is not None and retrieved.source.truncated is True
        target = replace(target, truncated=target.truncated or truncated)
    if target.family == "remote" and not target.listed:
        walk = messages_walk("remote", target.key, 1)
        learned = (*learned, ruled_gap("metadata_not_listed", walk, session=target.key))
    if not list_only:
        learned = yield from _transcript(target, limits, learned)
    return Ended(learned)


def _ends_the_session(why: Missed | Unreadable | None) -> bool:
    return isinstance(why, Missed) and why.reason in ("session_not_found", "interrupted")


def _transcript(
    target: Target, limits: ByteLimits, learned: tuple[Learned, ...]
) -> Generator[Ask, Kept | Missed, tuple[Learned, ...]]:
    stated = Stated(target.key, target.id)
    number = 1
    learned = (*learned, *stated.cap(_trail(target, limits, number).walk, truncated=target.truncated))
    while True:
        trail = _trail(target, limits, number)
        over = yield from page_through(trail, stated.on(trail.walk), learned)
        learned = over.learned
        if over.reason != "expired" or number > RESTARTS_MAX:
            break
        number += 1
    pending = target.pending and isinstance(over.why, Missed) and over.why.reason == "remote_not_found"
    where = Where(trail.walk, target.key, page=over.page)
    return (*learned, *over.gaps(where, code="session_pending" if pending else None))


def _trail(target: Target, limits: ByteLimits, number: int) -> Trail:
    return Trail(
        messages_walk(target.family, target.key, number),
        _KINDS[target.family],
        messages_request(target.family, target.id, limits),
        target.key,
        limits,
        organization=target.organization,
        # No such rule is documented for remote tokens (section 3.2).
        lifetime=CURSOR_LIFETIME if target.family == "local" else None,
    )
