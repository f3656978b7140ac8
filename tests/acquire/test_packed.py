"""A second look at the copy of a compressed text: bounded, never written, and said where it ended early."""

import os
from pathlib import Path

import msgspec
import pytest
import zstandard

from agentaudit.acquire.copying import Copied, CopyJob
from agentaudit.acquire.packed import looked_into
from agentaudit.errors import DestinationFault
from agentaudit.model.base import digest_of
from agentaudit.model.journal import PayloadFile
from agentaudit.model.survey import Seen, state_of
from agentaudit.sources.local.looking import look_of
from agentaudit.sources.local.read import Read, Unread
from tests.support.homing import lines

PATH = "data/rollout.jsonl.zst"
TEXT = lines(count=5)


def copy(tmp_path: Path, octets: bytes, *, packed: bool = True) -> Copied:
    """The copy of a rollout that was read as a whole."""
    place = tmp_path / PATH
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(octets)
    look = look_of(place.stat())
    state = state_of(look, None, None)
    job = CopyJob(
        Seen(root="r1", parts=(b"x",), kind="file", look=look), PATH, lines=False, stem=None, agent="codex",
        role="rollout_zst", packed=packed,
    )  # fmt: skip
    read = Read(
        before=state, after=state, change="none", taken=len(octets), hole_bytes=0, runs=None, attributes=None,
        access_time_kept=True,
    )  # fmt: skip
    return Copied(job, read, PayloadFile(path=PATH, bytes=len(octets), sha256=digest_of(octets)), None, None)


def squeezed(text: bytes) -> bytes:
    """The text, compressed."""
    return zstandard.ZstdCompressor().compress(text)


def test_the_text_is_framed_and_counted(tmp_path: Path) -> None:
    """The facts are of the text; the copy is left as it lies there, its time of access with it."""
    one = copy(tmp_path, squeezed(TEXT))
    os.utime(tmp_path / PATH, ns=(1_700_000_000_000_000_001, 1_700_000_000_000_000_002))
    found = looked_into(one, tmp_path)
    if hasattr(os, "O_NOATIME"):
        assert (tmp_path / PATH).stat().st_atime_ns == 1_700_000_000_000_000_001
    assert found.framing is not None
    assert (found.framing.lines, found.framing.bytes) == (5, len(TEXT))
    assert found.rollout is not None
    assert found.stream_fault is None
    assert (tmp_path / PATH).read_bytes() == squeezed(TEXT)
    assert found.item == one.item


@pytest.mark.parametrize(
    ("octets", "fault"),
    [
        (squeezed(TEXT * 2_000)[:-9], "truncated"),
        (b"not compressed at all", "corrupt"),
        (squeezed(TEXT) + b"what follows", "corrupt"),
    ],
)
def test_why_the_look_ended_early_is_said(tmp_path: Path, octets: bytes, fault: str) -> None:
    """A stream that is not whole, is none, or goes on as something else: never an error."""
    found = looked_into(copy(tmp_path, octets), tmp_path)
    assert found.stream_fault == fault
    assert found.framing is not None


def test_a_text_beyond_its_bound_is_not_read_on(tmp_path: Path) -> None:
    """What was framed before stands, and the fault says that it is not all."""
    whole = looked_into(copy(tmp_path, squeezed(TEXT)), tmp_path, text_max=len(TEXT))
    assert whole.stream_fault is None
    found = looked_into(copy(tmp_path, squeezed(TEXT)), tmp_path, text_max=len(TEXT) - 1)
    assert found.stream_fault == "expansion_over_limit"
    assert found.framing is not None
    assert found.framing.bytes < len(TEXT)


def test_what_is_no_compressed_text_or_no_whole_copy_is_not_looked_into(tmp_path: Path) -> None:
    """A plain one, one that could not be read, one of data runs alone, one without an item: as they were."""
    one = copy(tmp_path, squeezed(TEXT))
    assert isinstance(one.read, Read)
    unread = Unread(problem="vanished", error=None, taken=0)
    others = (
        copy(tmp_path, squeezed(TEXT), packed=False),
        msgspec.structs.replace(one, read=unread),
        msgspec.structs.replace(one, item=None),
        msgspec.structs.replace(one, read=msgspec.structs.replace(one.read, runs=((0, 1),))),
    )
    for other in others:
        assert looked_into(other, tmp_path) is other


def test_a_copy_that_cannot_be_read_again_is_a_fault_of_the_destination(tmp_path: Path) -> None:
    """Not of the source: the copy lies in the exhibit."""
    one = copy(tmp_path, squeezed(TEXT))
    (tmp_path / PATH).unlink()
    with pytest.raises(DestinationFault):
        looked_into(one, tmp_path)
