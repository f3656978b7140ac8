"""A store in a temporary folder, and what the source makes of it."""

import os
from pathlib import Path

from agentaudit.model.survey import Seen
from agentaudit.sources.local.handles import Handles
from agentaudit.sources.local.owners import Owners
from agentaudit.sources.local.read import Read, Reader, Unread
from agentaudit.sources.local.survey import survey


def put(root: Path, path: str | bytes, octets: bytes = b"x") -> Path:
    """Write a file below the root, with its folders; its whole path."""
    whole = root / os.fsdecode(path)
    whole.parent.mkdir(parents=True, exist_ok=True)
    whole.write_bytes(octets)
    return whole


def surveyed(root: Path, *, by_handle: bool = True) -> list[Seen]:
    """The whole survey."""
    with Handles(os.fsencode(root), by_handle=by_handle) as handles:
        return list(survey("r1", handles, Owners()))


def entry(root: Path, path: str) -> Seen:
    """One entry of the survey."""
    (found,) = [seen for seen in surveyed(root) if seen.path == path]
    return found


def read(root: Path, seen: Seen, *, by_handle: bool = True) -> tuple[Read | Unread, bytes]:
    """Read one file: the result, and the bytes that were handed over."""
    into = bytearray()
    with Handles(os.fsencode(root), by_handle=by_handle) as handles:
        result = Reader(handles, Owners()).read(seen, into.extend)
    return result, bytes(into)
