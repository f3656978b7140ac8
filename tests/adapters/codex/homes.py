"""Synthetic homes: entries, rollout lines and ids for the tests of the adapter."""

from pathlib import Path

import orjson

from agentaudit.adapters.codex.members import Member, member_of
from agentaudit.encoding.foreign import Json
from agentaudit.model.local import EntryKind, FileState
from agentaudit.model.survey import Look, Parts, Problem, Seen, state_of
from agentaudit.model.text import SourceText

A = "01a2298b-c9f5-7e01-a8cd-5a9b03b68d0b"
B = "5973b6c0-94b8-487b-a530-2aeb6098ae0e"
C = "0c3a7ab1-1111-4222-8333-444455556666"
DAY = "sessions/2026/11/29"
STAMP = "2026-11-29T23-02-36"
SAMPLE = Path(__file__).parents[4] / "shared/samples/codex-0.171.0/exec/codex_home"


def rollout_name(thread: str = A, *, day: str = DAY, suffix: str = ".jsonl") -> str:
    """The path of a rollout."""
    return f"{day}/rollout-{STAMP}-{thread}{suffix}"


def parts_of(path: str) -> Parts:
    """The components of a path."""
    return tuple(path.encode().split(b"/"))


def look(size: int = 10, second: int = 100, inode: int = 7) -> Look:
    """A look at a file of that size, changed in that second."""
    return Look(
        size=size, modified_ns=second * 10**9, changed_ns=0, accessed_ns=0, born_ns=None, mode=0o100600, user_id=0,
        group_id=0, device=1, inode=inode, links=1, allocated=None,
    )  # fmt: skip


def state(size: int = 10, second: int = 100) -> FileState:
    """The same in the form that is written."""
    return state_of(look(size, second), None, None)


def seen(path: str, kind: EntryKind = "file", inode: int = 7, problem: Problem | None = None) -> Seen:
    """An entry of that path."""
    found = None if problem else look(inode=inode)
    return Seen(root="r1", parts=parts_of(path), kind=kind, look=found, problem=problem)


def member(
    name: SourceText,
    kind: EntryKind = "file",
    *,
    root: str = "r1",
    second: int = 100,
    session: str | None = None,
    looked: bool = True,
) -> Member:
    """A member of that name."""
    return member_of(root, name, kind, state(second=second) if looked else None, session)


def line(kind: str | None, payload: Json = None, *, ordinal: Json = None, at: str = "2026-11-29T23:02:36Z") -> Json:
    """The value of one line."""
    record: dict[str, Json] = {"timestamp": at, "type": kind, "payload": payload}
    if ordinal is not None:
        record["ordinal"] = ordinal
    return {key: value for key, value in record.items() if value is not None}


def text(record: object) -> bytes:
    """One line as it is written, without its line feed."""
    return orjson.dumps(record)
