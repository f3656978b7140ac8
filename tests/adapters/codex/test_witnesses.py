"""Witnesses: threads that the history and the index name; ids and counts alone."""

import pytest

from agentaudit.adapters.codex.witnesses import HistoryReading, IndexReading
from agentaudit.encoding.foreign import Json
from agentaudit.model.framing import label_of
from tests.adapters.codex.homes import A, B


def test_lines_of_the_history_are_counted_by_thread() -> None:
    """A prompt is not touched; an id of another form is a label."""
    reading = HistoryReading()
    for thread in (A, B, A, "not an id"):
        reading.see({"session_id": thread, "ts": 1, "text": "private"})
    assert reading.sessions == {A: 2, B: 1, label_of("not an id"): 1}
    assert not reading.cut


def test_the_index_names_threads_by_another_key() -> None:
    """Names of threads are not touched."""
    reading = IndexReading()
    reading.see({"id": A, "thread_name": "private", "updated_at": "x"})
    reading.see({"session_id": B})
    assert reading.sessions == {A: 1}


@pytest.mark.parametrize("record", [None, [], "x", {}, {"session_id": 5}])
def test_a_line_that_names_none_is_passed_over(record: Json) -> None:
    """Framing speaks of it."""
    reading = HistoryReading()
    reading.see(record)
    assert reading.sessions == {}


def test_the_threads_are_bounded() -> None:
    """Beyond the bound a new one is not counted, a known one is."""
    reading = HistoryReading(limit=1)
    for thread in (A, B, A):
        reading.see({"session_id": thread})
    assert (reading.sessions, reading.cut) == ({A: 2}, True)
