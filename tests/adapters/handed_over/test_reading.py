"""The ground of the readings of handed-over files."""

import pytest

from agentaudit.adapters.handed_over.reading import ADAPTER, FilesReading, HandedOverReader
from agentaudit.format.readings import EventReading, PageReader, StoreReading
from agentaudit.model.base import digest_of
from agentaudit.model.journal import PayloadFile
from agentaudit.model.local import FileState, nano_instant
from agentaudit.model.storejournal import Entry, Kept, StoreFacts
from tests.support.openings import answered_row, opened_row


def _state() -> FileState:
    at = nano_instant(1_767_225_600_000_000_000)
    return FileState(
        size_bytes=1, modified_at=at, changed_at=at, accessed_at=at, born_at=None, mode=0o100600, user_id=0,
        group_id=0, owner=None, group=None, device="1", inode="1", links=1, allocated_bytes=None,
    )  # fmt: skip


def _entry(number: int, name: str) -> Entry:
    return Entry(
        survey=1, root="r1", number=number, name=name, kind="file", state=_state(), decision="preserve",
        rule="selected", role="handed_over", category="handed-over", session=None,
    )  # fmt: skip


def _kept(number: int) -> Kept:
    return Kept(
        survey=1, root="r1", entry=number, role="handed_over", session=None,
        item=PayloadFile(path=f"data/telemetry/r1/shared/files/{number:06d}.bin", bytes=1, sha256=digest_of(b"a")),
        before=_state(), after=None, change="none", complete=True, tries=1, access_time_kept=None,
    )  # fmt: skip


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
    reading.entry(_entry(1, "a/b.json"))
    reading.store(StoreFacts(survey=1, history=(), history_cut=False, running=(), switches=()))
    reading.kept(_kept(1))
    assert reading.payload(_kept(1)) is None
    assert (tuple(reading.events()), tuple(reading.clipped()), tuple(reading.sessions((), ()))) == ((), (), ())
    (stream,) = reading.streams()
    assert (stream.stream, stream.kind, stream.events, stream.form) == ("file/000001", "file", 0, None)
    assert [limit.code for limit in reading.coverage()] == ["handed_over"]


def test_the_true_name_is_known_from_the_last_survey(reading: FilesReading) -> None:
    """A survey that begins anew takes the place of the one before; a row without an entry has no name."""
    reading.entry(_entry(1, "old.json"))
    reading.entry(_entry(2, "gone.json"))
    reading.entry(_entry(1, "a/b.json"))
    assert reading.parts_of(_kept(1)) == (b"a", b"b.json")
    assert reading.parts_of(_kept(2)) == ()


def test_an_answer_gives_nothing(reading: FilesReading) -> None:
    """Files have no pages."""
    assert reading.feed(answered_row("w", b"{}"), b"{}") == ((), ())
