"""What a sealed exhibit tells the person in front of the terminal.

- The four kinds of loss are never one number, and session-level marks are never counted with block-level ones.
- Each loss comes with what could be done about it; the bare word for a whole without gaps is never printed.
- An endpoint that is not the vendor's heads everything.
- Pure: a result in, lines out.
"""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from agentaudit.cli.advice import ADVICE, KINDS
from agentaudit.cli.tables import hung
from agentaudit.cli.words import counted, plainly, sized
from agentaudit.model.base import Digest
from agentaudit.model.journal import Counts, LossCounts, Outcome
from agentaudit.model.results import GapTotal, Preserved, SealedResult, Streams

BANNERS = {
    "loopback": "DEMONSTRATION: the source was a loopback address of this machine, not the vendor's. Not evidence.",
    "local_service": "LOCAL SERVICE: the source was a port of this machine. Who listened there was not verified.",
    "other": "NOT THE VENDOR'S ENDPOINT: the source was another address than the vendor's own.",
    "synthetic": "DEMONSTRATION: the store was made by this program for its demonstration. Not evidence.",
    "unknown": "SOURCE UNKNOWN: what kind of endpoint or store this came from could not be read.",
}
OUTCOMES: dict[Outcome, str] = {
    "all_given": "all given: all that the source would give is here, and it states no loss",
    "all_given_with_losses": "all given, with losses: the source itself states that it has not everything",
    "incomplete": "incomplete: something that was asked for could not be obtained",
}
SEAL_MEANS = (
    "Copy the seal by hand into the case notes. Unsigned, it shows accidental change and careless editing; it "
    "proves more only once it has left this machine: noted elsewhere, signed, or time-stamped."
)
ABSENCE = (
    "Absence of a row proves nothing: agentaudit/coverage.json in the exhibit says what this kind of source "
    "cannot contain."
)
_LONG = ("--tool-input-max-bytes max", "--tool-result-max-bytes max")


def summary(result: SealedResult, next_step: str, width: int) -> Iterator[str]:
    """The lines of the summary, at most `width` columns where words allow; `next_step` is a command line."""
    yield from banner(result.endpoint_class, width)
    yield f"Case {result.case}, exhibit {result.exhibit}: sealed"
    yield ""
    yield from _obtained(result, width)
    yield from hung("  outcome    ", OUTCOMES[result.outcome], width)
    yield ""
    yield from losses(result.counts.losses, result.gaps, width)
    yield from _outcomes(result.session_outcomes)
    yield "Seal"
    yield from (f"  {line}" for line in seal_groups(result.seal))
    yield from hung("  ", SEAL_MEANS, width)
    yield ""
    yield from wrap(ABSENCE, width)
    yield ""
    yield f"next: {next_step}"


def banner(endpoint_class: str, width: int) -> Iterator[str]:
    """The heading of everything that did not come from the vendor; nothing for what did."""
    text = BANNERS.get(endpoint_class)
    if text is not None:
        yield from wrap(text, width)
        yield ""


def losses(counts: LossCounts, gaps: tuple[GapTotal, ...], width: int) -> Iterator[str]:
    """The four kinds of loss, each with its counts by reason and what could be done."""
    yield "Losses: four kinds, never one number"
    yield "  clipped: the content is here, shortened"
    yield from _rows(_clipped(counts), width)
    for kind, heading in KINDS.items():
        yield from hung("  ", heading, width)
        rows = [(total.count, total.code, ADVICE[total.code]) for total in gaps if total.kind == kind]
        yield from _rows(rows, width)
    if counts.sessions_truncated_at_source:
        sessions = counted(counts.sessions_truncated_at_source, "session")
        yield from hung("  ", f"beside these, the source marks {sessions} as truncated", width)
    yield ""


def seal_groups(seal: Digest) -> tuple[str, ...]:
    """The 64 hex digits in two lines of four groups of eight, for copying by hand."""
    digits = seal.removeprefix("sha256:")
    groups = [digits[at : at + 8] for at in range(0, len(digits), 8)]
    return " ".join(groups[:4]), " ".join(groups[4:])


