"""One rendered text a session, for load files: the only files of an export that hold content.

- Lines of ours begin at the margin; content is indented by two, so that no message can speak in our voice.
- Control and bidi characters are written out; a line break of any kind is a line break.
- The order is the order returned. Each message names the file, the pointer and the digest of its raw bytes.
"""

from collections.abc import Iterator

from agentaudit.export.content import Passage
from agentaudit.export.document import ExhibitFacts
from agentaudit.export.visible import visible, visible_lines
from agentaudit.model.base import Unset
from agentaudit.model.readings import ProvenanceWords, RecordRow, Word
from agentaudit.model.tagfiles import ItemRow
from agentaudit.model.text import display

LEGEND = (
    "Working copy for reading and searching. Not evidence: the evidence is the sealed exhibit.",
    "THIS FILE HOLDS CONTENT. Lines of the content are indented; lines at the margin are the program's.",
)


def head(facts: ExhibitFacts, session: str) -> Iterator[bytes]:
    """The lines before the first message."""
    told = (
        *((facts.attention,) if facts.attention else ()),
        *LEGEND,
        f"case {facts.case}, exhibit {facts.exhibit}, seal {facts.seal}",
        f"session {session}, messages in the order returned",
    )
    yield from (_line(visible(words)) for words in told)


def message(number: int, record: RecordRow, item: ItemRow, found: tuple[Passage, ...] | None) -> Iterator[bytes]:
    """One message, with the way back to its raw bytes."""
    yield _line("")
    who = (_word(record.role), _word(record.created_at), _word(record.model), _word(record.id))
    yield _line(f"[{number}] {' '.join(visible(word) for word in who if word)}")
    yield _line(f"    {item.path}#{record.pointer} {item.sha256}")
    if record.repeated:
        yield _line("    given before: the text stands at its first place")
        return
    if isinstance(record.provenance, ProvenanceWords):
        reason = f"{_word(record.provenance.type)} {_word(record.provenance.reason)}".strip()
        yield _line(f"    provenance, as the source says: {visible(reason)}")
    if found is None:
        yield _line("    no message could be read at this place")
    for passage in found or ():
        yield _line(f"  -- {visible(passage.heading)}")
        yield from (_line(f"  {line}") for line in visible_lines(passage.text or ""))


def _line(text: str) -> bytes:
    return f"{text}\n".encode()


def _word(word: Word) -> str:
    return "" if word is None or isinstance(word, Unset) else display(word)
