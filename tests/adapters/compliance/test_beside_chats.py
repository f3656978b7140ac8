"""Projects and stored things as streams: ids, numbers and findings alone, in the order in which answers are fed."""

import json

import pytest
from msgspec.structs import replace

from agentaudit.adapters.compliance.chats import ChatReader, ChatReading
from agentaudit.adapters.compliance.naming import (
    CHATS_WALK,
    CODE_WALK,
    PROJECTS_WALK,
    chat_walk,
    place_of,
    project_walk,
    stored_walk,
)
from agentaudit.model.base import UNSET
from agentaudit.model.losses import Gap
from agentaudit.model.readings import UNREAD
from agentaudit.model.selection import ChatSelection
from agentaudit.model.stream import EventRow, StreamRow
from tests.support.openings import answered_row, opened_row

CONTENT = "what nobody but its reader may see"
EVERYTHING = ChatSelection(with_files=True, with_artifacts=True, with_code_artifacts=True, with_projects="listed")


def reading_of(selection: ChatSelection = EVERYTHING) -> ChatReading:
    """A reading of an exhibit of that selection."""
    return ChatReader().open(replace(opened_row(), selection=selection), ())


def fed(reading: ChatReading, walk: str, body: object, ask: int = 1) -> tuple[EventRow, ...]:
    """The events of one answer."""
    octets = body if isinstance(body, bytes) else json.dumps(body).encode()
    row = answered_row(walk, octets)
    item = replace(row.item, path=f"data/{walk}/000001-{ask}.bin")
    reading.feed(replace(row, ask=ask, item=item), octets)
    return tuple(reading.events())


def named(reading: ChatReading) -> None:
    """A chat in a project, whose message names one thing of each kind."""
    fed(reading, CHATS_WALK, {"data": [{"id": "c", "project_id": "p"}], "has_more": False})
    message = {
        "id": "m", "role": "user", "created_at": "2026-10-08T10:00:00Z",
        "files": [{"id": "f", "filename": CONTENT}, {"id": None}], "artifacts": [{"version_id": "v", "title": CONTENT}],
    }  # fmt: skip
    fed(reading, chat_walk(1), {"id": "c", "chat_messages": [message], "has_more": False})


def rows(reading: ChatReading, *gaps: Gap) -> dict[str, StreamRow]:
    """The streams by their keys."""
    assert tuple(reading.sessions((), gaps)) == ()
    return {row.stream: row for row in reading.streams()}


def gap(walk: str, code: str, **more: object) -> Gap:
    """A gap of a walk."""
    return Gap(kind="not_obtained", code=code, basis="status", walk=walk, **more)  # type: ignore[arg-type] # words of a test


def found(row: StreamRow) -> dict[str, int]:
    """The findings of a stream."""
    return {one.code: one.count for one in row.findings}


def test_what_a_message_names_is_an_event_each() -> None:
    """With the ids of chat, message and thing; one that cannot be asked for has no id and is found."""
    reading = reading_of()
    fed(reading, CHATS_WALK, {"data": [{"id": "c"}], "has_more": False})
    message = {"id": "m", "files": [{"id": "f"}, {}], "artifacts": [{"version_id": "v"}]}
    events = fed(reading, chat_walk(1), {"id": "c", "chat_messages": [message], "has_more": False})[1:]
    assert [(one.kind, one.id, one.place.pointer) for one in events] == [
        ("artifacts", "v", "/chat_messages/0/artifacts/0"),
        ("files", "f", "/chat_messages/0/files/0"),
        ("files", UNSET, "/chat_messages/0/files/1"),
    ]
    assert events[0].keys == (("artifact", "v"), ("chat", "c"), ("message", "m"))
    assert events[1].keys == (("chat", "c"), ("file", "f"), ("message", "m"))
    assert found(rows(reading)["chat/000001"])["unusable_id"] == 1


