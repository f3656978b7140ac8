"""Whether the organisation's activity feed knows the requests of a collection, by their request-ids.

- Both sides are sealed exhibits; the feed can be the witness that the collection kept itself.
- Only an exact request-id matches. A request without one is unknown, not missing.
- A request outside of the feed's window, or a feed that broke off, shows nothing: that is said, not counted as missing.
- It reads and judges nothing about the packages: checking is the affair of `verify`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from agentaudit.errors import NotAPackage, UsageFault
from agentaudit.format import layout
from agentaudit.format.chain import JOURNAL_CODEC, Break
from agentaudit.model.base import moment_of
from agentaudit.model.corroboration import Corroboration, OtherRequest, OwnRequest
from agentaudit.model.journal import Act, Answered, Exchange, Unanswered
from agentaudit.model.stream import EventRow
from agentaudit.model.tagfiles import WalkRow
from agentaudit.model.text import display
from agentaudit.package.rows import read_log
from agentaudit.package.session import sealed_rows
from agentaudit.package.tree import Tree

ACCESSED = "compliance_api_accessed"
LISTED_MAX = 1_000
"""Requests of one kind that are listed; their number is never cut."""


@dataclass(slots=True)
class _Feed:
    """What a feed says of requests: its window, whether it came to its end, and each request by its id."""

    begins: str | None = None
    ends: str | None = None
    whole: bool = True
    walks: set[str] = field(default_factory=set)
    heard: dict[str, EventRow] = field(default_factory=dict)

    def covers(self, at: str) -> bool:
        """Whether a request asked at that time lies in the window."""
        moment = moment_of(at)
        return (self.begins is None or moment >= moment_of(self.begins)) and (
            self.ends is None or moment < moment_of(self.ends)
        )


def corroborate(exhibit: Path, feed: Path) -> Corroboration:
    """What the feed of one exhibit says of the requests of another, or of its own.

    Raises UsageFault (2) where no feed was collected, NotAPackage (8) for a folder that is no exhibit.
    """
    with Tree(feed) as tree:
        heard = _feed(tree)
    if not heard.walks:
        raise UsageFault(f"{feed.name} holds no activity feed", "name one with --feed: collect-activities makes it")
    asking = heard.walks if feed == exhibit else set[str]()  # what asked the feed is not what it is to witness
    own = tuple(one for one in _requests(exhibit) if one.walk not in asking)
    identified = [one for one in own if one.request_id is not None]
    covered = [one for one in identified if heard.covers(one.asked_at)]
    matched = [one for one in covered if one.request_id in heard.heard]
    missing = [one for one in covered if one.request_id not in heard.heard]
    differing = [one for one in matched if _differs(one, heard.heard[one.request_id or ""])]
    ours = {one.request_id for one in identified}
    accounts = {_account(heard.heard[one.request_id or ""]) for one in matched} - {None}
    others = [row for name, row in heard.heard.items() if name not in ours and _account(row) in accounts]
    return Corroboration(
        exhibit=exhibit.name,
        feed=feed.name,
        begins=heard.begins,
        ends=heard.ends,
        feed_is_whole=heard.whole,
        requests=len(own),
        matched=len(matched),
        missing=len(missing),
        not_covered=len(identified) - len(covered),
        without_id=len(own) - len(identified),
        status_differs=len(differing),
        others_of_the_key=len(others),
        missing_requests=tuple(missing[:LISTED_MAX]),
        differing_requests=tuple(differing[:LISTED_MAX]),
        other_requests=tuple(_other(row) for row in others[:LISTED_MAX]),
    )


def _feed(tree: Tree) -> _Feed:
    """The feed of an exhibit: walks of activities, and the requests that their events name."""
    found = _Feed()
    for walk in sealed_rows(tree, layout.WALKS, WalkRow):
        if walk.kind == "activities":
            parameters = dict(walk.parameters)
            found.walks.add(walk.walk)
            found.begins, found.ends = parameters.get("created_at.gte"), parameters.get("created_at.lt")
            found.whole = found.whole and walk.ended == "exhausted"
    for event in sealed_rows(tree, layout.EVENTS, EventRow):
        identifier = dict(event.keys).get("request")
        if event.kind == ACCESSED and identifier is not None:
            found.heard.setdefault(display(identifier), event)
    return found


def _requests(exhibit: Path) -> Iterator[OwnRequest]:
    """Each request that was sent, answered or not, in the order of the journal."""
    for link in read_log(exhibit / layout.JOURNAL, JOURNAL_CODEC, Act):
        if isinstance(link, Break):
            raise NotAPackage(f"{exhibit} holds a broken journal", "look at it with `agentaudit verify`")
        match link.row:
            case Answered() as row:
                yield _own(row.seq, row.walk, row.page, row.exchange)
            case Unanswered() as row if row.failure != "not_sent":
                yield _own(row.seq, row.walk, row.page, row.exchange)
            case _:
                pass


def _own(row: int, walk: str, page: int, exchange: Exchange) -> OwnRequest:
    return OwnRequest(
        row=row,
        walk=walk,
        page=page,
        asked_at=exchange.asked_at,
        request_id=exchange.request_id,
        status=exchange.status,
    )


def _differs(own: OwnRequest, heard: EventRow) -> bool:
    stated = dict(heard.numbers).get("status_code")
    return stated is not None and own.status is not None and stated != own.status


def _account(heard: EventRow) -> str | None:
    key = dict(heard.keys).get("account")
    return None if key is None else display(key)


def _other(heard: EventRow) -> OtherRequest:
    return OtherRequest(place=heard.place, at=heard.at, status=dict(heard.numbers).get("status_code"))
