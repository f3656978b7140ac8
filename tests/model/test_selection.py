"""What a selection says of itself."""

import pytest

from agentaudit.model.selection import ActivitySelection, ChatSelection, HandedOver, SiblingSelection, Window, is_asked


def test_every_sibling_s_selection_says_what_may_be_shown() -> None:
    """The base says nothing: a source that forgets to is found at once."""
    with pytest.raises(NotImplementedError):
        SiblingSelection().command()
    with pytest.raises(NotImplementedError):
        SiblingSelection().told()


def test_handed_over_files_are_told_by_number() -> None:
    """Paths are counted; what was let in is named; nothing was asked of an API."""
    asked = HandedOver(deposit="telemetry", paths=("/srv/a", "/srv/b"), included=("x",))
    assert asked.command() == "preserve-telemetry"
    assert asked.told() == (("handed over", "telemetry"), ("paths", "2"), ("with", "x"))
    assert not is_asked(asked)


def test_people_and_organisations_of_a_feed_are_counted() -> None:
    """Types and times are told, ids are not."""
    asked = ActivitySelection(
        window=Window(begins=None, ends=None), excluded_types=("a",), actors=("user_1",), organizations=("0", "1"),
        order="asc",
    )  # fmt: skip
    assert asked.command() == "collect-activities"
    assert asked.told() == (
        ("activities from", "the beginning"), ("until", "the moment of asking"), ("without type", "a"),
        ("actors", "1"), ("organisations", "2"), ("order", "oldest first"),
    )  # fmt: skip
    assert is_asked(asked)


def test_chats_tell_their_window_and_count_the_rest() -> None:
    """Ids of people, projects and chats are counted, never told."""
    assert ChatSelection(chats=("a", "b")).told() == (("chats", "2"),)
    beside = ChatSelection(chats=("a",), with_files=True, with_artifacts=True, with_projects="named")
    assert beside.told()[1:] == (("with", "files"), ("with", "artifacts"), ("projects read", "named"))
    code = ChatSelection(with_code_artifacts=True)
    assert code.told()[-1] == ("with", "code artifacts")
    asked = ChatSelection(window_kind="update", organizations=("o",))
    assert asked.command() == "collect-chats"
    assert is_asked(asked)
    assert asked.told() == (
        ("chats by", "update"), ("from", "the beginning"), ("until", "the moment of asking"), ("organisations", "1"),
    )  # fmt: skip
