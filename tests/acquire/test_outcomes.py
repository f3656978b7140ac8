"""What a copy gave, on its way from one process to another."""

import os
import pickle
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from agentaudit.acquire.copying import Copied, CopyJob, copy_file
from agentaudit.acquire.outcomes import Full, Plain, copied_of, outcome_of
from agentaudit.package.disk import SystemDisk
from agentaudit.package.item import free_item
from agentaudit.sources.local.handles import Handles
from agentaudit.sources.local.owners import Owners
from agentaudit.sources.local.read import Read, Reader
from agentaudit.sources.local.survey import survey


def copied(tmp_path: Path, *, lines: bool = False, meanwhile: Callable[[Path], object] = lambda _path: None) -> Copied:
    """A file that was surveyed, to which something happened, and which was copied then."""
    (tmp_path / "store").mkdir()
    (tmp_path / "exhibit").mkdir()
    path = tmp_path / "store/a.jsonl"
    path.write_bytes(b'{"type":"user"}\n')
    with Handles(os.fsencode(path.parent)) as handles, Handles(os.fsencode(path.parent)) as own:
        seen = next(survey("r1", own, Owners()))
        meanwhile(path)
        job = CopyJob(seen, "copy", lines=lines, stem=None)
        place = tmp_path / "exhibit"
        return copy_file(
            job, Reader(handles, Owners()), lambda name: free_item(place, name, SystemDisk()), lambda _octets: None
        )


def arrived(given: Copied) -> Copied:
    """What the other side makes of it."""
    return copied_of(given.job, pickle.loads(pickle.dumps(outcome_of(given))))  # noqa: S301 - our own


def test_a_file_to_which_nothing_happened_travels_in_the_short_form(tmp_path: Path) -> None:
    """Neither its job nor its states go with it, and what arrives is what was sent."""
    found = copied(tmp_path)
    assert isinstance(outcome_of(found), Plain)
    assert arrived(found) == found
    assert found.item is not None


@pytest.mark.parametrize("happened", ["lines", "grew", "gone", "touched"])
def test_what_differs_travels_as_a_whole(tmp_path: Path, happened: str) -> None:
    """Lines that were read, a file that grew since the survey, one that is gone, one whose times were set."""
    doings: dict[str, Callable[[Path], object]] = {
        "lines": lambda _path: None,
        "grew": lambda path: path.write_bytes(b"longer than it was before"),
        "gone": lambda path: path.unlink(),
        "touched": lambda path: os.utime(path, ns=(1, 1)),
    }
    found = copied(tmp_path, lines=happened == "lines", meanwhile=doings[happened])
    assert isinstance(outcome_of(found), Full)
    assert arrived(found) == found


@pytest.mark.parametrize("change", [{"hole_bytes": 1}, {"runs": ((0, 1),)}, {"change": "moved"}, {"taken": 1}])
def test_a_read_that_says_more_travels_as_a_whole(tmp_path: Path, change: dict[str, object]) -> None:
    """Holes, runs, a change, or fewer bytes than the file has."""
    found = copied(tmp_path)
    assert isinstance(found.read, Read)
    more = msgspec.structs.replace(found, read=msgspec.structs.replace(found.read, **change))
    assert isinstance(outcome_of(more), Full)
    assert arrived(more) == more


def test_a_short_form_without_a_state_is_a_fault_of_ours(tmp_path: Path) -> None:
    """A file that the survey could not look at is not copied."""
    found = copied(tmp_path)
    blind = msgspec.structs.replace(found.job, seen=msgspec.structs.replace(found.job.seen, state=None))
    with pytest.raises(ValueError, match="looked at before"):
        copied_of(blind, outcome_of(found))
