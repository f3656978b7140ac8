"""What chats and projects name, and which number it gets."""

from agentaudit.adapters.compliance.named import Mention, Named, attachment_of, mentions
from agentaudit.encoding.foreign import Json

MESSAGE: Json = {
    "files": [{"id": "f1"}, {"name": "none"}, 7],
    "generated_files": [{"id": "g1"}],
    "artifacts": [{"id": "a", "version_id": "v1"}, {"id": "a"}],
}


def test_a_message_names_versions_and_files() -> None:
    """Each with its place; an artifact by its version, never by the id that its versions share."""
    assert list(mentions(MESSAGE)) == [
        Mention("artifact", "v1", "/artifacts/0"),
        Mention("artifact", None, "/artifacts/1"),
        Mention("file", "f1", "/files/0"),
        Mention("file", None, "/files/1"),
        Mention("file", None, "/files/2"),
        Mention("generated", "g1", "/generated_files/0"),
    ]
    assert list(mentions({"files": None})) == []
    assert list(mentions(None)) == []


def test_an_attachment_is_told_by_its_type() -> None:
    """A type that nobody documented names nothing."""
    assert attachment_of({"type": "project_doc", "id": "d"}) == Mention("document", "d")
    assert attachment_of({"type": "project_file", "id": ".."}) == Mention("file", None)
    odd: tuple[Json, ...] = ({"type": "x"}, {"type": 5}, 5)
    assert [attachment_of(one) for one in odd] == [None, None, None]


def test_numbers_follow_who_named_first() -> None:
    """Chats by their numbers, then projects by theirs, whatever order they were read in; twice is once."""
    named = Named()
    named.attachment(1, Mention("file", "p"))
    named.attachment(1, Mention("file", "late"))
    named.message(2, (Mention("file", "late"), Mention("artifact", "v"), Mention("file", None)))
    named.message(1, (Mention("file", "early"),))
    assert named.things("file") == (("early", "chat/000001"), ("late", "chat/000002"), ("p", "project/000001"))
    assert named.things("document") == ()


def test_projects_of_chats_come_before_listed_ones() -> None:
    """In the order of the chats; what has no id cannot be asked for."""
    named = Named()
    named.chat(2, {"project_id": "second"})
    named.chat(1, {"project_id": "first"})
    named.chat(1, {"project_id": None})
    entries: tuple[Json, ...] = ({"id": "third"}, {"id": "first"}, {}, 5)
    assert [named.listed(entry) for entry in entries] == [True, True, False, False]
    assert named.projects() == ("first", "second", "third")
