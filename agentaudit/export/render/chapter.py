"""The chapter of one exhibit: what was asked, what was got, what is missing and why, clocks, tool, what cannot be here.

- The four kinds of loss are never one number.
- Each row ends in the way back to the raw bytes.
"""

from collections.abc import Iterator

from agentaudit.export.attested import attested_words
from agentaudit.export.document import ExhibitFacts
from agentaudit.export.dossier import Part
from agentaudit.export.lines import Facts, GapLine, ItemLine, SessionLine, TruncationLine, WalkLine
from agentaudit.export.render.blocks import Block, Grid, Heading, Pairs, Paragraph, Picture
from agentaudit.export.render.cells import Cell, Code, Column
from agentaudit.export.render.storechapter import store_blocks
from agentaudit.export.render.streamchapter import stream_blocks
from agentaudit.export.render.telling import code, gathered, moment, stack, way_cell
from agentaudit.export.saying import briefly
from agentaudit.export.sentences import INTEGRITY, KINDS, OUTCOMES, WHY
from agentaudit.export.words import label, number, plainly, sentence, value
from agentaudit.model.text import display


def exhibit_blocks(part: Part) -> Iterator[Block]:
    """The chapter, block by block."""
    one, name = part.facts, part.facts.exhibit
    yield Heading(2, f"Exhibit {name}", name.lower(), page=True)
    if one.attention is not None:
        yield Paragraph(one.attention, "attention")
    yield Pairs(tuple(_identity(one)))
    yield Heading(3, "What was asked, and under which limits")
    yield Pairs((*_asked(one.asked), *((label(key), number(value(text))) for key, text in one.limits)))
    yield Heading(3, "What was got")
    yield Pairs(tuple(_got(one)))
    yield Heading(3, "What is missing, and why")
    yield Grid(f"Losses of {name}: four kinds, never one number", _LOSSES, _losses(one), grouped=True)
    yield Picture(part)
    yield Grid(f"Gaps of {name}", _GAPS, (_gap(row) for row in part.rows.gaps()))
    yield Grid(f"Shortened in {name}", _CLIPPED, (_clipped(row) for row in part.rows.truncations()))
    yield from store_blocks(part)
    yield from stream_blocks(part)
    yield Heading(3, "Sessions")
    yield Grid(f"Sessions of {name}", _SESSIONS, (_session(row) for row in part.rows.sessions()))
    yield Heading(3, "Clocks, tool and machine")
    yield Pairs(tuple(_made_with(one)))
    yield Heading(3, "What this kind of source cannot show")
    yield Grid(f"Coverage limits of {name}", _COVERAGE, _coverage(one))
    yield Heading(3, "Walks and payload files")
    yield Grid(f"Walks of {name}", _WALKS, (_walk(row) for row in part.rows.walks()))
    yield Grid(f"Payload files of {name}", _ITEMS, (_item(row) for row in part.rows.items()))


_LOSSES = (Column("Kind", 13, "word"), Column("How many", 9, "number"), Column("What", 26), Column("Why", 52))
_GAPS = (
    Column("Kind", 11, "word"), Column("Count", 6, "number"), Column("What and why", 30), Column("Where", 20),
    Column("The way back", 33),
)  # fmt: skip
_CLIPPED = (
    Column("Session", 9, "word"), Column("By whom and why", 36), Column("Kept and limit", 20),
    Column("The way back", 35),
)  # fmt: skip
_SESSIONS = (
    Column("Session", 8, "word"), Column("Surface and person", 17), Column("First and last call", 15),
    Column("Pages", 5, "number"), Column("Messages", 8, "number"), Column("Outcome and losses", 14),
    Column("Identifier, and where it is said", 33),
)  # fmt: skip
_WALKS = (
    Column("Walk", 30), Column("Kind", 12), Column("Asked with", 33), Column("Pages", 6, "number"),
    Column("Records", 7, "number"), Column("Ended", 12, "word"),
)  # fmt: skip
_ITEMS = (
    Column("File", 27), Column("Bytes", 9, "number"), Column("Role", 8, "word"), Column("SHA-256", 32),
    Column("Answers", 24),
)  # fmt: skip
_COVERAGE = (Column("Limit", 24), Column("What is so", 76))