def test_a_thing_is_told_by_its_metadata_and_bytes() -> None:
    """Sizes, links and the item that holds; the name, the title and the type stay in the answers."""
    reading = reading_of()
    named(reading)
    about = {
        "id": "f", "filename": CONTENT, "mime_type": CONTENT, "size_bytes": 3, "created_at": "2026-10-08T10:00:00Z",
        "message_ids": ["m"], "claude_chat_ids": None, "md5": None,
    }  # fmt: skip
    walk = stored_walk("file", 1, "about")
    fed(reading, walk, about)
    assert reading.next_cursor() is None
    content = stored_walk("file", 1, "content")
    fed(reading, content, b"abc", ask=2)
    fed(reading, content, b"ab", ask=1)
    row = rows(reading)["file/000001"]
    assert (row.name, row.within, row.kind, row.first_at) == ("f", "chat/000001", "file", "2026-10-08T10:00:00Z")
    assert row.counts == (("messages", 1), ("stated_bytes", 3))
    assert row.item == f"data/{content}/000001-2.bin"
    assert (row.words, found(row)) == ((("of", "file"),), {"no_digest": 2, "size_differs": 1})
    assert CONTENT not in repr(row)


def test_metadata_of_another_thing_is_found() -> None:
    """An artifact is compared by its version, a document's answer too; what cannot be read says nothing."""
    reading = reading_of()
    named(reading)
    fed(reading, stored_walk("artifact", 1, "about"), {"id": "v", "version_id": "w"})
    fed(reading, project_walk(1, "attachments"), {"data": [{"type": "project_doc", "id": "d"}], "has_more": False})
    fed(reading, stored_walk("document", 1, "content"), {"id": "e", "content": "x"})
    fed(reading, stored_walk("document", 1, "content"), b"no json")
    fed(reading, stored_walk("document", 1, "about"), b"no json")
    assert reading.next_cursor() is UNREAD
    streams = rows(reading)
    assert found(streams["artifact/000001"]) == {"other_thing": 1}
    assert found(streams["document/000001"]) == {"no_digest": 1, "no_text": 1, "other_thing": 1}
    assert streams["document/000001"].within == "project/000001"


def test_the_gaps_say_what_became_of_a_thing() -> None:
    """Gone, refused, or without its metadata alone; nothing needs to have come. Other gaps say nothing of it."""
    reading = reading_of()
    named(reading)
    gaps = (
        gap(stored_walk("file", 1, "about"), "content_not_found"),
        gap(stored_walk("artifact", 1, "about"), "refused"),
        gap(stored_walk("artifact", 1, "content"), "body_over_limit"),
        gap(project_walk(1, "about"), "project_not_found"),
        gap(project_walk(2, "about"), "refused"),
        gap(project_walk(2, "collaborators"), "retries_exhausted"),
        gap(project_walk(1, "attachments"), "unreadable_answer", index=1),
        gap(chat_walk(1), "refused"),
        gap("elsewhere", "refused"),
        Gap(kind="excluded", code="category_excluded", basis="rule", walk=project_walk(1, "attachments")),
        Gap(kind="excluded", code="metadata_only", basis="rule"),
    )
    streams = rows(reading, *gaps)
    assert streams["file/000001"].words == (("of", "file"), ("state", "gone"))
    assert streams["artifact/000001"].words == (("about", "refused"), ("of", "artifact"), ("state", "body_over_limit"))
    assert streams["project/000001"].words == (("state", "gone"),)
    assert streams["project/000002"].words == (("collaborators", "retries_exhausted"), ("state", "refused"))
    assert (streams["project/000002"].name, streams["file/000001"].item) == (None, None)
    assert list(streams) == sorted(streams)


