"""The ground of the readings of handed-over files."""

import pytest

from agentaudit.adapters.handed_over.reading import ADAPTER, FilesReading, HandedOverReader
from agentaudit.format.readings import EventReading, PageReader, StoreReading
from agentaudit.model.storejournal import StoreFacts
from tests.support.openings import answered_row, entry_row, kept_row, opened_row


@pytest.fixture
def reading() -> FilesReading:
    """A reading of an exhibit whose files no adapter reads."""
    return HandedOverReader().open(opened_row(), ())


def test_it_is_a_reader_and_a_reading_of_events(reading: FilesReading) -> None:
    """It fits what the package asks of an adapter."""
    reader: PageReader = HandedOverReader()
    assert reader.name == ADAPTER
    assert isinstance(reading, EventReading)
    assert isinstance(reading, StoreReading)


def test_each_kept_file_is_a_stream_and_no_more(reading: FilesReading) -> None:
    """Nothing is said of a file that nobody looked into, but that it is here."""
    reading.entry(entry_row(1, "a/b.json"))
    reading.store(StoreFacts(survey=1, history=(), history_cut=False, running=(), switches=()))
    reading.kept(kept_row(1))
    assert reading.payload(kept_row(1)) is None
    assert (tuple(reading.events()), tuple(reading.clipped()), tuple(reading.sessions((), ()))) == ((), (), ())
    (stream,) = reading.streams()
    assert (stream.stream, stream.kind, stream.events, stream.form) == ("file/000001", "file", 0, None)
    assert [limit.code for limit in reading.coverage()] == ["handed_over"]


def test_the_true_name_is_known_from_the_last_survey(reading: FilesReading) -> None:
    """A survey that begins anew takes the place of the one before; a row without an entry has no name."""
    reading.entry(entry_row(1, "old.json"))
    reading.entry(entry_row(2, "gone.json"))
    reading.entry(entry_row(1, "a/b.json"))
    assert reading.parts_of(kept_row(1)) == (b"a", b"b.json")
    assert reading.parts_of(kept_row(2)) == ()


def test_an_answer_gives_nothing(reading: FilesReading) -> None:
    """Files have no pages."""
    assert reading.feed(answered_row("w", b"{}"), b"{}") == ((), ())
