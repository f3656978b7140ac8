"""What every acquisition does round its source: room, an interrupted exhibit, who acts."""

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest

from agentaudit.acquire.progress import State
from agentaudit.acquire.runs import FREE_LOW_BYTES, FREE_MIN_BYTES, check_place, hand_of, recorded_partial
from agentaudit.errors import DestinationFault, NotSealed, PackageFault
from agentaudit.format import layout
from agentaudit.model.actors import Said
from agentaudit.package.case import load_case
from tests.support.around import ACTORS, surroundings
from tests.support.storing import storing


class _Usage(NamedTuple):
    total: int
    used: int
    free: int


@dataclass
class Hearing:
    """A listener that remembers warnings."""

    warnings: list[str] = field(default_factory=list)

    def show(self, state: State) -> None:
        """Nothing is shown here."""
        raise AssertionError(state)

    def warn(self, sentence: str) -> None:
        """Remember."""
        self.warnings.append(sentence)


def free(monkeypatch: pytest.MonkeyPatch, octets: int) -> None:
    """A volume with so many bytes free."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: _Usage(2**50, 0, octets))


@pytest.mark.parametrize("wanted", [0, 5 * 2**30])
def test_too_little_room_is_refused_before_anything_is_begun(monkeypatch: pytest.MonkeyPatch, wanted: int) -> None:
    """What the copies take counts; a byte less than enough is too little, and enough is enough."""
    free(monkeypatch, FREE_MIN_BYTES + wanted - 1)
    with pytest.raises(DestinationFault, match="bytes free") as told:
        check_place(Path("/case"), Hearing(), wanted)
    assert told.value.exit_status == 7
    free(monkeypatch, FREE_MIN_BYTES + wanted)
    check_place(Path("/case"), Hearing(), wanted)


def test_little_room_is_warned_about_and_much_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence with the number."""
    heard = Hearing()
    free(monkeypatch, FREE_LOW_BYTES - 1)
    check_place(Path("/case"), heard)
    assert heard.warnings == ["the case's volume has 1023 MiB free; this can need more"]
    free(monkeypatch, FREE_LOW_BYTES)
    check_place(Path("/case"), silent := Hearing())
    assert silent.warnings == []


def test_what_cannot_be_gone_on_with_says_why(tmp_path: Path) -> None:
    """Nothing there, sealed already, ended before its first row, a journal that does not begin."""
    with pytest.raises(DestinationFault, match="is not there"):
        recorded_partial(tmp_path / "EX-0001.partial")
    (tmp_path / "EX-0001").mkdir()
    with pytest.raises(DestinationFault, match="is sealed already"):
        recorded_partial(tmp_path / "EX-0001.partial")
    partial = tmp_path / "EX-0002.partial"
    (partial / layout.JOURNAL).parent.mkdir(parents=True)
    with pytest.raises(NotSealed, match="no journal"):
        recorded_partial(partial)
    (partial / layout.JOURNAL).write_bytes(b"")
    with pytest.raises(PackageFault, match="no journal that begins"):
        recorded_partial(partial)


def test_who_acts_falls_back_to_the_case_word_by_word(tmp_path: Path) -> None:
    """An examiner that is named takes the place of the case's; the authority stays the case's."""
    case = load_case(storing(tmp_path).case)
    assert hand_of(case, Said(), surroundings(), None).actors == ACTORS
    told = hand_of(case, Said(examiner="Another", note="a note"), surroundings(), None).actors
    assert (told.examiner, told.authority, told.note) == ("Another", ACTORS.authority, "a note")