def test_a_project_shows_its_parts_without_content() -> None:
    """Attachments and collaborators are events; odd entries are found; a count that differs is found."""
    reading = reading_of()
    named(reading)
    fed(
        reading, PROJECTS_WALK, {"data": [{"id": "p", "name": CONTENT}, {"id": "p"}, {"id": "q"}, 5], "has_more": False}
    )
    user = {"id": "u", "email_address": CONTENT}
    detail = {
        "id": "p", "name": CONTENT, "instructions": CONTENT, "organization_uuid": "o", "user": user,
        "attachments_count": 5, "chats_count": True, "deleted_at": "2026-10-08T10:00:00Z",
    }  # fmt: skip
    fed(reading, project_walk(1, "about"), detail)
    fed(reading, project_walk(2, "about"), {"id": "other"})
    docs = [
        {"type": "project_doc", "id": "d", "filename": CONTENT, "created_at": "2026-10-08T10:00:00Z"},
        {"type": "project_file", "id": None}, {"type": CONTENT, "id": "x"}, 5,
    ]  # fmt: skip
    attached = fed(reading, project_walk(1, "attachments"), {"data": docs, "has_more": False, "next_page": None})
    assert [(one.kind, one.id) for one in attached] == [
        ("project_doc", "d"), ("project_file", UNSET), ("unknown", UNSET),
    ]  # fmt: skip
    assert attached[0].keys == (("file", "d"), ("project", "p"))
    people = [
        {"type": "user", "user_id": "u", "role": "owner", "granted_at": "2026-10-08T10:00:00Z"},
        {"type": "user", "user_id": None, "role": CONTENT}, {"type": "group", "group_id": "g", "role": "viewer"},
        {"type": "organization", "organization_uuid": "o", "role": "admin"}, {"type": CONTENT}, {"type": 7},
    ]  # fmt: skip
    granted = fed(reading, project_walk(1, "collaborators"), {"data": people, "has_more": False})
    assert [(one.kind, one.id, one.words) for one in granted] == [
        ("user", "u", (("role", "owner"),)), ("user", UNSET, ()), ("group", "g", (("role", "viewer"),)),
        ("organization", "o", (("role", "admin"),)), ("unknown", UNSET, ()), ("unknown", UNSET, ()),
    ]  # fmt: skip
    assert granted[0].keys == (("project", "p"), ("user", "u"))
    streams = rows(reading)
    assert found(streams["project/000001"]) == {
        "attachments_count_differs": 1, "deleted_by_user": 1, "listed_again": 1, "not_an_object": 1,
        "unknown_attachment": 1, "unknown_collaborator": 2, "unusable_id": 1,
    }  # fmt: skip
    assert streams["project/000001"].words == (("organization", "o"), ("state", "deleted"), ("user", "u"))
    assert streams["project/000001"].counts == (("attachments_count", 5),)
    assert (streams["project/000002"].name, found(streams["project/000002"])) == ("q", {"other_project": 1})
    assert CONTENT not in repr((streams, attached, granted))


def test_a_page_that_is_none_leads_nowhere() -> None:
    """A list of parts that cannot be read, or that says there is more without a token, is no page."""
    reading = reading_of()
    named(reading)
    fed(reading, project_walk(1, "attachments"), b"no json")
    assert reading.next_cursor() is UNREAD
    fed(reading, project_walk(1, "collaborators"), {"data": [], "has_more": True})
    assert reading.next_cursor() is UNREAD
    fed(reading, project_walk(1, "collaborators"), {"data": [], "has_more": True, "next_page": "t"})
    assert reading.next_cursor() == "t"


def test_the_limits_follow_what_was_asked_for() -> None:
    """Each option changes the sentence of its own kind, and no code."""
    nothing, everything = (reading_of(one).coverage() for one in (ChatSelection(), EVERYTHING))
    assert [one.code for one in nothing] == [one.code for one in everything] == sorted(one.code for one in nothing)
    changed = [one.code for one, other in zip(nothing, everything, strict=True) if one.statement != other.statement]
    assert changed == ["chats.artifacts", "chats.code_artifacts", "chats.files", "chats.projects"]


@pytest.mark.parametrize(
    ("walk", "told"),
    [
        (CODE_WALK, ("code_artifacts", 1, None, None)),
        (PROJECTS_WALK, ("projects", 1, None, None)),
        (project_walk(12, "about"), ("project", 12, None, "about")),
        (project_walk(1, "attachments"), ("attachments", 1, None, "attachments")),
        (project_walk(1, "collaborators"), ("collaborators", 1, None, "collaborators")),
        (stored_walk("artifact", 3, "content"), ("artifacts", 3, "artifact", "content")),
        (stored_walk("document", 3, "about"), ("documents", 3, "document", "about")),
        (stored_walk("file", 3, "about"), ("chat_files", 3, "file", "about")),
        (stored_walk("generated", 3, "content"), ("chat_files", 3, "generated", "content")),
    ],
)
def test_a_walk_s_name_says_what_was_asked(walk: str, told: tuple[object, ...]) -> None:
    """Kind, number, thing and part; and it sorts behind whatever names the thing."""
    place = place_of(walk)
    assert place is not None
    assert (place.kind, place.number, place.thing, place.part) == told
    assert chat_walk(999_999) < walk
    assert walk.startswith(("compliance/code/", "compliance/projects/")) or walk > project_walk(
        999_999, "collaborators"
    )


@pytest.mark.parametrize(
    "walk",
    ["compliance/stored/x000001/about", "compliance/stored/f1/about", project_walk(1, "content"), f"{CODE_WALK}s"],
)
def test_a_name_that_is_none_of_ours_says_nothing(walk: str) -> None:
    """A thing of no kind, a number without its zeros, the content of a project."""
    assert place_of(walk) is None
