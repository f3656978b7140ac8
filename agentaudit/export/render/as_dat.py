r"""manifest.dat: a Concordance load file, one row a session, with the path of its rendered text.

- Fields are parted by U+0014 and stand between U+00FE; a line break in a field is U+00AE. UTF-8 with a byte-order
  mark, CRLF, the names of the fields in the first row.
- The form has no escapes: where a text itself holds one of these three characters, it is written `\u0014`, `\u00fe`
  or `\u00ae`. What cannot be seen is written out as everywhere.
- Paths are relative to the load file, with backslashes, as such files have them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from agentaudit.export.dossier import Dossier, Part
from agentaudit.export.lines import SessionLine
from agentaudit.export.visible import visible
from agentaudit.model.base import Digest, moment_of
from agentaudit.model.text import display

NAME = "manifest.dat"
_BOM = b"\xef\xbb\xbf"
_PART = "\x14"
_QUOTE = "\xfe"
_BREAK = "\xae"

FIELDS = (
    "DOCID", "ATTENTION", "CASE", "EXHIBIT", "SEAL", "SESSION", "SESSIONID", "FAMILY", "SURFACE", "CUSTODIAN", "EMAIL",
    "ORGANIZATION", "DATEFIRST", "DATELAST", "DECISION", "OUTCOME", "TRUNCATEDATSOURCE", "PAGES", "MESSAGES",
    "TOOLUSES", "CLIPPED", "GAPS", "SOURCEITEM", "SOURCESHA256", "SOURCEREQUEST", "TEXTSHA256", "TEXTSIZE", "TEXTPATH",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TextFile:
    """The rendered text of a session as it was written: its name in the export's folder, size, SHA-256."""

    name: str
    bytes: int
    sha256: Digest


TextOf = Callable[[str, str], TextFile | None]
"""The text of a session, by exhibit and session key; None where there is none."""


def text_name(exhibit: str, session: str) -> str:
    """The name of a session's text in the export's folder."""
    return f"texts/{exhibit}/{session}.txt"


def load_file(dossier: Dossier, text_of: TextOf) -> Iterator[bytes]:
    """The load file, row by row; the texts are written before it."""
    yield _BOM + _line(FIELDS)
    for part in dossier.parts:
        for line in part.rows.sessions():
            yield _line(_row(dossier, part, line, text_of(line.exhibit, line.session)))


def _row(dossier: Dossier, part: Part, line: SessionLine, text: TextFile | None) -> Iterable[str]:
    facts, counts = part.facts, line.counts
    clipped = (
        counts.clipped_by_our_limit + counts.clipped_by_server_limit + counts.clipped_undetermined
        + counts.clipped_marker
    )  # fmt: skip
    case = dossier.facts.case
    way = line.said[0][1] if line.said else None
    return (
        f"{facts.exhibit}-{line.session}", facts.attention or "", case.number if case is not None else facts.case,
        facts.exhibit, facts.seal, line.session, display(line.id) if line.id is not None else "", line.family or "",
        line.surface or "", line.user_id or line.agent_id or "", line.user_email_address or "",
        line.organization_uuid or "", _date(line.created_at), _date(line.updated_at), line.decision or "",
        line.outcome or "", "Y" if line.truncated_at_source else "N", str(counts.pages), str(counts.messages),
        str(counts.tool_uses), str(clipped), str(counts.gaps),
        f"{way.item}#{way.pointer or ''}" if way is not None else "", way.sha256 or "" if way is not None else "",
        way.request_id or "" if way is not None else "", text.sha256 if text is not None else "",
        str(text.bytes) if text is not None else "", text.name.replace("/", "\\") if text is not None else "",
    )  # fmt: skip


def _date(words: str | None) -> str:
    """A time of the source in UTC, as RFC 3339 has it; words that are no time stand as they are."""
    try:
        return moment_of(words or "").isoformat().replace("+00:00", "Z")
    except ValueError:
        return words or ""


def _line(fields: Iterable[str]) -> bytes:
    return (_PART.join(f"{_QUOTE}{field_text(one)}{_QUOTE}" for one in fields) + "\r\n").encode()


def field_text(text: str) -> str:
    """A text as it may stand between two qualifiers."""
    shown = "\n".join(visible(line, keep=_PART) for line in text.splitlines()) if text else ""
    for character in (_PART, _QUOTE, _BREAK):
        shown = shown.replace(character, f"\\u{ord(character):04x}")
    return shown.replace("\n", _BREAK)
