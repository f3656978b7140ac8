"""What stands before and behind the messages of a copy for people, as blocks: whose, from where, what is missing.

- Written down by the same two hands as an export, so that both look alike.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from agentaudit.export.attested import attested_words
from agentaudit.export.render.blocks import Block, Grid, Heading, Pairs, Paragraph, Points
from agentaudit.export.render.cells import Cell, Code, Column, Stack
from agentaudit.export.sentences import INTEGRITY, OUTCOMES, WHY
from agentaudit.export.words import plainly, sentence
from agentaudit.model.limits import MAX
from agentaudit.model.losses import Gap
from agentaudit.model.readings import SessionRow, SessionSource, Word
from agentaudit.model.text import display
from agentaudit.transcript.document import Head, PartTold
from agentaudit.transcript.telling import text_of
from agentaudit.transcript.words import JOINS, STANDINGS

LEGEND = (
    (
        "A line in capitals is the program's, never the transcript's. Characters that cannot be seen, or that steer a "
        "terminal, are written out: \\x1b is an escape character."
    ),
    (
        "The order is the order in which the source gave the messages. A call and its result are joined by tool-use id "
        "alone."
    ),
)

_GAPS = (Column("Kind", 18), Column("How many", 10, "number"), Column("What", 44), Column("Where", 28))
_PARTS = (Column("File", 34), Column("Bytes", 10, "number"), Column("SHA-256", 36), Column("Request", 20))
_BY: Mapping[str, str] = MappingProxyType(
    {"our_limit": "clipped by our limit", "server_limit": "clipped by the source", "marker": "placeholders",
     "undetermined": "clipped, unclear by whom", "said_in_text": "say in their own text that they are shortened"}
)  # fmt: skip


def title(head: Head) -> str:
    """The title of the copy."""
    return f"Session {head.session.session} of {head.exhibit}, case {head.case}: working copy"


def front(head: Head) -> Iterator[Block]:
    """The blocks before the first message."""
    yield Heading(1, title(head))
    if head.attention is not None:
        yield Paragraph(head.attention, "attention")
    yield Paragraph(head.statement, "attention")
    yield Pairs(tuple(_identity(head)))
    yield from (Paragraph(words) for words in LEGEND)
    yield Heading(2, "What is here, and what is not", "missing")
    yield Pairs(tuple(_numbers(head)))
    yield Grid("What is known to be missing of this session", _GAPS, map(_gap, head.gaps))
    yield Heading(2, "What this copy cannot show", "cannot-show")
    yield Points(head.cannot_show)
    yield Paragraph("The limits of this kind of source, and the files that the copy was drawn from, stand at its end.")
    yield Heading(2, "Messages", "messages")


def back(head: Head) -> Iterator[Block]:
    """The blocks behind the last message."""
    yield Heading(2, "Where this copy was drawn from", "files")
    yield Grid("Payload files of the exhibit, in the order of this copy", _PARTS, map(_part, head.parts))
    yield Heading(2, "What this kind of source cannot show", "coverage")
    yield Points(tuple(f"{limit.statement} ({limit.code})" for limit in head.coverage))


def _identity(head: Head) -> Iterator[tuple[str, Cell]]:
    yield "Exhibit", f"{head.exhibit} of case {head.case}"
    yield "Seal (SHA-256)", Code(head.seal)
    yield "Checked just before", sentence(INTEGRITY, head.integrity)
    yield "Who attests the seal", stack(*attested_words(head.authenticity, head.attested))
    yield "Drawn by", f"{head.made_by}, {head.read_by}"
    row = head.session
    if isinstance(row, SessionRow):
        yield "Session", stack(row.session, Code(display(row.id)))
        yield from _said(row)
    else:
        yield "Session", stack(row.session, Code(display(row.bundle.session)))
        yield "Producer", ", ".join(f"{version} ({count:,})" for version, count in row.versions) or "not stated"
        yield "First and last record", f"{row.first_record_at} to {row.last_record_at}, by their own clock"
    yield "Outcome of the session", sentence(OUTCOMES, row.outcome)
    if head.limits is not None:
        asked = (head.limits.tool_input_max_bytes, head.limits.tool_result_max_bytes)
        inputs, results = ("the source's maximum" if one == MAX else f"{one:,} bytes" for one in asked)
        yield "Byte limits in force", f"tool inputs {inputs}, tool results {results}"


_FIELDS = (
    ("organisation", "organization_uuid"), ("workspace", "workspace_id"), ("user", "user_id"),
    ("e-mail address", "user_email_address"), ("agent", "agent_id"), ("started by", "started_by_user_id"),
    ("surface", "product_surface"), ("status", "status"), ("project", "claude_project_id"),
    ("first retained call", "created_at"), ("last retained call", "updated_at"),
)  # fmt: skip


def _said(row: SessionRow) -> Iterator[tuple[str, Cell]]:
    """What list, retrieve call and envelope say, once where they agree and side by side where not."""
    sources = (("list", row.listed), ("retrieve", row.retrieved), ("envelope", row.envelope))
    spoken = tuple((name, one) for name, one in sources if one is not None)
    for label, field in _FIELDS:
        words = {name: text for name, one in spoken if (text := text_of(_word(one, field)))}
        if len(set(words.values())) == 1:
            yield label, next(iter(words.values()))
        elif words:
            yield label, stack(*(f"{name}: {text}" for name, text in words.items()))
    if any(one.truncated is True for _, one in spoken):
        yield "truncated", "YES, says the source: it gives the earliest 100,000 calls of the session and no more"


def _word(source: SessionSource, field: str) -> Word:
    return {
        "organization_uuid": source.organization_uuid, "workspace_id": source.workspace_id, "user_id": source.user_id,
        "user_email_address": source.user_email_address, "agent_id": source.agent_id,
        "started_by_user_id": source.started_by_user_id, "product_surface": source.product_surface,
        "status": source.status, "claude_project_id": source.claude_project_id, "created_at": source.created_at,
        "updated_at": source.updated_at,
    }[field]  # fmt: skip


def _numbers(head: Head) -> Iterator[tuple[str, Cell]]:
    totals = head.totals
    yield "Messages", f"{totals.messages:,}, and {totals.repeated:,} repeated"
    if totals.types:
        yield "Of these by record type", stack(*(f"{count:,} {display(word)}" for word, count in totals.types))
    yield "By provenance", stack(*(f"{STANDINGS[word]}: {count:,}" for word, count in totals.standings)) or "none"
    yield "Blocks", ", ".join(f"{count:,} {plainly(word)}" for word, count in totals.blocks) or "none"
    yield "Calls and results", stack(*(f"{count:,} {JOINS[word]}" for word, count in totals.joins)) or "none"
    yield "Shortened", stack(*(f"{count:,} {_BY[word]}" for word, count in totals.clips)) or "nothing is said to be"
    yield "Not read as messages", f"{totals.not_read:,} files or lines that are here"
    if totals.asides:
        said = (f"{count:,} {display(word) or 'of no type'}" for word, count in totals.asides)
        yield "Other records", f"named and not shown: {', '.join(said)}"


def _gap(gap: Gap) -> tuple[Cell, ...]:
    said = ", ".join(f"{name}: {display(word) if word is not None else 'null'}" for name, word in gap.source)
    page = f"page {gap.page}" if isinstance(gap.page, int) else None
    entry = f"entry {gap.index}" if isinstance(gap.index, int) else None
    walk = Code(gap.walk) if isinstance(gap.walk, str) else None
    what = stack(sentence(WHY, gap.code), f"the source says: {said}" if said else None)
    return plainly(gap.kind), gap.count, what, stack(page, entry, walk)


def _part(part: PartTold) -> tuple[Cell, ...]:
    row = f"journal row {part.row}" if part.row is not None else None
    request = Code(part.request_id) if part.request_id else None
    return Code(part.item), part.bytes, Code(part.sha256), stack(request, part.received_at, row)


def stack(*cells: str | Code | None) -> Cell:
    """What there is of these, one below the other."""
    there = tuple(cell for cell in cells if cell)
    return there[0] if len(there) == 1 else Stack(there) if there else None
