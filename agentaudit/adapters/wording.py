"""Which foreign texts may stand in a row of an event: ids, names and words of plain forms, and times.

- A text of another form is content, for all we know: it stays in the raw bytes, and the row says that it is odd.
- Ids are `[A-Za-z0-9_.:-]{1,256}`, names of tools `[A-Za-z0-9_.-]{1,128}`; the bridge documents these very forms.
"""

import re
from typing import Final

from agentaudit.encoding.foreign import Json

_ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,256}\Z")
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,128}\Z")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}\Z")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]{1,24}(?:Z|[+-]\d\d:?\d\d)?\Z", re.ASCII)

NUMBER_MAX: Final = 2**53 - 1
"""The greatest integer that a row holds (RFC 8785, section 3.2.2.3)."""


def identifier(item: Json) -> str | None:
    """An id as sources make them; None for anything else."""
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
