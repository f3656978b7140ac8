"""What the framing of a JSON Lines text is found to be: the same facts for a checked file and a preserved transcript.

- A finding says that a physical line is not one complete JSON object; a note says that it is one, and unusual.
- Places are exact and content-free: line numbers count from 1, offsets and lengths are bytes of the text.
- Words of the text (values of `type`, key names) appear as hashed labels only; the words themselves never do.
"""

from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import Literal

import msgspec

from agentaudit.model.base import UNSET, Digest, Frozen, Unset
from agentaudit.model.text import SourceText

FaultClass = Literal[
    "cut", "cut+object", "glued", "nul_run", "nul_prefix", "nul_suffix", "incomplete_tail", "not_json_lines",
    "non_object", "invalid_utf8", "over_limit", "depth", "bad_json",
]  # fmt: skip
NoteKind = Literal[
    "empty_file", "empty_line", "whitespace_line", "no_final_lf", "bom", "crlf", "lone_cr", "lone_surrogate",
    "huge_integer", "duplicate_key", "line_separator",
]  # fmt: skip
ValueKind = Literal["object", "array", "string", "number", "boolean", "null"]
SecondLook = Literal["every_line", "head", "not_asked"]
Compression = Literal["gzip", "zstd"]
StreamFault = Literal["truncated", "corrupt", "window_over_limit", "expansion_over_limit"]
UnreadReason = Literal["not_found", "denied", "special", "unreadable"]

FAULTS: Mapping[FaultClass, str] = MappingProxyType(
    {
        "cut": "a value breaks off before the line ends",
        "cut+object": "a value breaks off, and a complete object follows on the same line",
        "glued": "several complete values on one line",
        "nul_run": "nothing but NUL bytes",
        "nul_prefix": "NUL bytes, then a complete value",
        "nul_suffix": "a complete value, then NUL bytes",
        "incomplete_tail": "the last line breaks off and has no line feed",
        "not_json_lines": "the text is one or more JSON documents spread over lines",
        "non_object": "a complete JSON value that is no object",
        "invalid_utf8": "bytes that are not UTF-8",
        "over_limit": "longer than the limit: hashed and counted, not judged",
        "depth": "nested deeper than 1,024 levels",
        "bad_json": "not JSON",
    }
)


class FramingFinding(Frozen, frozen=True, kw_only=True):
    """One line that is not one complete JSON object; `length` is in bytes without the line feed.

    `values` are the offsets of the first complete values on the line, `value_count` counts them all. `bad_utf8_at` is
    the offset of the first byte that is not UTF-8 (RFC 3629), None when all are. The place of `not_json_lines` is the
    whole text.
    """

    fault: FaultClass = msgspec.field(name="class")
    line: int
    offset: int
    length: int
    values: tuple[int, ...] = ()
    value_count: int = 0
    nul_bytes: int = 0
    bad_utf8_at: int | None = None


class FramingNote(Frozen, frozen=True, kw_only=True):
    """A valid but unusual trait: how many lines have it, and the first of them (None: it is one of the whole text)."""

    note: NoteKind
    lines: int
    first_line: int | None


class LabelCount(Frozen, frozen=True, kw_only=True):
    """A word of the text as a label, and on how many lines it stands."""

    label: str
    lines: int


class KeySetCount(Frozen, frozen=True, kw_only=True):
    """The names of an object's top-level keys as sorted labels, and how many lines have exactly these."""

    keys: tuple[str, ...]
    lines: int


class FramingFacts(Frozen, frozen=True, kw_only=True):
    """What was found in one text; counts cover every line, lists are the first of each (see `encoding.jsonl`).

    `ok_lines` are lines that are one complete object; `values` counts every complete value that can be read, also
    the several on a glued line. `final_newline` is None for an empty text. `types` counts the strings under the
    top-level key `type`. The second look finds the notes `duplicate_key` and `line_separator`; `second_look_bytes`
    is how far into the text it went.
    """

    bytes: int
    lines: int
    ok_lines: int
    ok_after_first_finding: int
    values: int
    longest_line_bytes: int
    final_newline: bool | None
    findings: tuple[FramingFinding, ...]
    findings_by_class: tuple[tuple[FaultClass, int], ...]
    notes: tuple[FramingNote, ...]
    kinds: tuple[tuple[ValueKind, int], ...]
    types: tuple[LabelCount, ...]
    types_beyond: int
    key_sets: tuple[KeySetCount, ...] | Unset = UNSET
    key_sets_beyond: int | Unset = UNSET
    second_look: SecondLook
    second_look_bytes: int

    @property
    def clean(self) -> bool:
        """True when no line has a finding."""
        return not self.findings_by_class


class JsonlFile(Frozen, frozen=True, kw_only=True):
    """One text of `verify-jsonl`: as it was given, read and judged; exactly one of `facts` and `unread` is not None.

    `name` is None unless names are shown; the label of a name is that of its text. `bytes` and `sha256` are of the
    file as it lies there; a compressed one has the digest of its text beside it, and what is wrong with the stream.
    `words` are the words behind the labels of the facts, when names are shown.
    """

    label: str
    name: SourceText | None
    bytes: int
    sha256: Digest | None
    compression: Compression | None
    text_sha256: Digest | None
    stream_fault: StreamFault | None
    unread: UnreadReason | None
    facts: FramingFacts | None
    words: tuple[tuple[str, SourceText], ...] | Unset = UNSET


class JsonlVerdict(Frozen, frozen=True, kw_only=True):
    """What `verify-jsonl` says, as `--json` prints it: each text in the order in which it was given.

    `clean` is true when every text was read and has neither findings nor a fault of its stream.
    """

    result: Literal["jsonl_verdict"] = "jsonl_verdict"
    clean: bool
    max_line_bytes: int
    files: tuple[JsonlFile, ...]


def label_of(word: str) -> str:
    """The label of a word: `#` and the first ten hex digits of its SHA-256 (UTF-8, surrogates passed through)."""
    return "#" + sha256(word.encode("utf-8", "surrogatepass")).hexdigest()[:10]
