"""The note of a run of the Gateway's own command: each call with its arguments and its end, each walk with its own.

- Arguments, cursors and the version are the source's words: they stand in the note, and no row shows them.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from agentaudit.model.base import Digest, Frozen, Instant
from agentaudit.model.stream import StreamFinding
from agentaudit.model.text import SourceText

WalkName = Literal["events", "skill_selection", "explanation"]

CallEnd = Literal["exited", "timed_out", "over_limit"]
"""How a call ended: by itself, or by us, because it took or gave too much."""

LiveFound = Literal["page", "explanation", "failure", "other"]
"""What a call printed; a page of a command that did not end well is `other`."""

WalkEnd = Literal["exhausted", "failed", "cursor_repeated", "cursor_odd", "page_cap"]
"""How a walk ended; only `exhausted` is its end, and the last is a bound of ours."""


class LiveCall(Frozen, frozen=True, kw_only=True):
    """One call: what was given to the command, how it ended, and what came; `file` is its name beside the note."""

    walk: WalkName
    arguments: tuple[SourceText, ...]
    began_at: Instant
    ended_at: Instant
    ended: CallEnd
    status: int
    file: str
    bytes: int
    sha256: Digest
    found: LiveFound


class LiveWalk(Frozen, frozen=True, kw_only=True):
    """One walk: of which run or execution, how it ended, its pages, and the cursors that were no longer taken."""

    walk: WalkName
    subject: SourceText | None
    ended: WalkEnd
    pages: int
    retired: tuple[SourceText, ...] = ()


class LiveNote(Frozen, frozen=True, kw_only=True, tag_field="agentaudit", tag="gateway-live/1"):
    """Which command was run, and what its calls and walks came to.

    `not_explained` counts runs that were not asked for: over the bound, or with an id that cannot be an argument.
    """

    command: SourceText
    command_sha256: Digest
    version: SourceText | None
    calls: tuple[LiveCall, ...]
    walks: tuple[LiveWalk, ...]
    not_explained: int = 0


def live_counts(note: LiveNote) -> tuple[tuple[str, int], ...]:
    """How many calls, pages and walks; sorted."""
    pages = sum(walk.pages for walk in note.walks)
    return (("calls", len(note.calls)), ("pages", pages), ("walks", len(note.walks)))


def live_findings(note: LiveNote) -> Iterator[StreamFinding]:
    """What did not go as it should: by code, without a word of the source."""
    found: Counter[str] = Counter()
    for call in note.calls:
        found["call_failed"] += call.found in {"failure", "other"}
        found["call_ended_by_us"] += call.ended != "exited"
    for walk in note.walks:
        found["cursor_retired"] += len(walk.retired)
        # A release before this kind of event refuses to be asked for it.
        refused = walk.walk == "skill_selection" and walk.ended == "failed" and not walk.pages
        found["kind_refused" if refused else "walk_not_to_end"] += walk.ended != "exhausted"
    found["runs_not_explained"] += note.not_explained
    for code, count in sorted(found.items()):
        if count:
            yield StreamFinding(code=code, count=count)