def _identity(one: ExhibitFacts) -> Iterator[tuple[str, Cell]]:
    yield "Seal (SHA-256)", Code(one.seal)
    yield "Source", f"{one.source}; adapter {one.adapter}; endpoint class {one.endpoint_class}"
    yield "Begun and ended (UTC)", f"{one.begun_at} to {one.ended_at}"
    yield "Examiner", one.actors.examiner
    yield "Authority", one.actors.authority
    yield from ((name, text) for name, text in (("Note", one.actors.note),) if text)
    yield "Outcome", sentence(OUTCOMES, one.outcome)
    yield "Check before this export", sentence(INTEGRITY, one.check.integrity)
    yield "Who attests the seal", stack(*attested_words(one.check.authenticity, one.check.attested))
    unchecked = ", ".join(f"{row.part}: {row.reason}" for row in one.check.not_checked)
    yield from ((name, text) for name, text in (("Not checked", unchecked),) if text)


def _asked(facts: Facts) -> Iterator[tuple[str, Cell]]:
    yield from ((name, stack(*texts)) for name, texts in gathered(facts))


def _got(one: ExhibitFacts) -> Iterator[tuple[str, Cell]]:
    counts = one.counts
    undecided = counts.sessions_seen - counts.sessions_kept - counts.sessions_excluded
    yield (
        "Sessions",
        (
            f"{counts.sessions_kept:,} kept, {counts.sessions_excluded:,} left out, {undecided:,} undecided, "
            f"of {counts.sessions_seen:,} seen"
        ),
    )
    yield "Sessions by outcome", ", ".join(f"{n:,} {plainly(outcome)}" for outcome, n in one.session_outcomes) or "none"
    yield "Messages", f"{counts.messages:,}"
    yield "Pages", f"{counts.pages:,} in {counts.walks:,} walks"
    yield "Payload", f"{counts.payload_bytes:,} bytes in {counts.items:,} files"


def _losses(one: ExhibitFacts) -> Iterator[tuple[Cell, ...]]:
    lost = one.counts.losses
    clipped = (
        ("our_limit", lost.clipped_by_our_limit),
        ("server_limit", lost.clipped_by_server_limit),
        ("marker", lost.clipped_marker),
        ("undetermined", lost.clipped_undetermined),
    )
    told = {"clipped": [(code_, count) for code_, count in clipped if count]}
    for kind, code_, count in one.gap_totals:
        told.setdefault(kind, []).append((code_, count))
    for kind, words in KINDS.items():
        rows = told.get(kind, [])
        yield plainly(kind), None if rows else 0, None, words
        yield from ((None, count, plainly(code_), sentence(WHY, code_)) for code_, count in rows)
    if lost.sessions_truncated_at_source:
        yield "beside these", lost.sessions_truncated_at_source, "sessions", sentence(WHY, "truncated_session")


def _gap(row: GapLine) -> tuple[Cell, ...]:
    source = ", ".join(f"{key} {display(word) if word is not None else 'null'}" for key, word in row.source)
    status = f"status {row.status}" if row.status is not None else None
    subject = display(row.subject) if row.subject is not None else None
    where = (
        row.session,
        f"page {row.page}" if row.page else None,
        f"entry {row.index}" if row.index is not None else None,
    )
    return (
        plainly(row.kind),
        row.count,
        stack(sentence(WHY, row.code), source and f"in the source's words: {source}", status, subject),
        stack(*where, Code(row.walk) if row.walk else None),
        way_cell(row.way),
    )


def _clipped(row: TruncationLine) -> tuple[Cell, ...]:
    basis = f"known by: {', '.join(plainly(word) for word in row.basis)}"
    raised = f"raise {row.raise_parameter} to get more" if row.raise_parameter else None
    kept = f"{row.kept_bytes:,} bytes kept"
    limit = f"limit {row.limit_bytes:,}" if row.limit_bytes is not None else None
    return (
        row.session,
        stack(f"{display(row.block_type)}: {sentence(WHY, row.by)}", basis, raised),
        stack(kept, limit),
        way_cell(row.way),
    )


