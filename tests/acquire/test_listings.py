"""Listing caches held against their folders, from looks alone."""

import pytest

from agentaudit.acquire.listings import Listings
from agentaudit.adapters.claude_code.roles import place_of
from agentaudit.encoding.foreign import Json
from agentaudit.model.local import EntryKind
from agentaudit.model.storejournal import IndexCount
from agentaudit.model.survey import Look, Parts, Seen

S, T, U = (f"{number}c27c64e-5bd8-4142-9770-6171b4866689" for number in (1, 2, 3))
CACHE = "projects/-w/sessions-index.json"
LOOK = Look(
    size=1, modified_ns=0, changed_ns=0, accessed_ns=0, born_ns=None, mode=0o100600, user_id=0, group_id=0, device=1,
    inode=1, links=1, allocated=None,
)  # fmt: skip


def seen(name: str, kind: EntryKind = "file", root: str = "r1") -> Seen:
    """An entry at that path."""
    parts: Parts = tuple(name.encode().split(b"/"))
    return Seen(root=root, parts=parts, kind=kind, look=LOOK)


def counted(document: Json, *entries: Seen) -> tuple[IndexCount, ...]:
    """The counts of every cache, all of which hold the same document."""
    listings = Listings()
    for number, one in enumerate(entries, 1):
        listings.see(number, one, place_of(one.parts))
    return tuple(listings.counts(lambda _seen: document))


def naming(*sessions: str) -> Json:
    """A cache that names these sessions."""
    return {"version": 1, "entries": [{"sessionId": session, "fullPath": "/w"} for session in sessions]}


def test_a_cache_is_held_against_the_transcripts_of_its_own_folder() -> None:
    """Two of three are named, one that is named is gone; another folder and another root are not looked at."""
    entries = (
        seen(f"projects/-w/{S}.jsonl"), seen(f"projects/-w/{T}.jsonl"), seen(CACHE),
        seen(f"projects/-x/{U}.jsonl"), seen(f"projects/-w/{U}.jsonl", root="r2"),
    )  # fmt: skip
    assert counted(naming(S, U), *entries) == (IndexCount(root="r1", entry=3, listed=2, absent=1, unlisted=1),)


def test_the_order_of_names_does_not_matter() -> None:
    """A transcript whose name sorts after the cache is there all the same, and a link is a transcript that is there."""
    late = seen("projects/-w/zzz.jsonl", "link")
    assert counted(naming("zzz", "zzz"), seen(CACHE), late) == (
        IndexCount(root="r1", entry=1, listed=1, absent=0, unlisted=0),
    )


@pytest.mark.parametrize("document", [None, [], {}, {"entries": {}}, "x", {"entries": None}])
def test_what_is_no_cache_counts_as_unknown(document: Json) -> None:
    """Cut, too large or of another form: known to be unknown, which is not the same as naming nothing."""
    entries = (seen(f"projects/-w/{S}.jsonl"), seen(CACHE))
    assert counted(document, *entries) == (IndexCount(root="r1", entry=2, listed=None, absent=None, unlisted=None),)


def test_an_empty_cache_names_nothing_and_odd_entries_are_passed_over() -> None:
    """An entry without an id that is text names no session."""
    entries = (seen(f"projects/-w/{S}.jsonl"), seen(CACHE))
    documents: tuple[Json, ...] = ({"entries": []}, {"entries": [{}, 1, None, {"sessionId": 7}]})
    for document in documents:
        assert counted(document, *entries) == (IndexCount(root="r1", entry=2, listed=0, absent=0, unlisted=1),)


@pytest.mark.parametrize("kind", ["link", "folder", "fifo"])
def test_a_cache_that_is_no_file_is_none(kind: EntryKind) -> None:
    """It is never opened."""
    assert counted(naming(S), seen(CACHE, kind)) == ()
