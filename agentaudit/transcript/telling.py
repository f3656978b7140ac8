"""A piece of a copy as the few things that a page is made of; Markdown and HTML are two ways to write them down.

- Every text may be hostile: whoever writes it down makes it safe.
- A text of the transcript is a `Passage.texts`; everything else is ours, or a word of the source on a line of its own.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agentaudit.encoding import foreign
from agentaudit.export.sentences import WHY
from agentaudit.export.words import plainly, sentence
from agentaudit.model.base import UNSET, Unset
from agentaudit.model.readings import ProvenanceWords, Word
from agentaudit.model.text import SourceText, display
from agentaudit.model.workingcopy import Aside, Block, Message, NotRead, Piece, Way
from agentaudit.transcript.document import Loss
from agentaudit.transcript.words import ENCRYPTED, NOT_SHOWN, NOTES, STANDINGS, UNKNOWN, clip_words, join_words

Facts = tuple[tuple[str, str], ...]

_UNFOLDED = frozenset({"tool_use", "state", "other"})


@dataclass(frozen=True, slots=True)
class Passage:
    """One block: its heading, its facts, its texts (what each is, and the text), where it leads, what is to be marked.

    `leads` are (words, anchor) pairs; an empty anchor leads nowhere.
    """

    anchor: str
    heading: str
    facts: Facts
    texts: Facts
    leads: Facts
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """One piece: its kind (a word of ours), heading, facts, passages, and what must not be overlooked."""

    kind: str
    anchor: str
    heading: str
    facts: Facts
    marks: tuple[str, ...]
    passages: tuple[Passage, ...] = ()


def tell(pieces: Iterable[Piece]) -> Iterator[Told]:
    """The pieces as they are told: a new part is announced, and records in a row that are no messages are one."""
    part = ""
    row: list[Aside] = []
    for piece in pieces:
        begins = isinstance(piece, Message | NotRead | Aside) and piece.part != part
        if row and (begins or not isinstance(piece, Aside)):
            yield _asides(row)
            row = []
        if isinstance(piece, Message | NotRead | Aside) and begins:
            part = piece.part
            yield Told("part", "", f"From here on: {part}", (), ())
        if isinstance(piece, Aside):
            row.append(piece)
        else:
            yield _told(piece)
    if row:
        yield _asides(row)


def _told(piece: Piece) -> Told:
    match piece:
        case Message():
            return _message(piece)
        case Loss():
            return _loss(piece)
        case NotRead():
            heading = "Bytes that are here and could not be read as messages"
            return Told("lost", "", heading, _way(piece.way), (f"NOT READ: {plainly(piece.reason)}",))
        case _:
            raise TypeError(type(piece).__name__)


def _asides(row: list[Aside]) -> Told:
    """Records in a row that are no messages: how many of which type, and the way to the first of them."""
    types = Counter(display(one.type) or "of no type" for one in row)
    said = ", ".join(f"{count:,} {word}" for word, count in sorted(types.items()))
    return Told("aside", "", f"Not messages: {said}", _way(row[0].way), ())


def _message(one: Message) -> Told:
    role, time = text_of(one.role) or text_of(one.type) or "role not stated", text_of(one.created_at)
    known = one.role if one.role in ("user", "assistant") else "other"
    marks = () if one.standing in ("captured", "not_stated") else (STANDINGS[one.standing],)
    if not isinstance(one.note, Unset):
        marks = (*marks, NOTES[one.note])
    if one.repeated:
        marks = (*marks, "REPEATED: an earlier message of this copy has the same identity")
    if not one.blocks:
        marks = (*marks, "no content blocks")
    return Told(
        f"message {known}",
        f"m{one.number}",
        f"{one.number}. {role}{f', {time}' if time else ''}",
        (*_message_facts(one), *_way(one.way)),
        marks,
        tuple(_passage(block, one.number, place) for place, block in enumerate(one.blocks)),
    )


def _message_facts(one: Message) -> Iterator[tuple[str, str]]:
    yield from _stated((("record", one.type if isinstance(one.role, SourceText) else UNSET), ("model", one.model)))
    yield from _stated((("id", one.id),))
    yield "provenance", " ".join((STANDINGS[one.standing], *_provenance(one)))
    yield from ((name, display(word)) for name, word in one.facts)
    if one.unknown_fields:
        yield "members not shown", ", ".join(display(word) for word in one.unknown_fields)


def _provenance(one: Message) -> Iterator[str]:
    """The source's own words for it, where it has any."""
    if isinstance(one.provenance, ProvenanceWords):
        said = (text_of(one.provenance.type), text_of(one.provenance.reason))
        yield f"(the source says: {', '.join(word for word in said if word)})"


