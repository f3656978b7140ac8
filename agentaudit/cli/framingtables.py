"""The framing of texts as tables: one block a text, or one row a text and blocks where something was found.

- Labels stand where words of the text would; with names shown, the words stand there.
- Findings are places: class, line, offset, length. What a line holds is never printed.
"""

from collections.abc import Iterator, Mapping

from agentaudit.cli.console import Console
from agentaudit.cli.tables import Column, pairs, table
from agentaudit.cli.words import counted, plainly, sized
from agentaudit.model.base import UNSET
from agentaudit.model.framing import FAULTS, FramingFacts, FramingFinding, JsonlFile, JsonlVerdict, StreamFault
from agentaudit.model.text import display

ROWS = 20
WORDS = 12
PLACES = 4

_STREAMS: dict[StreamFault, str] = {
    "truncated": "the stream breaks off before its end",
    "corrupt": "the stream cannot be decompressed to its end",
    "window_over_limit": "the stream asks for a window above 128 MiB",
    "expansion_over_limit": "the stream grows to more than 1,000 times its size",
}


def tell(console: Console, verdict: JsonlVerdict) -> None:
    """The verdict, to standard output."""
    blocks = verdict.files
    if len(verdict.files) > 1:
        table(console, _HEADINGS, [_row(text) for text in verdict.files])
        blocks = tuple(text for text in verdict.files if not _plain(text))
    for number, text in enumerate(blocks):
        if number or len(verdict.files) > 1:
            console.result()
        _block(console, text)


_HEADINGS = (
    Column("file"), Column("bytes", right=True), Column("lines", right=True), Column("objects", right=True),
    Column("findings", right=True), Column("notes", right=True), Column("verdict"),
)  # fmt: skip


def _row(text: JsonlFile) -> tuple[str, ...]:
    facts = text.facts
    if facts is None:
        return (_name(text), "", "", "", "", "", f"NOT READ: {plainly(text.unread or '')}")
    findings = sum(count for _, count in facts.findings_by_class)
    cells = (facts.lines, facts.ok_lines, findings, sum(note.lines for note in facts.notes))
    return (_name(text), f"{text.bytes:,}", *(f"{count:,}" for count in cells), _verdict(text, facts))


def _plain(text: JsonlFile) -> bool:
    """True when the row has said everything."""
    return text.facts is None or (text.facts.clean and text.stream_fault is None and text.facts.key_sets is UNSET)


def _name(text: JsonlFile) -> str:
    return text.label if text.name is None else display(text.name)


def _verdict(text: JsonlFile, facts: FramingFacts) -> str:
    if text.stream_fault is not None:
        return f"FAULT: {_STREAMS[text.stream_fault]}"
    return "clean" if facts.clean else "FINDINGS"


def _block(console: Console, text: JsonlFile) -> None:
    facts, words = text.facts, _words(text)
    if facts is None:
        console.result(f"{_name(text)}: not read: {plainly(text.unread or '')}")
        return
    console.result(f"{_name(text)}: {_verdict(text, facts)}")
    pairs(console, tuple(_facts(text, facts, words)))
    if facts.findings:
        console.result()
        columns = (Column("finding", whole=True), Column("line", right=True), Column("offset", right=True),
                   Column("length", right=True), Column("what"))  # fmt: skip
        table(console, columns, [_finding(one) for one in facts.findings[:ROWS]])
        more = sum(count for _, count in facts.findings_by_class) - min(ROWS, len(facts.findings))
        if more:
            console.result(f"  {counted(more, 'more finding')}; --json lists the first thousand")
    if facts.key_sets is not UNSET and facts.key_sets:
        console.result()
        rows = [(f"{one.lines:,}", " ".join(sorted(words.get(key, key) for key in one.keys))) for one in facts.key_sets]
        table(console, (Column("lines", right=True), Column("top-level keys")), rows[:ROWS])


def _words(text: JsonlFile) -> Mapping[str, str]:
    return {} if text.words is UNSET else {label: display(word) for label, word in text.words}


def _facts(text: JsonlFile, facts: FramingFacts, words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield "bytes", f"{text.bytes:,}" + (f", {text.compression} of {facts.bytes:,}" if text.compression else "")
    yield "SHA-256", _digest(text.sha256)
    if text.text_sha256 is not None:
        yield "of the text", _digest(text.text_sha256)
    yield "lines", f"{facts.lines:,}, the longest of {counted(facts.longest_line_bytes, 'byte')}"
    yield "objects", _objects(facts)
    yield "values", ", ".join(f"{kind} {count:,}" for kind, count in facts.kinds) or "none"
    if facts.types or facts.types_beyond:
        yield "types", _types(facts, words)
    for note in facts.notes:
        first = f", the first is line {note.first_line:,}" if note.first_line and note.lines > 1 else ""
        yield f"note {plainly(note.note)}", counted(note.lines, "line" if note.first_line else "text") + first
    if facts.second_look != "every_line":
        looked = f"the first {sized(facts.second_look_bytes)}; --thorough looks everywhere"
        yield "duplicates", f"looked for in {looked}"


def _objects(facts: FramingFacts) -> str:
    if facts.clean:
        return f"{facts.ok_lines:,}, one a line"
    return f"{facts.ok_lines:,} lines are one each, {facts.ok_after_first_finding:,} of them after the first finding"


def _types(facts: FramingFacts, words: Mapping[str, str]) -> str:
    shown = [f"{words.get(one.label, one.label)} {one.lines:,}" for one in facts.types[:WORDS]]
    rest = sum(one.lines for one in facts.types[WORDS:]) + facts.types_beyond
    return ", ".join((*shown, f"others {rest:,}") if rest else shown)


def _digest(digest: str | None) -> str:
    return (digest or "").removeprefix("sha256:")


def _finding(one: FramingFinding) -> tuple[str, ...]:
    name = f"{one.fault}:{one.value_count}" if one.fault in ("glued", "not_json_lines") else one.fault
    return (name, f"{one.line:,}", f"{one.offset:,}", f"{one.length:,}", "; ".join(_what(one)))


def _what(one: FramingFinding) -> Iterator[str]:
    yield FAULTS[one.fault]
    if one.fault in ("cut+object", "nul_prefix", "glued") and one.values:
        more = ", ..." if one.value_count > PLACES else ""
        yield f"at offset {', '.join(f'{value:,}' for value in one.values[:PLACES])}{more}"
    if one.nul_bytes and one.fault != "nul_run":
        yield counted(one.nul_bytes, "NUL byte")
    if one.bad_utf8_at is not None:
        yield f"not UTF-8 at offset {one.bad_utf8_at:,}"