def _obtained(result: SealedResult, width: int) -> Iterator[str]:
    counts, preserved, streams = result.counts, result.preserved, result.streams
    yield "Obtained"
    undecided = counts.sessions_seen - counts.sessions_kept - counts.sessions_excluded
    # Of a store a session is left out by other rules too: its transcript may be a link. sessions.jsonl has the rule.
    why = " by the selection" if preserved is None else ""
    told = f"{counts.sessions_kept:,} kept, {counts.sessions_excluded:,} left out{why}"
    told += f", {undecided:,} undecided" if undecided else ""
    if counts.sessions_seen or streams is None:
        yield from hung("  sessions   ", f"{told}, of {counts.sessions_seen:,} seen", width)
    if streams is not None:
        yield from _streams(streams, width)
    if preserved is not None:
        yield from _files(counts, preserved, width, framed=streams is None or preserved.framed > 0)
        return
    if counts.sessions_seen or streams is None:
        yield f"  messages   {counts.messages:,}"
    yield f"  pages      {counts.pages:,} in {counted(counts.walks, 'walk')}"
    yield f"  payload    {sized(counts.payload_bytes)} in {counted(counts.items, 'file')}"


def _streams(streams: Streams, width: int) -> Iterator[str]:
    """Events of a sibling source, and what the checks of its streams found: leads, not losses."""
    yield f"  events     {streams.events:,} in {counted(streams.streams, 'stream')}"
    if streams.findings:
        found = ", ".join(f"{count:,} {code}" for code, count in streams.findings)
        yield from hung("  found      ", f"{found}; agentaudit/streams.jsonl has the places", width)


def _files(counts: Counts, preserved: Preserved, width: int, *, framed: bool) -> Iterator[str]:
    """Files of a local store: how many, their framing where it was looked at, and those that did not hold still."""
    yield f"  files      {preserved.files:,}, {sized(counts.payload_bytes)}"
    if framed:
        yield from _framing(preserved, width)
    changed = ", ".join(f"{count:,} {change}" for change, count in preserved.changes)
    if changed:
        told = f"while they were read: {changed}. Of a file that grew the exact beginning is here; every read is kept"
        yield from hung("  changed    ", told, width)


def _framing(preserved: Preserved, width: int) -> Iterator[str]:
    """Lines of JSON Lines files, and what was found of them."""
    lines = f"{counted(preserved.lines, 'line')} in {counted(preserved.framed, 'file')} of JSON Lines"
    if preserved.framing:
        found = ", ".join(f"{count:,} {fault}" for fault, count in preserved.framing)
        lines += f"; with findings: {found}. agentaudit/items.jsonl has the place of each; verify-jsonl explains them"
    else:
        lines += ", each one complete JSON object" if preserved.lines else ""
    yield from hung("  framing    ", lines, width)


def _clipped(counts: LossCounts) -> list[tuple[int, str, str]]:
    rows = (
        (counts.clipped_by_our_limit, "by our limit", f"collect again with {' and '.join(_LONG)}"),
        (counts.clipped_by_server_limit, "by the server's limit", "the server gives no more; nothing lifts it"),
        (counts.clipped_marker, "marker", "a placeholder or dropped citation; the source holds no more in text"),
        (counts.clipped_undetermined, "undetermined", "look at the raw bytes: truncations.jsonl points to them"),
    )
    return [row for row in rows if row[0]]


def _rows(rows: Sequence[tuple[int, str, str]], width: int) -> Iterator[str]:
    """Count, reason, and what could be done, one below the other in columns."""
    if not rows:
        yield "      none"
    label = max((len(reason) for _, reason, _ in rows), default=0)
    for count, reason, advice in rows:
        yield from hung(f"  {count:>8,}  {reason.ljust(label)}  ", advice, width)


def _outcomes(outcomes: tuple[tuple[Outcome, int], ...]) -> Iterator[str]:
    if not outcomes:
        return
    yield "Sessions by outcome"
    for outcome, count in outcomes:
        yield f"  {count:>8,}  {plainly(outcome)}"
    yield ""