def _session(row: SessionLine) -> tuple[Cell, ...]:
    counts = row.counts
    lost = (
        (counts.clipped_by_our_limit, "clipped by our limit"),
        (counts.clipped_by_server_limit, "clipped by the source"),
        (counts.clipped_undetermined, "clipped"),
        (counts.clipped_marker, "placeholders"),
        (counts.gaps, "gaps"),
    )
    truncated = "truncated at source" if row.truncated_at_source else None
    state = plainly(row.outcome or " ".join(filter(None, (row.decision, row.rule))) or "not stated")
    differ = f"differs between answers: {', '.join(row.disagree)}" if row.disagree else None
    person = row.user_email_address or row.user_id or row.agent_id
    return (
        row.session,
        stack(" ".join(filter(None, (row.family, row.surface or "-"))), code(person)),
        stack(moment(row.created_at), moment(row.updated_at)),
        counts.pages,
        counts.messages,
        stack(state, *(f"{count:,} {words}" for count, words in lost if count), truncated, differ),
        stack(
            code(row.id),
            *(Code(f"{way.item}#{way.pointer or ''}") for _, way in row.said),
            *(f"{k}: {v}" for k, v in briefly(row.more)),
        ),
    )


def _walk(row: WalkLine) -> tuple[Cell, ...]:
    asked = [f"{key}={text}" for key, text in row.parameters]
    return Code(row.walk), plainly(row.kind), stack(*asked), row.pages, row.records, plainly(row.ended or "no end")


def _item(row: ItemLine) -> tuple[Cell, ...]:
    answers = (code(row.request_id), f"journal row {row.row}" if row.row else None, moment(row.received_at))
    more = (f"{key}: {text}" for key, text in briefly(row.more))
    return Code(row.path), row.bytes, plainly(row.role), Code(row.sha256), stack(*answers, *more)


def _made_with(one: ExhibitFacts) -> Iterator[tuple[str, Cell]]:
    acts, clock = one.acts, one.clock
    if clock is not None:
        spread = f"median {clock.offset_median_ms} ms, from {clock.offset_min_ms} to {clock.offset_max_ms} ms"
        bound = f"each within {clock.bound_max_ms} ms, over {clock.answers:,} answers"
        yield "Source's clock minus ours", f"{spread}, {bound}"
    synchronised = {True: "yes", False: "no", None: "not known"}[one.host.clock_synchronised]
    yield "Machine's clock", f"zone {one.host.time_zone}; synchronised, as the system says: {synchronised}"
    yield from ((name, text) for name, text in (("Clock note", one.actors.clock_note),) if text)
    again = f"{acts.retried:,} made again after waiting {acts.waited_ms:,} ms in all"
    yield "Attempts", f"{acts.answered:,} answered, {again}, {acts.gave_up:,} ended without an answer"
    yield "Interruptions", stack(*(f"{at}: {purpose}, by {who}" for at, purpose, who in acts.resumed)) or "none"
    yield "Program", stack(f"{one.tool.name} {one.tool.version}, {one.tool.python}", Code(one.tool.code_digest))
    yield "Libraries", ", ".join(f"{name} {version}" for name, version in one.tool.dependencies)
    yield "Machine", f"{one.host.node}, {one.host.system}, {one.host.machine}, user {one.host.user}"
    yield from ((label(key), value(text)) for key, text in one.reach)
    if acts.command_line:
        yield "Command line", stack(*(Code(word) for word in acts.command_line))


def _coverage(one: ExhibitFacts) -> Iterator[tuple[Cell, ...]]:
    for limit in one.coverage:
        values = "; ".join(f"{plainly(key)}: {text}" for key, text in limit.values)
        yield Code(limit.code), stack(limit.statement, values or None)
