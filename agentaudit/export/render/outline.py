"""The document for people, as blocks: who, what, under which limits, what is missing, how to check.

- One outline for Markdown and HTML: they differ in how blocks are written down, not in what is said.
- Anything that did not come from the vendor is said before everything else, and again at its exhibit.
"""

from collections.abc import Iterator

from agentaudit.export.certificate import certification, preface
from agentaudit.export.document import CustodyLine
from agentaudit.export.dossier import Dossier
from agentaudit.export.render.blocks import Block, Grid, Heading, Pairs, Paragraph, Points
from agentaudit.export.render.cells import Cell, Code, Column
from agentaudit.export.render.chapter import exhibit_blocks
from agentaudit.export.render.telling import code, gathered, moment, stack
from agentaudit.export.sentences import OUTCOMES, cannot_show, how_to_verify
from agentaudit.export.words import plainly, sentence

NAMES_WITHHELD = (
    "E-mail addresses, true paths and command lines are left out; identifiers are not. An export with --show-names "
    "holds them; the exhibits hold them in any event."
)


_EXHIBITS = (
    Column("Exhibit", 9, "word"), Column("Source", 11), Column("Begun and ended (UTC)", 19),
    Column("Sessions", 7, "number"), Column("Messages", 8, "number"), Column("Outcome", 14),
    Column("Seal (SHA-256)", 32),
)  # fmt: skip
_MISSING = (
    Column("Exhibit", 12, "word"), Column("Clipped by our limit", 14, "number"),
    Column("Clipped by the source", 14, "number"), Column("Placeholders", 12, "number"),
    Column("Clipped, unclear", 12, "number"), Column("Unavailable", 12, "number"),
    Column("Not obtained", 12, "number"), Column("Excluded", 12, "number"),
)  # fmt: skip
_LEFT_OUT = (Column("Exhibit", 15, "word"), Column("Why", 85))
_ACTS = (
    Column("Row", 4, "number"), Column("When (UTC)", 15), Column("What", 8), Column("Who and under what", 17),
    Column("About", 34), Column("SHA-256 of the row", 22),
)  # fmt: skip


def outline(dossier: Dossier) -> Iterator[Block]:
    """The blocks in their order; rows are drawn only as they are written down."""
    yield from _head(dossier)
    for part in dossier.parts:
        yield from exhibit_blocks(part)
    yield from _custody(dossier)
    yield Heading(2, "How to verify without this program", "verify")
    yield from (_step(text) for text in how_to_verify())
    yield Heading(2, "What this cannot show", "cannot-show")
    yield Paragraph("No export of any exhibit can show:")
    yield Points(cannot_show())
    yield from _fact_sheet(dossier)


def _step(text: str) -> Paragraph:
    command = text.removeprefix("$ ")
    return Paragraph(command, "command") if command != text else Paragraph(text)


def title(dossier: Dossier) -> str:
    """The document's title."""
    case = dossier.facts.case
    return f"Case {case.number}: {case.title}" if case is not None else f"Exhibit {dossier.parts[0].facts.exhibit}"


def _head(dossier: Dossier) -> Iterator[Block]:
    facts = dossier.facts
    yield Heading(1, title(dossier))
    yield from (Paragraph(words, "attention") for words in facts.attention)
    yield Pairs(tuple(_matter(dossier)))
    if not facts.names_shown:
        yield Paragraph(NAMES_WITHHELD)
    yield Heading(2, "Exhibits", "exhibits")
    yield Grid("The exhibits of this export", _EXHIBITS, _exhibits(dossier))
    yield Grid("What is missing from them: four kinds, never one number", _MISSING, _missing(dossier))
    if facts.left_out:
        yield Grid("Exhibits of the case that this export does not tell of", _LEFT_OUT, iter(facts.left_out))


def _matter(dossier: Dossier) -> Iterator[tuple[str, Cell]]:
    case, head = dossier.facts.case, dossier.facts.custody_head
    yield "Document", "Manifest of sealed exhibits. Derived from them; not evidence itself, and always rebuildable."
    if case is not None:
        yield "Opened (UTC)", case.opened_at
        yield "Examiner", case.examiner
        yield "Authority", case.authority
        yield "Handling class", case.handling or "not stated"
    if head is not None:
        yield "Custody log up to", stack(f"row {head.seq}", Code(head.digest))
    else:
        yield "Custody log", "The exhibit was exported alone: there was no case around it."
    yield "Made by", dossier.facts.made_by


def _exhibits(dossier: Dossier) -> Iterator[tuple[Cell, ...]]:
    for part in dossier.parts:
        one = part.facts
        yield (
            Code(one.exhibit),
            stack(one.source, "not the vendor's" if one.attention else None),
            stack(moment(one.begun_at), moment(one.ended_at)),
            one.counts.sessions_kept,
            one.counts.messages,
            sentence(OUTCOMES, one.outcome).partition(":")[0],
            Code(one.seal),
        )


def _missing(dossier: Dossier) -> Iterator[tuple[Cell, ...]]:
    for part in dossier.parts:
        lost = part.facts.counts.losses
        clipped = (lost.clipped_by_our_limit, lost.clipped_by_server_limit, lost.clipped_marker)
        gaps = (lost.unavailable, lost.not_obtained, lost.excluded)
        yield (Code(part.facts.exhibit), *clipped, lost.clipped_undetermined, *gaps)


def _custody(dossier: Dossier) -> Iterator[Block]:
    yield Heading(2, "Custody log", "custody")
    if not dossier.custody:
        yield Paragraph("There was none beside the exhibit.")
        return
    yield Paragraph(
        "Each row holds the SHA-256 of the row before it. This export ends at the last row below; its own row comes "
        "after it."
    )
    yield Grid("Custody log", _ACTS, (_act(line) for line in dossier.custody))


def _act(line: CustodyLine) -> tuple[Cell, ...]:
    who = stack(line.actors.examiner, line.actors.authority, f"{line.user} on {line.host}", line.tool)
    told = (f"{plainly(key)}: {one}" for key, texts in gathered(line.facts) for one in texts)
    noted = stack(*told, line.actors.note, line.actors.clock_note)
    return line.seq, moment(line.at), plainly(line.event), who, noted, code(line.sha256)


def _fact_sheet(dossier: Dossier) -> Iterator[Block]:
    yield Heading(2, "Fact sheet for a person's certification", "fact-sheet", page=True)
    yield Paragraph(preface())
    for heading, facts in certification(dossier):
        yield Heading(3, heading)
        yield Pairs(facts, blanks=True)
