"""The note of a run of the Gateway's command."""

from agentaudit.adapters.openclaw.livenote import CallEnd, LiveCall, LiveFound, LiveNote, LiveWalk, WalkEnd, WalkName
from agentaudit.adapters.openclaw.notes import counts_of, findings_of, read_note, words_of
from agentaudit.encoding.canonical import encode
from agentaudit.model.base import Instant, digest_of
from tests.support.gatewaying import CANARY

AT = Instant("2026-11-29T00:00:00.000000Z")


def call(found: LiveFound = "page", ended: CallEnd = "exited") -> LiveCall:
    """A call."""
    return LiveCall(
        walk="events", arguments=("audit", CANARY), began_at=AT, ended_at=AT, ended=ended, status=0,
        file="live-000001.json", bytes=0, sha256=digest_of(b""), found=found,
    )  # fmt: skip


def walk(name: WalkName = "events", ended: WalkEnd = "exhausted", pages: int = 1, *retired: str) -> LiveWalk:
    """A walk."""
    return LiveWalk(walk=name, subject=CANARY, ended=ended, pages=pages, retired=retired)


def note(calls: tuple[LiveCall, ...], walks: tuple[LiveWalk, ...], left: int = 0) -> LiveNote:
    """The note of these."""
    return LiveNote(
        command=CANARY, command_sha256=digest_of(b""), version=CANARY, calls=calls, walks=walks, not_explained=left
    )


def codes(of: LiveNote) -> dict[str, int]:
    """Findings with their counts."""
    return {one.code: one.count for one in findings_of(of)}


def test_a_run_that_went_well_has_nothing_against_it() -> None:
    """Calls, pages and walks are counted, and no word of the source is shown."""
    made = note((call(), call("explanation")), (walk(), walk("explanation", "exhausted", 2)))
    assert read_note(encode(made)) == made
    assert (codes(made), counts_of(made)) == ({}, (("calls", 2), ("pages", 3), ("walks", 2)))
    assert CANARY not in repr((words_of(made), counts_of(made), tuple(findings_of(made))))


def test_what_did_not_go_as_it_should_is_counted() -> None:
    """Calls that failed or were ended, walks that were not, cursors that were retired, runs that were left."""
    calls = (call("failure"), call("other", "timed_out"), call("other", "over_limit"))
    walks = (walk("events", "failed", 1, "9", "8"), walk("explanation", "page_cap", 2000))
    assert codes(note(calls, walks, left=3)) == {
        "call_ended_by_us": 2, "call_failed": 3, "cursor_retired": 2, "runs_not_explained": 3, "walk_not_to_end": 2,
    }  # fmt: skip


def test_a_kind_that_a_release_does_not_know_is_no_walk_that_was_broken_off() -> None:
    """One that gave a page and then failed is."""
    assert codes(note((), (walk("skill_selection", "failed", 0),))) == {"kind_refused": 1}
    assert codes(note((), (walk("skill_selection", "failed", 1),))) == {"walk_not_to_end": 1}
    assert codes(note((), (walk("skill_selection", "cursor_odd", 0),))) == {"walk_not_to_end": 1}
