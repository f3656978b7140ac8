"""Spills: which files and agents the result of a tool names."""

import pytest

from agentaudit.adapters.claude_code.spills import Naming, agent_in, last_component, named_in_message, named_in_result
from agentaudit.encoding.foreign import Json


def message(content: Json) -> Json:
    """A user's message with one tool result."""
    return {"content": [{"type": "tool_result", "content": content}]}


def test_a_path_of_any_system_ends_in_its_name() -> None:
    """Both separators separate: the path is that of another host."""
    assert last_component("/h/.claude/projects/-p/s/tool-results/b1.txt") == "b1.txt"
    assert last_component("C:\\u\\tool-results\\b1.txt") == "b1.txt"


@pytest.mark.parametrize(
    ("size", "said"), [(108_894, 108_894), (None, None), ("108", None), (True, None), (-1, None), (2**60, None)]
)
def test_a_result_names_the_file_it_was_spilled_into(size: Json, said: int | None) -> None:
    """The path's last component, and the size where it is a number."""
    result: Json = {"persistedOutputPath": "/x/tool-results/b1.txt", "persistedOutputSize": size}
    assert list(named_in_result(result)) == [Naming("b1.txt", said)]


@pytest.mark.parametrize("result", [None, "text", [], {}, {"persistedOutputPath": 1}, {"persistedOutputPath": "x/"}])
def test_another_result_names_nothing(result: Json) -> None:
    """A string, a list or a path without a name is no naming."""
    assert list(named_in_result(result)) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "<persisted-output>\nOutput too large (106.3KB). Full output saved to: /x/tool-results/b1.txt\n\nPre",
            "b1.txt",
        ),
        (
            "Error: result (9 characters) too long. Output has been saved to C:\\x\\tool-results\\m-1.json.\nF",
            "m-1.json",
        ),
        ("saved to /a b/tool-results/x.txt", "x.txt"),
    ],
)
def test_the_words_in_place_of_a_result_name_its_file(text: str, name: str) -> None:
    """As a plain text or as a part of a list."""
    assert list(named_in_message(message(text))) == [Naming(name)]
    assert list(named_in_message(message([{"type": "text", "text": text}, "x", {"text": 1}]))) == [Naming(name)]


@pytest.mark.parametrize(
    "odd",
    [
        None,
        "saved to: /x/tool-results/b1.txt",
        {"content": "saved to: /x/tool-results/b1.txt"},
        {"content": [{"type": "text", "text": "saved to: /x/tool-results/b1.txt"}, 1]},
        message("see tool-results/b1.txt"),
        message("x" * 2000 + "saved to: /x/tool-results/b1.txt"),
        message(None),
    ],
)
def test_the_same_words_elsewhere_name_nothing(odd: Json) -> None:
    """Only the beginning of a tool result speaks for the product."""
    assert list(named_in_message(odd)) == []


@pytest.mark.parametrize(
    ("holder", "agent"),
    [({"agentId": "a1"}, "a1"), ({"agentId": ""}, None), ({"agentId": 1}, None), ("a1", None), ({}, None)],
)
def test_a_result_names_the_agent_it_comes_from(holder: Json, agent: str | None) -> None:
    """Only a text that is not empty is an id."""
    assert agent_in(holder) == agent
