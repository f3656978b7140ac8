"""The ids of sessions in a file: one a line, as people write lists.

- Blank lines and lines that begin with # are passed over; a byte-order mark and CRLF do no harm.
- A file that names nothing is refused: an empty selection would mean every session.
"""

import os
from pathlib import Path

from agentaudit.errors import UsageFault

FILE_MAX_BYTES = 64 * 1024 * 1024


def ids_in_file(path: Path) -> tuple[str, ...]:
    """The ids of a file, verbatim, in their order; raises `UsageFault` (2) for a file that gives none."""
    try:
        with path.open("rb") as stream:
            content = stream.read(FILE_MAX_BYTES + 1)
    except OSError as error:
        raise UsageFault(f"cannot read {path}: {os.strerror(error.errno or 0)}", "give a file of ids") from None
    if len(content) > FILE_MAX_BYTES:
        raise UsageFault(f"{path} is larger than {FILE_MAX_BYTES} bytes", "give one session id a line")
    try:
        lines = [line.strip() for line in content.decode("utf-8-sig").splitlines()]
    except UnicodeDecodeError:
        raise UsageFault(f"{path} is not UTF-8", "give one session id a line") from None
    ids = tuple(line for line in lines if line and not line.startswith("#"))
    if not ids:
        raise UsageFault(f"{path} names no session", "give one session id a line")
    return ids
