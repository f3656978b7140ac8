"""The bag's own files: BagIt 1.0 (RFC 8493), written strictly and read more strictly still.

- A manifest line is `<64 lower-case hex>  <path>`: the line of `sha256sum`, sorted by path.
- Payload names of ours never need percent-encoding; a name that would is a fault.
- Faults are values: the reader goes on with the next line.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agentaudit.format.layout import DATA, TAG_FILES, is_payload_name

BAGIT_TEXT = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"

LINE_MAX = 4_096

_LINE = re.compile(rb"([0-9a-f]{64})  ([^\r\n]+)\Z")


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of a manifest: the digest as 64 hex digits and the path."""

    path: str
    hex: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A manifest line that is none: line number from 1 and the rule it breaks (`form`, `name`, `twice`, `order`)."""

    line: int
    rule: str
    path: str = ""


def manifest_line(path: str, digest: str) -> bytes:
    """The line of a file, `sha256sum` style; `digest` is `sha256:<hex>`."""
    return f"{digest.removeprefix('sha256:')}  {path}\n".encode()


def read_manifest(lines: Iterable[bytes], *, tags: bool) -> Iterator[Listed | Fault]:
    """Each line of a payload manifest (or of a tag manifest when `tags`); lines come with their LF.

    A path is checked before anybody opens it: nothing outside `data/` for payload, only the fixed tag files
    for tags (RFC 8493, section 2.1.3 and 5.2).
    """
    last = ""
    for number, line in enumerate(lines, 1):
        row = _listed(number, line, tags=tags)
        if isinstance(row, Listed):
            if row.path == last:
                row = Fault(number, "twice", row.path)
            elif row.path < last:
                row = Fault(number, "order", row.path)
            else:
                last = row.path
        yield row


def _listed(number: int, line: bytes, *, tags: bool) -> Listed | Fault:
    match = _LINE.match(line[:-1]) if line.endswith(b"\n") and len(line) <= LINE_MAX else None
    if match is None:
        return Fault(number, "form")
    try:
        path = match.group(2).decode()
    except UnicodeDecodeError:
        return Fault(number, "form")
    known = path in TAG_FILES if tags else is_payload_name(path)
    return Listed(path, match.group(1).decode()) if known else Fault(number, "name", path)


def bag_info(rows: Iterable[tuple[str, str]]) -> bytes:
    """bag-info.txt: one `Label: value` a line; values hold no line breaks (RFC 8493, section 2.2.2)."""
    return "".join(f"{label}: {' '.join(text.split())}\n" for label, text in rows).encode()


def payload_oxum(octets: int, files: int) -> str:
    """`<octets>.<files>`, the quick check of RFC 8493, section 2.2.2."""
    return f"{octets}.{files}"


def is_below_data(path: str) -> bool:
    """True for a path of the payload."""
    return path.startswith(f"{DATA}/")
