"""Witnesses: the history's sessions and running processes, by id and count."""

import pytest

from agentaudit.adapters.claude_code.witnesses import HistoryReading, Running, listed_in, running_of
from agentaudit.encoding.foreign import Json
from agentaudit.model.framing import label_of


def test_the_history_counts_lines_by_session() -> None:
    """The prompt is not touched, and a line without a session counts for none."""
    history = HistoryReading()
    records: tuple[Json, ...] = (
        {"sessionId": "a", "display": "x"},
        {"sessionId": "a"},
        {"sessionId": 1},
        {},
        [],
        {"sessionId": "b c"},
    )
    for record in records:
        history.see(record)
    assert dict(history.sessions) == {"a": 2, label_of("b c"): 1}
    assert not history.cut


def test_a_history_of_too_many_sessions_is_cut() -> None:
    """Memory is bounded, and the cut is said."""
    history = HistoryReading(limit=1)
    for session in ("a", "b", "a"):
        history.see({"sessionId": session})
    assert history.cut
    assert dict(history.sessions) == {"a": 2}


def test_a_running_session_names_process_and_session() -> None:
    """Both are facts of the file."""
    assert running_of({"pid": 4242, "sessionId": "s", "cwd": "/secret"}) == Running(4242, "s")


@pytest.mark.parametrize(
    "record",
    [
        None,
        {},
        {"pid": 1},
        {"pid": True, "sessionId": "s"},
        {"pid": -1, "sessionId": "s"},
        {"pid": 1, "sessionId": ""},
        {"pid": "1", "sessionId": "s"},
    ],
)
def test_a_file_that_says_less_is_none(record: Json) -> None:
    """A process without a session, or the reverse, is not taken."""
    assert running_of(record) is None


@pytest.mark.parametrize(
    ("record", "named"),
    [
        ({"entries": [{"sessionId": "a"}, {"sessionId": "b"}, {"sessionId": "a"}]}, {"a", "b"}),
        ({"entries": [None, 1, {}, {"sessionId": 7}]}, set()),
        ({"entries": {}}, None),
        ({}, None),
        ([], None),
        (None, None),
    ],
)
def test_a_listing_cache_names_sessions_or_is_none(record: Json, named: set[str] | None) -> None:
    """Naming nothing and being no listing are two things."""
    assert listed_in(record) == named
