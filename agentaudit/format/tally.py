"""The counts and the outcome of an exhibit, recounted from its rows (FORMAT.md, section 8).

- Each number can be recounted from the tag files alone.
- The four kinds of loss are never one number; a gap counts as often as its `count` says.
- Clipping by our own limit never changes the outcome: it is counted beside it.
"""

from collections import Counter

from agentaudit.model.framing import FaultClass
from agentaudit.model.journal import Counts, LossCounts, Outcome
from agentaudit.model.local import Change
from agentaudit.model.losses import Gap, GapCode, GapKind, Truncation
from agentaudit.model.readings import RecordRow, SessionRow
from agentaudit.model.results import Preserved, Streams
from agentaudit.model.sessionrow import AnySession
from agentaudit.model.stream import StreamRow
from agentaudit.model.tagfiles import FileFacts, FileProvenance, ItemRow, WalkRow

_BROKEN = (None, "interrupted", "failed")
_OURS = "our_limit"


class Tally:
    """A running count over the rows of an exhibit, in any order."""

    def __init__(self) -> None:
        self._numbers: Counter[str] = Counter()
        self._failures = 0
        self._gaps: Counter[tuple[GapKind, GapCode]] = Counter()
        self._outcomes: Counter[Outcome] = Counter()
        self._framing: Counter[FaultClass] = Counter()
        self._changes: Counter[Change] = Counter()
        self._findings: Counter[str] = Counter()

    def item(self, row: ItemRow) -> None:
        """Count a payload file and its bytes."""
        self._numbers["items"] += 1
        self._numbers["payload_bytes"] += row.bytes
        if row.facts is not None:
            self._preserved(row, row.facts)

    def _preserved(self, row: ItemRow, facts: FileFacts) -> None:
        """Count a preserved file, its lines with findings, and what changed while it was read."""
        self._numbers["preserved"] += 1
        if facts.framing is not None:
            self._numbers["framed"] += 1
            self._numbers["lines"] += facts.framing.lines
            self._framing.update(dict(facts.framing.findings_by_class))
        if isinstance(row.provenance, FileProvenance) and row.provenance.change != "none":
            self._changes[row.provenance.change] += 1

    def preserved(self) -> Preserved:
        """What is here of local files."""
        number = self._numbers
        return Preserved(
            files=number["preserved"],
            framed=number["framed"],
            lines=number["lines"],
            framing=tuple(sorted(self._framing.items())),
            changes=tuple(sorted(self._changes.items())),
        )

    def walk(self, row: WalkRow) -> None:
        """Count a walk and its pages; one without an end, or with a broken one, makes the exhibit incomplete."""
        self._numbers["walks"] += 1
        self._numbers["pages"] += row.pages
        self._failures += row.ended in _BROKEN

    def gap(self, gap: Gap) -> None:
        """Count what a gap stands for, under its kind."""
        self._numbers[gap.kind] += gap.count
        self._failures += gap.kind == "not_obtained"
        self._gaps[gap.kind, gap.code] += gap.count

    def record(self, row: RecordRow) -> None:
        """Count a transcript message; one that came again is not another message."""
        self._numbers["messages"] += not row.repeated

    def truncation(self, row: Truncation) -> None:
        """Count a clipped thing under whoever clipped it."""
        self._numbers[row.by] += 1

    def session(self, row: AnySession) -> None:
        """Count a session by our decision, and one that any answer calls truncated."""
        self._numbers["sessions_seen"] += 1
        self._numbers[f"sessions_{row.decision}"] += 1
        if isinstance(row, SessionRow):
            said = (row.listed, row.retrieved, row.envelope)
            self._numbers["truncated"] += any(one is not None and one.truncated is True for one in said)
        if row.outcome is not None:
            self._outcomes[row.outcome] += 1

    def event(self) -> None:
        """Count an event of a sibling source."""
        self._numbers["events"] += 1

    def stream(self, row: StreamRow) -> None:
        """Count a stream, and what its checks found."""
        self._numbers["streams"] += 1
        self._findings.update({finding.code: finding.count for finding in row.findings})

    def streams(self) -> Streams | None:
        """What is here of a sibling source; None where there are no streams. It is no part of `counts`."""
        number = self._numbers
        if not number["streams"]:
            return None
        found = tuple(sorted(self._findings.items()))
        return Streams(streams=number["streams"], events=number["events"], findings=found)

    def counts(self) -> Counts:
        """How much is here, as `closed` and package.json state it."""
        number = self._numbers
        return Counts(
            items=number["items"],
            payload_bytes=number["payload_bytes"],
            walks=number["walks"],
            pages=number["pages"],
            sessions_seen=number["sessions_seen"],
            sessions_kept=number["sessions_kept"],
            sessions_excluded=number["sessions_excluded"],
            messages=number["messages"],
            losses=self.losses(),
        )

    def gap_totals(self) -> tuple[tuple[GapKind, GapCode, int], ...]:
        """How much is missing, by kind and code, in their order."""
        return tuple((kind, code, count) for (kind, code), count in sorted(self._gaps.items()))

    def session_outcomes(self) -> tuple[tuple[Outcome, int], ...]:
        """How many sessions came to each outcome, in the order of its name."""
        return tuple(sorted(self._outcomes.items()))

    def losses(self) -> LossCounts:
        """The kinds of loss apart."""
        number = self._numbers
        return LossCounts(
            clipped_by_our_limit=number[_OURS],
            clipped_by_server_limit=number["server_limit"],
            clipped_marker=number["marker"],
            clipped_undetermined=number["undetermined"],
            sessions_truncated_at_source=number["truncated"],
            unavailable=number["unavailable"],
            not_obtained=number["not_obtained"],
            excluded=number["excluded"],
        )

    def outcome(self) -> Outcome:
        """`incomplete`, else `all_given_with_losses`, else `all_given` (evidence format, section 5)."""
        losses = self.losses()
        if self._failures:
            return "incomplete"
        clipped = losses.clipped_by_server_limit + losses.clipped_marker + losses.clipped_undetermined
        stated = losses.unavailable + losses.sessions_truncated_at_source
        return "all_given_with_losses" if stated + clipped else "all_given"
