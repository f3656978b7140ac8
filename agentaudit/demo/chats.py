"""Chats of the synthetic organisation and their messages (section 7.1).

Laws:
    - Oldest first by the sort key; a bound of the other key is refused, and so is a cursor of the other key.
    - `user_ids[]` are ten at most and go with no bound of update; `project_ids[]` and `before_id` need them.
    - Limits of tool text count characters: 10,000 unless told, -1 for none.
    - A deleted chat stays listed with an empty name, its messages come without content.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentaudit.demo.errors import Problem, Refusal, invalid
from agentaudit.demo.ids import plain
from agentaudit.demo.jsontext import stamp, text_of
from agentaudit.demo.params import Parameters
from agentaudit.demo.stored import Stored, entry, thing_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from agentaudit.demo.jsontext import Json
    from agentaudit.demo.stored import Family, Upload
    from agentaudit.demo.visit import Visit

_CHARS = 10_000
_MOST = 1_000
_USERS = 10
_SIGNS = ("gt", "gte", "lt", "lte")
_KEYS = ("created_at", "updated_at")
_MANY = ("organization_ids[]", "project_ids[]", "user_ids[]")
_CAPS = ("tool_use_input_max_chars", "tool_result_max_chars")
_LIST = (*(f"{key}.{sign}" for key in _KEYS for sign in _SIGNS), *_MANY, "after_id", "before_id", "limit", "order_by")
_MESSAGES = ("after_id", "before_id", "limit", "order", *_CAPS)
_NOT_FOUND = Problem(404, "not_found_error", "Chat not found")


@dataclass(frozen=True, slots=True)
class Said:
    """One message: its role, when it was said, its text, what a tool was given and gave, the things that it holds."""

    role: str
    at: datetime
    text: str
    tool_input: str | None = None
    tool_result: str | None = None
    files: tuple[Upload, ...] = ()
    generated: tuple[Upload, ...] = ()
    artifacts: tuple[Upload, ...] = ()


@dataclass(frozen=True, slots=True)
class Chat:
    """One chat: whose it is, where it hangs, its messages; `deleted_at` once its user deleted it."""

    id: str
    name: str
    at: datetime
    user: str
    email: str
    organization: str
    project: str | None
    messages: tuple[Said, ...]
    deleted_at: datetime | None = None

    @property
    def updated_at(self) -> datetime:
        """When the last message was said."""
        return self.messages[-1].at if self.messages else self.at

    def things(self) -> Iterator[Stored]:
        """What its messages hold, in order."""
        for number in range(len(self.messages)):
            yield from self.held(number)

    def held(self, number: int) -> Iterator[Stored]:
        """What one message holds."""
        said, message = self.messages[number], self.message_id(number)
        uploads: tuple[tuple[Family, tuple[Upload, ...]], ...] = (
            ("file", said.files),
            ("generated", said.generated),
            ("artifact", said.artifacts),
        )
        for family, some in uploads:
            for one in some:
                key = thing_id(family, message, one.name)
                yield Stored(key, family, one, said.at, self.user, self.email, self.organization, self.id, message)

    def message_id(self, number: int) -> str:
        """The id of one message."""
        return plain("claude_chat_msg_", self.id, number)


def chat_page(visit: Visit, chats: Sequence[Chat]) -> str:
    """The page of chats that a request asks for; Refusal 400 for a parameter or a cursor of another order."""
    asked = Parameters(visit.request, _LIST)
    key = asked.text("order_by") or "created_at"
    _require_consistent(asked, key)
    limit = asked.integer("limit", 100, 1, _MOST)
    rows = sorted((one for one in chats if _is_wanted(visit, one, asked)), key=lambda one: (_time(one, key), one.id))
    return _page([(_cursor(key, one.id), _row(visit, one)) for one in rows], asked, limit, "data", {})


def message_page(visit: Visit, chats: Sequence[Chat], identifier: str) -> str:
    """The chat with a page of its messages; Refusal 404 where the key reads no such chat."""
    asked = Parameters(visit.request, _MESSAGES)
    limit = asked.integer("limit", _MOST, 1, _MOST)
    caps = tuple(asked.integer(name, _CHARS, -1, 2**31 - 1) for name in _CAPS)
    chat = next((one for one in chats if one.id == identifier and visit.reaches(one.organization)), None)
    if chat is None:
        raise Refusal(_NOT_FOUND)
    rows = [_message(visit, chat, number, caps) for number in range(len(chat.messages))]
    if asked.order() == "desc":
        rows.reverse()
    return _page([(str(one["id"]), one) for one in rows], asked, limit, "chat_messages", _row(visit, chat))


def _require_consistent(asked: Parameters, key: str) -> None:
    if key not in _KEYS:
        raise invalid("order_by", "must be created_at or updated_at")
    other = _KEYS[1 - _KEYS.index(key)]
    if any(asked.text(f"{other}.{sign}") for sign in _SIGNS):
        raise invalid(f"{other}.gte", "must match order_by")
    if asked.many("user_ids[]", _USERS):
        if key == "updated_at":
            raise invalid("user_ids[]", "cannot be combined with updated_at")
    elif asked.many("project_ids[]", _MOST) or asked.text("before_id"):
        raise invalid("project_ids[]" if asked.text("before_id") is None else "before_id", "needs user_ids[]")


def _is_wanted(visit: Visit, one: Chat, asked: Parameters) -> bool:
    parts, projects, people = (asked.many(name, _MOST) for name in _MANY)
    within = all(_is_within(_time(one, key), key, asked) for key in _KEYS)
    return (
        within
        and visit.reaches(one.organization)
        and (not parts or one.organization in parts)
        and (not projects or one.project in projects)
        and (not people or one.user in people)
    )


def _is_within(at: datetime, key: str, asked: Parameters) -> bool:
    after, lower, upper, last = (asked.moment(f"{key}.{sign}") for sign in _SIGNS)
    return (
        (after is None or at > after)
        and (lower is None or at >= lower)
        and (upper is None or at < upper)
        and (last is None or at <= last)
    )


def _time(one: Chat, key: str) -> datetime:
    return one.at if key == "created_at" else one.updated_at


def _cursor(key: str, identifier: str) -> str:
    return plain("cursor_", key, identifier)


def _page(
    rows: list[tuple[str, dict[str, Json]]], asked: Parameters, limit: int, name: str, around: dict[str, Json]
) -> str:
    cursors = [cursor for cursor, _ in rows]
    after, before = asked.text("after_id"), asked.text("before_id")
    if after is not None and before is not None:
        raise invalid("after_id", "cannot be combined with before_id")
    for token in (after, before):
        if token is not None and token not in cursors:
            raise invalid("after_id", "is not a valid cursor")
    begins = 0 if after is None else cursors.index(after) + 1
    ends = len(rows) if before is None else cursors.index(before)
    begins = begins if before is None else max(0, ends - limit)
    part = rows[begins : min(ends, begins + limit)]
    more = begins > 0 if before is not None else len(rows) > begins + len(part)
    first, last = (part[0][0], part[-1][0]) if part else (None, None)
    return text_of({**around, name: [row for _, row in part], "has_more": more, "first_id": first, "last_id": last})


def _row(visit: Visit, one: Chat) -> dict[str, Json]:
    canary = visit.render.canary
    return {
        "id": one.id,
        "name": "" if one.deleted_at else canary.text(one.name),
        "created_at": stamp(one.at),
        "updated_at": stamp(one.updated_at),
        "deleted_at": None if one.deleted_at is None else stamp(one.deleted_at),
        "href": f"https://claude.ai/chat/{one.id}",
        "model": "claude-opus-4",
        "organization_uuid": one.organization,
        "project_id": one.project,
        "user": {"id": one.user, "email_address": canary.mail(one.email)},
    }


def _message(visit: Visit, chat: Chat, number: int, caps: tuple[int, ...]) -> dict[str, Json]:
    said, canary = chat.messages[number], visit.render.canary
    blocks: list[Json] = [{"type": "text", "text": canary.text(said.text), "truncated": False}]
    (tool_input, input_cut), (tool_result, result_cut) = (
        _capped(text, cap) for text, cap in zip((said.tool_input, said.tool_result), caps, strict=True)
    )
    if tool_input is not None:
        given = canary.text(tool_input)
        blocks.append({"type": "tool_use", "name": "search", "input": given, "truncated": input_cut})
    if tool_result is not None:
        texts = [{"type": "text", "text": canary.text(tool_result)}]
        blocks.append({"type": "tool_result", "content": texts, "truncated": result_cut})
    held: dict[Family, list[Json]] = {}
    for one in () if chat.deleted_at else chat.held(number):
        held.setdefault(one.family, []).append(entry(visit, one))
    return {
        "id": chat.message_id(number),
        "role": said.role,
        "created_at": stamp(said.at),
        "content": [] if chat.deleted_at else blocks,
        "files": held.get("file"),
        "generated_files": held.get("generated"),
        "artifacts": held.get("artifact"),
    }


def _capped(text: str | None, cap: int) -> tuple[str | None, bool]:
    """A tool's text within a limit of characters, and whether that shortened it."""
    cut = text is not None and 0 <= cap < len(text)
    return (text[:cap] if cut and text is not None else text), cut
