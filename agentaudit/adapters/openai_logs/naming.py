"""The names of the walks over log files, and what an address says: which file was asked for.

- A walk's name holds counters only: lists are numbered as their event types were named, files as they were listed.
- Lists come before files in the order of paths, so that a file is read when what its list says of it is known.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import unquote

_FORM: Final = re.compile(r"openai-logs/(?:context/l([0-9]{6,9})|files/f([0-9]{6,9}))\Z")
_FILE: Final = re.compile(r"/logs/([^/?]+)\Z")


@dataclass(frozen=True, slots=True)
class LogPlace:
    """What a walk's name says: a list or a file, and its number (from 1)."""

    part: Literal["list", "file"]
    number: int


def list_walk(number: int) -> str:
    """`openai-logs/context/l000001` for the list of the first event type."""
    return f"openai-logs/context/l{number:06d}"


def file_walk(number: int) -> str:
    """`openai-logs/files/f000001` for the first file."""
    return f"openai-logs/files/f{number:06d}"


def place_of(walk: str) -> LogPlace | None:
    """What the name says; None when it is no name of ours."""
    found = _FORM.match(walk)
    if found is None:
        return None
    return LogPlace("list", int(found[1])) if found[1] else LogPlace("file", int(found[2]))


def file_asked(url: str) -> str | None:
    """The id of the file in the address of the source; None where it names none."""
    found = _FILE.search(url)
    return unquote(found[1]) if found else None
