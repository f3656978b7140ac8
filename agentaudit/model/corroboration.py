"""What an activity feed says of the requests of a collection: by request-id, and by nothing else."""

from agentaudit.model.base import Frozen, Instant
from agentaudit.model.stream import Place, Word


class OwnRequest(Frozen, frozen=True, kw_only=True):
    """One request of ours: its journal row, walk and page, when it was asked, its request-id and status."""

    row: int
    walk: str
    page: int
    asked_at: Instant
    request_id: str | None
    status: int | None


class OtherRequest(Frozen, frozen=True, kw_only=True):
    """A request with the same key that is none of ours: its place in the feed, its time, its status."""

    place: Place
    at: Word
    status: int | None


class Corroboration(Frozen, frozen=True, kw_only=True):
    """The comparison of one collection's requests with a feed.

    `matched` stand in the feed. `missing` do not, although the feed covers their time. `not_covered` lie outside of its
    window, `without_id` were never given an id. `status_differs` are matched, with another status. `others_of_the_key`
    were made with the same key and are not of this collection. `feed_is_whole` is false when its walk broke off.
    """

    exhibit: str
    feed: str
    begins: str | None
    ends: str | None
    feed_is_whole: bool
    requests: int
    matched: int
    missing: int
    not_covered: int
    without_id: int
    status_differs: int
    others_of_the_key: int
    missing_requests: tuple[OwnRequest, ...]
    differing_requests: tuple[OwnRequest, ...]
    other_requests: tuple[OtherRequest, ...]