def _stated(words: tuple[tuple[str, Word], ...]) -> Iterator[tuple[str, str]]:
    for name, word in words:
        text = text_of(word)
        if text:
            yield name, text


def _way(way: Way) -> Facts:
    line = f", line {way.line} at byte {way.offset_bytes}" if not isinstance(way.line, Unset) else ""
    rest = (("request", way.request_id), ("journal row", None if way.row is None else str(way.row)))
    return (
        ("raw bytes", f"{way.item}#{way.pointer}{line}"),
        ("digest", way.sha256),
        *((name, word) for name, word in rest if word is not None),
    )


def _passage(block: Block, number: int, place: int) -> Passage:
    return Passage(
        anchor=f"m{number}b{place}",
        heading=_heading(block, place),
        facts=tuple(_block_facts(block)),
        texts=tuple(_texts(block)),
        leads=tuple(_leads(block)),
        marks=tuple(_marks(block)),
    )


def _heading(block: Block, place: int) -> str:
    name = text_of(block.name)
    kind = f"block of type {display(block.type) or 'not stated'}" if block.kind == "other" else plainly(block.kind)
    if block.kind in ("event", "state"):
        name = display(block.type)
    return f"block {place}: {kind}{f' {name}' if name else ''}"


def _block_facts(block: Block) -> Iterator[tuple[str, str]]:
    yield from _stated((("tool-use id", block.id if block.kind == "tool_use" else block.tool_use_id),))
    if isinstance(block.is_error, bool):
        yield "is error", str(block.is_error).lower()
    if block.truncated is True:
        yield "truncated, says the source", "true"
    if not isinstance(block.input_state, Unset):
        yield "input", plainly(block.input_state)
    yield from ((name, display(word)) for name, word in block.facts)
    line = f", line {block.way.line}" if not isinstance(block.way.line, Unset) else ""
    yield "raw bytes", f"{block.way.item}#{block.way.pointer}{line}"


def _texts(block: Block) -> Iterator[tuple[str, str]]:
    what = {"tool_use": "input, as received", "tool_result": "result"}.get(block.kind, "")
    several = len(block.texts) > 1
    for number, word in enumerate(block.texts):
        yield f"{what} {number}" if several else what, display(word)
        if block.kind in _UNFOLDED:
            yield from _unfolded(display(word))


def _unfolded(given: str) -> Iterator[tuple[str, str]]:
    """The members of an input that are texts of several lines, so that they can be read as such."""
    try:
        members = foreign.mapping(foreign.decode(given.encode("utf-8", "replace"))) or {}
    except foreign.NotJson:
        return
    for name, member in members.items():
        if isinstance(member, str) and "\n" in member.strip("\n"):
            yield f"the same: member {name}, with its lines", member


def _leads(block: Block) -> Iterator[tuple[str, str]]:
    if block.join is not None and block.join.to:
        yield join_words(block.join, is_call=block.kind == "tool_use"), ""
        yield from _places(block.join.to)
    if block.join is not None and block.join.events:
        yield "what the program recorded of it:", ""
        yield from _places(block.join.events)


def _places(places: tuple[tuple[int, int], ...]) -> Iterator[tuple[str, str]]:
    last = len(places) - 1
    for which, (number, place) in enumerate(places):
        yield f"message {number}, block {place}{'' if which == last else ';'}", f"m{number}b{place}"


def _marks(block: Block) -> Iterator[str]:
    yield from (clip_words(clip) for clip in block.clips)
    if block.join is not None and not block.join.to:
        yield join_words(block.join, is_call=block.kind == "tool_use")
    if not isinstance(block.unreadable, Unset):
        yield ENCRYPTED
    if block.kind == "other":
        yield UNKNOWN if block.texts else NOT_SHOWN


def _loss(one: Loss) -> Told:
    gap = one.gap
    said = (f"{name}: {display(word) if word is not None else 'null'}" for name, word in gap.source)
    facts = [("kind", plainly(gap.kind)), ("known by", gap.basis)]
    facts += [("walk", gap.walk)] if isinstance(gap.walk, str) else []
    facts += [("the source says", ", ".join(said))] if gap.source else []
    facts += [("status", str(gap.status))] if isinstance(gap.status, int) else []
    where = f"page {gap.page}" if isinstance(gap.page, int) else "the rest"
    return Told(
        "lost",
        "",
        f"NOT HERE: {where}",
        (*facts, *(_way(one.way) if one.way is not None else ())),
        (sentence(WHY, gap.code),),
    )


def text_of(word: Word) -> str:
    """A word of the source as text; nothing for null and for absent."""
    return "" if word is None or isinstance(word, Unset) else display(word)
