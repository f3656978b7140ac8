"""A custody log against a folder."""

import msgspec
import pytest

from agentaudit.format.chain import CUSTODY_CODEC, Break, links
from agentaudit.model.base import Digest, digest_of
from agentaudit.model.custody import CaseOpened, CustodyRow, ExhibitBegun, ExhibitSealed, SealedFound
from agentaudit.model.journal import CustodyHead
from agentaudit.model.selection import SessionSelection
from agentaudit.package.check_case import (
    CaseFolder,
    CustodyIndex,
    check_custody,
    check_exhibit,
    check_folder,
    index_custody,
)
from tests.forge import chained
from tests.support.around import WHO

CASE = digest_of(b"case")
SEAL = digest_of(b"seal")
NO: frozenset[str] = frozenset()
ONE = frozenset({"EX-0001"})

OPENED = CaseOpened(**WHO, case_digest=CASE)
BEGAN = ExhibitBegun(
    **WHO,
    exhibit="EX-0001",
    source="s",
    selection=SessionSelection(families=("local",)),
)
SEALED = ExhibitSealed(**WHO, exhibit="EX-0001", seal=SEAL, outcome="all_given")
FOUND = SealedFound(**WHO, exhibit="EX-0001", seal=SEAL)


def _index(*rows: CustodyRow) -> CustodyIndex:
    return index_custody(links(chained(rows).splitlines(keepends=True), CUSTODY_CODEC, CustodyRow))


def _folder(
    sealed: frozenset[str] = NO, partial: frozenset[str] = NO, empty: frozenset[str] = NO, *strange: str
) -> CaseFolder:
    return CaseFolder(sealed, partial, empty, strange)


def test_a_sound_log_has_no_finding() -> None:
    """Opened once and first, with the case file's digest."""
    assert list(check_custody(_index(OPENED, BEGAN, SEALED), CASE)) == []


@pytest.mark.parametrize(
    ("rows", "case", "codes"),
    [
        ((), CASE, ["C004"]),
        ((BEGAN,), CASE, ["C004"]),
        ((OPENED, OPENED), CASE, ["C004"]),
        ((OPENED,), SEAL, ["C003"]),
        ((OPENED,), None, ["C003"]),
    ],
)
def test_the_log_opens_once_and_names_the_case(
    rows: tuple[CustodyRow, ...], case: Digest | None, codes: list[str]
) -> None:
    """Missing, not first, twice, another file, no file."""
    assert [code for code, _, _ in check_custody(_index(*rows), case)] == codes


def test_a_log_of_which_no_row_is_whole_does_not_open() -> None:
    """A torn end is a warning; where nothing stands before it, whoever cut the log cut all of it."""
    log = chained((OPENED, BEGAN)).splitlines(keepends=True)
    all_torn = index_custody(links([log[0][:-1]], CUSTODY_CODEC, CustodyRow))
    assert [code for code, _, _ in check_custody(all_torn, CASE)] == ["C013", "C004"]
    end_torn = index_custody(links([log[0], log[1][:-1]], CUSTODY_CODEC, CustodyRow))
    assert [code for code, _, _ in check_custody(end_torn, CASE)] == ["C013"]


@pytest.mark.parametrize(("rule", "code"), [("canonical", "C001"), ("seq", "C002"), ("prev", "C002")])
def test_a_break_has_its_code(rule: str, code: str) -> None:
    """A log that breaks at its first line does not also lack its first row."""
    index = index_custody([Break(1, 0, rule)])
    assert [found for found, _, _ in check_custody(index, CASE)] == [code]


@pytest.mark.parametrize(
    ("rows", "folder", "codes"),
    [
        ((BEGAN, SEALED), _folder(ONE), []),
        ((BEGAN, FOUND), _folder(ONE), []),
        ((BEGAN,), _folder(NO, ONE), ["C011"]),
        ((BEGAN,), _folder(), ["C005"]),
        ((BEGAN,), _folder(ONE), ["C006"]),
        ((), _folder(ONE), ["C008"]),
        ((), _folder(NO, ONE), ["C008"]),
        ((), _folder(NO, ONE, ONE), ["C011"]),
        ((), _folder(NO, NO, NO, "notes"), ["C009"]),
        ((BEGAN, BEGAN, SEALED), _folder(ONE), ["C012"]),
        ((BEGAN, SEALED), _folder(ONE, ONE), ["C012"]),
    ],
)
def test_every_begun_exhibit_is_there_and_no_other(
    rows: tuple[CustodyRow, ...], folder: CaseFolder, codes: list[str]
) -> None:
    """Sealed, partial, gone, unknown, twice: one code each."""
    assert [code for code, _, _ in check_folder(_index(OPENED, *rows), folder)] == codes


def test_a_log_holds_its_own_rows_only() -> None:
    """A head is a number and a digest; both must be those of a row."""
    index = _index(OPENED, BEGAN)
    head = CustodyHead(seq=2, digest=Digest(f"sha256:{index.lines[1]}"))
    assert index.holds(head)
    for other in (
        CustodyHead(seq=1, digest=head.digest),
        CustodyHead(seq=3, digest=head.digest),
        CustodyHead(seq=0, digest=head.digest),
        CustodyHead(seq=2, digest=SEAL),
    ):
        assert not index.holds(other)


def test_an_exhibit_is_held_against_the_log() -> None:
    """Its seal, the row that it knows, the case that it names."""
    index = _index(OPENED, BEGAN, SEALED)
    head = CustodyHead(seq=2, digest=Digest(f"sha256:{index.lines[1]}"))
    assert list(check_exhibit(index, "EX-0001", SEAL, head, is_ours=True)) == []
    cut = msgspec.structs.replace(head, seq=9)
    found = check_exhibit(index, "EX-0001", CASE, cut, is_ours=False)
    assert [code for code, _, _ in found] == ["C007", "C010", "C014"]


def test_what_a_faulty_exhibit_says_is_not_used() -> None:
    """Only its seal is; an exhibit that the log never sealed has none to differ from."""
    index = _index(OPENED, BEGAN)
    assert list(check_exhibit(index, "EX-0001", CASE, None, None)) == []


def test_two_seals_for_one_exhibit_cannot_both_be_true() -> None:
    """Rows that contradict each other are found whichever of them is right."""
    index = _index(OPENED, BEGAN, SEALED, msgspec.structs.replace(FOUND, seal=CASE))
    assert [code for code, _, _ in check_exhibit(index, "EX-0001", SEAL, None, None)] == ["C007"]
