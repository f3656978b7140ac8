"""The law: what one physical line is, by the exact reader alone.

- A line is judged by itself; nothing is known of the lines around it.
- A byte-order mark before a line's text is passed over and noted (RFC 8259, section 8.1), wherever a line begins.
- The structure is judged first: a line is `invalid_utf8` only when nothing else is wrong with it.
"""

from dataclasses import dataclass

from agentaudit.encoding.jsonl.broken import broken
from agentaudit.encoding.jsonl.grammar import Octets, Outcome, Reader, space_end
from agentaudit.encoding.jsonl.traits import bad_utf8_at, has_lone_surrogate
from agentaudit.model.framing import FaultClass, NoteKind, ValueKind

BOM = b"\xef\xbb\xbf"
_KINDS: dict[int, ValueKind] = {
    0x7B: "object", 0x5B: "array", 0x22: "string", 0x74: "boolean", 0x66: "boolean", 0x6E: "null",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judged:
    """One line: its fault or None, its complete values (first offsets, all counted), their kinds, its notes.

    Offsets count within the line. A line of bytes that are not UTF-8 counts no value.

    `begins` is where the value of a line without fault begins; None for a line of white space.
    """

    fault: FaultClass | None = None
    values: tuple[int, ...] = ()
    count: int = 0
    kinds: tuple[ValueKind, ...] = ()
    notes: tuple[NoteKind, ...] = ()
    nul_bytes: int = 0
    bad_utf8_at: int | None = None
    begins: int | None = None


def judge(line: Octets, *, tail: bool = False) -> Judged:
    """Judge a line without its line feed; `tail` says that the text ends with it and no line feed does."""
    at = len(BOM) if line.startswith(BOM) else 0
    notes: tuple[NoteKind, ...] = ("bom",) if at else ()
    begins = space_end(line, at)
    if begins == len(line):
        return Judged(notes=(*notes, "whitespace_line" if len(line) > at else "empty_line"))
    reader = Reader()
    outcome = reader.read(line, begins)
    if outcome is Outcome.COMPLETE and space_end(line, reader.at) == len(line):
        return _one_value(line, begins, notes, huge=reader.huge)
    found = broken(line, begins, tail=tail)
    kinds = tuple(kind_at(line, value) for value in found.values)
    return Judged(found.fault, found.values, found.count, kinds, notes, found.nul_bytes, bad_utf8_at(line))


def kind_at(line: Octets, at: int) -> ValueKind:
    """The kind of the value that begins there."""
    return _KINDS.get(line[at], "number")


def _one_value(line: Octets, begins: int, notes: tuple[NoteKind, ...], *, huge: bool) -> Judged:
    kind = kind_at(line, begins)
    bad = bad_utf8_at(line)
    if bad is not None:
        return Judged("invalid_utf8", notes=notes, bad_utf8_at=bad)
    if huge:
        notes = (*notes, "huge_integer")
    if has_lone_surrogate(line):
        notes = (*notes, "lone_surrogate")
    return Judged(None if kind == "object" else "non_object", (begins,), 1, (kind,), notes, begins=begins)
