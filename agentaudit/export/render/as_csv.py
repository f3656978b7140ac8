"""Tables for spreadsheets, one a file: safe to open, and every cell can be had back as it was.

- UTF-8 with a byte-order mark (without it spreadsheets guess another encoding), CRLF, every cell in quotes
  (RFC 4180). An empty cell is null, empty, or not stated.
- **Prefix.** A cell that a spreadsheet could take for a formula gets one apostrophe in front: one that begins with
  `=`, `+`, `-`, `@`, TAB, CR, LF or an apostrophe, or whose first character that can be seen is one of the first
  four, in ASCII or full width. To undo it, take away one leading apostrophe where there is one: `plain_cell` does.
- Numbers of ours are digits and have no prefix, also below zero. A text that looks like a number or a date stays a
  text only for a reader who imports its column as text.
- The first column heads every row whose exhibit did not come from the vendor.
"""

import unicodedata
from collections.abc import Iterator

from agentaudit.export.dossier import Dossier, Rendered
from agentaudit.export.render.tables import TABLES, Field, Table

BOM = b"\xef\xbb\xbf"
MARK = "'"

_BEGINS = frozenset("=+-@\t\r\n'")
_FORMULA = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")
_UNSEEN = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})


def render_csv(dossier: Dossier) -> Iterator[Rendered]:
    """One file for each table, with the rows of every exhibit in it."""
    for table in TABLES:
        yield Rendered(f"{table.name}.csv", _pieces(table, dossier))


def safe_cell(text: str) -> str:
    """The text as it may stand in a cell; `plain_cell` gives it back."""
    return MARK + text if text[:1] in _BEGINS or _first_seen(text) in _FORMULA else text


def plain_cell(cell: str) -> str:
    """The text that `safe_cell` made this cell of."""
    return cell.removeprefix(MARK)


def _first_seen(text: str) -> str:
    return next((c for c in text if unicodedata.category(c) not in _UNSEEN), "")


def _pieces(table: Table, dossier: Dossier) -> Iterator[bytes]:
    yield BOM + _line(table.columns)
    for row in table.rows(dossier):
        yield _line(row)


def _line(row: tuple[Field, ...]) -> bytes:
    return (",".join(_cell(field) for field in row) + "\r\n").encode()


def _cell(field: Field) -> str:
    text = "" if field is None else str(field) if isinstance(field, int) else safe_cell(field)
    return '"' + text.replace('"', '""') + '"'
