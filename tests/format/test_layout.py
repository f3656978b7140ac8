"""Names in a case and in an exhibit."""

import pytest

from agentaudit.format import layout


@pytest.mark.parametrize(
    "path", ["data/a", "data/compliance/local/s000012/messages/000003.json", "data/set-aside/000001"]
)
def test_a_payload_name_is_plain(path: str) -> None:
    """Lower-case counters below data."""
    assert layout.is_payload_name(path)


@pytest.mark.parametrize(
    "path",
    [
        "", "data", "data/", "/data/a", "data//a", "data/../a", "data/./a", "./data/a", "other/a", "data/A", "data/a b",
        "data/a%20b", "data/\u00e9", "data/a\\b", "data/.a", "data/-a", "data/a.", "data/nul", "data/com1.json",
        "data/" + "a" * 101, "data/" + "/".join(["aaaa"] * 50), "data/a\n", "data/a\0", "C:/data/a", "~/data/a",
    ],
)  # fmt: skip
def test_any_other_name_is_none(path: str) -> None:
    """Nothing that leaves the folder, and nothing that another system reads otherwise."""
    assert not layout.is_payload_name(path)


@pytest.mark.parametrize(("name", "number"), [("EX-0001", 1), ("EX-0012.partial", 12), ("EX-12345", 12345)])
def test_an_exhibit_has_a_number(name: str, number: int) -> None:
    """With and without .partial; a number of five digits is longer."""
    assert layout.exhibit_number(name) == number
    assert name.startswith(layout.exhibit_name(number))


@pytest.mark.parametrize("name", ["EX-001", "ex-0001", "EX-0001x", "EX-0001.partial.partial", "reports"])
def test_any_other_folder_has_none(name: str) -> None:
    """Four digits at least, and nothing behind them."""
    assert layout.exhibit_number(name) is None


def test_counters_are_padded() -> None:
    """Pages sort as texts; a second question for a page says so."""
    assert layout.answer_path("w/s000001", 3, 1, "json") == "data/w/s000001/000003.json"
    assert layout.answer_path("w/s000001", 3, 2, "json") == "data/w/s000001/000003-2.json"


def test_copies_that_travel_are_named_for_their_exhibit() -> None:
    """The folder in which they lie beside an exhibit is not taken for a case."""
    assert layout.travelling_names("EX-0002") == ("EX-0002.case.json", "EX-0002.custody.jsonl")
