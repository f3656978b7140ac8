"""Names of walks: counters only, readable again, and sorted as they were walked."""

import pytest

from agentaudit.adapters.compliance.naming import (
    ORGANIZATIONS_WALK,
    Place,
    context_walk,
    list_walk,
    messages_walk,
    place_of,
    session_walk,
)
from agentaudit.format.layout import answer_path, is_payload_name

NAMES = {
    ORGANIZATIONS_WALK: Place("organizations"),
    context_walk(1, "settings"): Place("settings", number=1),
    context_walk(12, "users"): Place("users", number=12),
    list_walk("local", 1): Place("local_list", "local", None, 1),
    list_walk("remote", 12): Place("remote_list", "remote", None, 12),
    session_walk("local", "s000012"): Place("local_retrieve", "local", "s000012"),
    messages_walk("local", "s000012", 1): Place("local_messages", "local", "s000012", 1),
    messages_walk("remote", "s1234567", 3): Place("remote_messages", "remote", "s1234567", 3),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_says_what_it_was_made_from(name: str) -> None:
    """Every name is read back to its place, and is one that every checker reads alike."""
    assert place_of(name) == NAMES[name]
    assert is_payload_name(answer_path(name, 1, 1, "json"))


@pytest.mark.parametrize(
    "name",
    [
        "",
        "compliance/local/s12/messages",
        "compliance/remote/s000012/session",
        "compliance/local/s000012/session02",
        "compliance/local/lists/l1",
        "compliance/context/organizations/x",
        "compliance/context/o0001/roles",
        "other/local/lists/l01",
        "compliance/context/o" + "1" * 5_000 + "/users",
        "compliance/local/s00000\N{ARABIC-INDIC DIGIT ONE}/messages",
    ],
)
def test_no_other_name_is_one_of_ours(name: str) -> None:
    """A stranger's folder says nothing."""
    assert place_of(name) is None


def test_the_order_of_the_paths_is_the_order_of_the_walks() -> None:
    """Context, local lists, local sessions, remote lists, remote sessions; walks that began anew come after."""
    walks = [
        context_walk(1, "settings"),
        ORGANIZATIONS_WALK,
        list_walk("local", 1),
        list_walk("local", 2),
        *(messages_walk("local", "s000001", number) for number in range(1, 13)),
        session_walk("local", "s000001"),
        messages_walk("local", "s000002", 1),
        list_walk("remote", 1),
        messages_walk("remote", "s000003", 1),
    ]
    paths = [answer_path(walk, page, 1, "json") for walk in walks for page in (1, 2)]
    assert paths == sorted(paths)
    assert walks == sorted(walks)
