"""The journal and what follows from it, judged without touching a disk.

- A finding here is a row: code, subject, detail.
- Losses are stated by kind, each with its number; only what was not obtained wants a person's eye.
"""

from collections.abc import Iterable, Iterator

from agentaudit.format import layout
from agentaudit.format.chain import Break
from agentaudit.model.journal import Closed, Counts, LossCounts, Outcome
from agentaudit.package.check import Row
from agentaudit.package.index import JournalIndex

_BREAKS = {"torn": "J001", "canonical": "J001", "seq": "J003", "prev": "J002"}


def check_journal(index: JournalIndex, listed: Iterable[str]) -> Iterator[Row]:
    """The chain, the first and last row, and every payload file in exactly one row."""
    if index.broken is not None:
        yield _broken(index.broken)
        return
    yield from ((one.code, one.subject, one.detail) for one in index.remarks)
    yield from _payload_rows(listed, (mark.path for mark in index.items))


def _broken(at: Break) -> Row:
    return _BREAKS[at.rule], f"{layout.JOURNAL}:{at.line}", f"{at.rule}, at byte {at.offset}"


def _payload_rows(listed: Iterable[str], rows: Iterable[str]) -> Iterator[Row]:
    named: set[str] = set()
    for path in rows:
        if path in named:
            yield "J006", path, "two rows name it"
        named.add(path)
    for path in listed:
        if path not in named:
            yield "J007", path, ""


def check_closed(closed: Closed, outcome: Outcome, counts: Counts) -> Iterator[Row]:
    """The last row states the outcome and the numbers that the rows give."""
    if closed.outcome != outcome:
        yield "J009", "outcome", f"states {closed.outcome}, the rows give {outcome}"
    for name in Counts.__struct_fields__:
        if name != "losses" and getattr(closed.counts, name) != getattr(counts, name):
            yield "J009", name, ""
    for name in LossCounts.__struct_fields__:
        if getattr(closed.counts.losses, name) != getattr(counts.losses, name):
            yield "J009", f"losses.{name}", ""


def check_losses(losses: LossCounts) -> Iterator[Row]:
    """One row for each kind of loss that there is, with its number."""
    numbers = (
        ("L001", layout.TRUNCATIONS, losses.clipped_by_our_limit),
        ("L002", layout.TRUNCATIONS, losses.clipped_by_server_limit),
        ("L003", layout.TRUNCATIONS, losses.clipped_marker),
        ("L004", layout.TRUNCATIONS, losses.clipped_undetermined),
        ("L005", layout.SESSIONS, losses.sessions_truncated_at_source),
        ("L006", layout.GAPS, losses.unavailable),
        ("L007", layout.GAPS, losses.not_obtained),
        ("L008", layout.GAPS, losses.excluded),
    )
    for code, name, number in numbers:
        if number:
            yield code, name, str(number)
