"""Records of a made-up transcript, and the framing of a text in one call."""

import json
from dataclasses import replace
from itertools import pairwise

from agentaudit.encoding.jsonl.asked import Asked
from agentaudit.encoding.jsonl.framer import Framer
from agentaudit.encoding.jsonl.lanes import HereLane
from agentaudit.encoding.jsonl.ledger import Framed
from agentaudit.model.framing import FramingFacts, NoteKind

CANARY = "canary-" + "of-a-prompt"
ASKED = Asked(second_look_bytes=None)


def record(number: int, text: str = "some text", kind: str = "user") -> bytes:
    """One record, without its line feed; the text stands raw in it."""
    row = {
        "type": kind,
        "uuid": f"00000000-0000-4000-8000-{number:012}",
        "message": {"role": "user", "content": [{"type": "text", "text": text}]},
        "timestamp": f"2026-03-01T09:00:{number % 60:02}.000Z",
    }
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode()


def lines(*texts: bytes) -> bytes:
    """Each text with a line feed."""
    return b"".join(text + b"\n" for text in texts)


def framed(text: bytes, asked: Asked = ASKED, *, slot_bytes: int = 65_536, cuts: tuple[int, ...] = ()) -> Framed:
    """The framing of a text that is fed in the pieces between the cuts."""
    framer = Framer(HereLane(asked, slot_bytes))
    for begin, end in pairwise((0, *sorted(cut % (len(text) + 1) for cut in cuts), len(text))):
        framer.feed(text[begin:end])
    return framer.finish()


def facts(text: bytes, *, max_line_bytes: int | None = None, keys: bool = False) -> FramingFacts:
    """The facts of a text, every line looked at twice."""
    asked = replace(ASKED, keys=keys)
    return framed(text, replace(asked, max_line_bytes=max_line_bytes) if max_line_bytes else asked).facts


def places(found: FramingFacts) -> list[tuple[str, int, int, int]]:
    """Class, line, offset and length of each finding."""
    return [(one.fault, one.line, one.offset, one.length) for one in found.findings]


def noted(found: FramingFacts) -> dict[NoteKind, int]:
    """Each note with how many lines have it."""
    return {one.note: one.lines for one in found.notes}
