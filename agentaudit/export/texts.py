"""One rendered text a session, for load files: the only files of an export that hold content.

- Lines of ours begin at the margin; content is indented by two, so that no message can speak in our voice.
- Control and bidi characters are written out; a line break of any kind is a line break.
- The order is the order of the source. Each message names the file, the place and the digest of its raw bytes.
"""

from collections.abc import Iterator

from agentaudit.export.document import ExhibitFacts
from agentaudit.export.visible import visible, visible_lines
from agentaudit.model.base import Unset
from agentaudit.model.readings import ProvenanceWords, Word
from agentaudit.model.text import display
from agentaudit.model.workingcopy import Block, Message, NotRead, Way

_LEGEND = (
    "Working copy for reading and searching. Not evidence: the evidence is the sealed exhibit.",
    "THIS FILE HOLDS CONTENT. Lines of the content are indented; lines at the margin are the program's.",
)


def head_lines(facts: ExhibitFacts, session: str) -> Iterator[bytes]:
    """The lines before the first message."""
    told = (
        *((facts.attention,) if facts.attention else ()),
        *_LEGEND,
        f"case {facts.case}, exhibit {facts.exhibit}, seal {facts.seal}",
        f"session {session}, in the order of the source",
    )
    yield from (_line(visible(words)) for words in told)


def message_lines(number: int, one: Message) -> Iterator[bytes]:
    """One message, with the way back to its raw bytes."""
    yield _line("")
    who = (_word(one.role) or _word(one.type), _word(one.created_at), _word(one.model), _word(one.id))
    yield _line(f"[{number}] {' '.join(visible(word) for word in who if word)}".rstrip())
    yield _line(f"    {_place(one.way)}")
    if isinstance(one.provenance, ProvenanceWords):
        words = f"{_word(one.provenance.type)} {_word(one.provenance.reason)}".strip()
        yield _line(f"    provenance, as the source says: {visible(words)}")
    if one.repeated:
        yield _line("    given before: the text stands at its first place")
        return
    for block in one.blocks:
        yield from _block_lines(block)


def unread_lines(one: NotRead) -> Iterator[bytes]:
    """Bytes that are in the exhibit and from which no message could be read."""
    yield _line("")
    yield _line(f"(no message could be read here: {visible(one.reason)})")
    yield _line(f"    {_place(one.way)}")


def tail_lines(asides: int) -> Iterator[bytes]:
    """The lines after the last message."""
    if asides:
        yield _line("")
        yield _line(f"({asides} records that are no messages stand in the raw bytes and not here)")


def _block_lines(block: Block) -> Iterator[bytes]:
    words = (display(block.type) or "block", _word(block.name), _word(block.id), _word(block.tool_use_id))
    marks = (
        "an error" if block.is_error is True else "",
        "shortened" if block.truncated is True or block.clips else "",
        "" if isinstance(block.unreadable, Unset) else f"here, and {block.unreadable}",
    )
    marked = f" [{', '.join(mark for mark in marks if mark)}]" if any(marks) else ""
    empty = "" if block.texts else " (no text)"
    yield _line(f"  -- {' '.join(visible(word) for word in words if word)}{marked}{empty}")
    for text in block.texts:
        yield from (_line(f"  {line}") for line in visible_lines(display(text)))


def _place(way: Way) -> str:
    line = "" if isinstance(way.line, Unset) else f", line {way.line}"
    offset = "" if isinstance(way.offset_bytes, Unset) else f" at byte {way.offset_bytes}"
    pointer = f"#{way.pointer}" if way.pointer else ""
    return f"{way.item}{pointer}{line}{offset} {way.sha256}"


def _line(text: str) -> bytes:
    return f"{text}\n".encode()


def _word(word: Word) -> str:
    return "" if word is None or isinstance(word, Unset) else display(word)
