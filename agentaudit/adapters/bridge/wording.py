"""Which foreign texts of the bridge may stand in a row: ids, names and words of the forms that it documents, and times.

- A text of another form is content, for all we know: it stays in the raw bytes, and the row says that it is odd.
- The forms are the bridge's own (ids `[A-Za-z0-9_.:-]{1,256}`, names of tools `[A-Za-z0-9_.-]{1,128}`).
"""

import re
from typing import Final

from agentaudit.encoding.foreign import Json

_ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,256}\Z")
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,128}\Z")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}\Z")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]{1,24}(?:Z|[+-]\d\d:?\d\d)?\Z", re.ASCII)
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")

NUMBER_MAX: Final = 2**53 - 1
"""The greatest integer that a row holds (RFC 8785, section 3.2.2.3)."""


def identifier(item: Json) -> str | None:
    """An id of the bridge or of the agent that it drives; None for anything else."""
    return item if isinstance(item, str) and _ID.match(item) else None


def tool_name(item: Json) -> str | None:
    """The name of a tool; None for anything else."""
    return item if isinstance(item, str) and _NAME.match(item) else None


def word(item: Json) -> str | None:
    """A word of a closed vocabulary, known or not; None for anything else."""
    return item if isinstance(item, str) and _WORD.match(item) else None


def time(item: Json) -> str | None:
    """A time as it was written; None for what has not the form of one."""
    return item if isinstance(item, str) and _TIME.match(item) else None


def number(item: Json) -> int | None:
    """A whole number that a row can hold and that is not negative; None for anything else."""
    if isinstance(item, bool) or not isinstance(item, int):
        return None
    return item if 0 <= item <= NUMBER_MAX else None


def is_job_id(text: str) -> bool:
    """True for the form that the bridge gives its jobs (a UUID): only such an id can be another client's job."""
    return _UUID.match(text) is not None
