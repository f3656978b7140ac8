"""From folders to a dossier: only from what is intact, and only while it stays so."""

import shutil
from pathlib import Path

import msgspec
import pytest

from agentaudit.errors import PackageFault
from agentaudit.export.checked import Checked
from agentaudit.export.opening import opened
from agentaudit.format import layout
from agentaudit.model.custody import ExhibitSealed, Handled, Subject
from agentaudit.package.case import Case, load_case
from agentaudit.verify import verify_exhibit
from tests.export.dossiers import DIGEST
from tests.golden import ScriptReader, golden_case, golden_exhibit
from tests.support.around import WHO, hand
from tests.support.clock import BEGIN


def checked(case: Path, *names: str) -> tuple[Checked, ...]:
    """The exhibits with the verdicts just reached."""
    return tuple(Checked(case / name, verify_exhibit(case / name, readers=(ScriptReader(),))) for name in names)


def test_a_dossier_tells_of_case_exhibits_and_log(scripted: Case) -> None:
    """Case file, head, custody rows, and each exhibit in the order of its number."""
    with opened(scripted, checked(scripted.path, "EX-0002", "EX-0001"), (), names=False) as found:
        facts = found.dossier.facts
        assert facts.case == scripted.file
        assert [part.facts.exhibit for part in found.dossier.parts] == ["EX-0001", "EX-0002"]
        assert facts.custody_head is not None
        assert facts.custody_head.seq == len(found.dossier.custody) == 5
        assert facts.custody_head.digest == found.dossier.custody[-1].sha256
        assert [line.event for line in found.dossier.custody] == ["opened", "began", "sealed", "began", "sealed"]
        assert len(facts.attention) == 1
        one = found.dossier.parts[0].facts
        assert one.gap_totals == (("excluded", "other_user", 3), ("unavailable", "session_not_found", 1))
        assert one.session_outcomes == (("all_given", 2),)
        assert dict(one.tag_files).keys() >= {layout.ITEMS, layout.BAGIT, layout.MANIFEST}


def test_an_exhibit_that_travels_alone_is_told_without_a_case(scripted: Case) -> None:
    """Without a case there is no head and no row."""
    with opened(None, checked(scripted.path, "EX-0001"), (), names=False) as found:
        assert (found.dossier.facts.case, found.dossier.facts.custody_head, found.dossier.custody) == (None, None, ())


def test_a_row_about_exhibits_names_them(scripted: Case) -> None:
    """What was handled is told with its seal, or with the word that none was stated."""
    subjects = (Subject(exhibit="EX-0001", seal=None), Subject(exhibit="EX-0002", seal=DIGEST))
    row = Handled(**WHO, act="transferred", subjects=subjects, receiver="R. Eceiver")
    scripted.append(row, hand(lambda: BEGIN))
    with opened(scripted, checked(scripted.path, "EX-0001"), (), names=False) as found:
        last = found.dossier.custody[-1]
    assert last.facts[:2] == (("EX-0001", "no seal stated"), ("EX-0002", DIGEST))
    assert ("receiver", "R. Eceiver") in last.facts
    assert last.event == "handled"


@pytest.mark.parametrize("integrity", ["faults", "intact"])
def test_nothing_is_told_of_what_is_not_intact(integrity: str, scripted: Case) -> None:
    """Neither of an exhibit whose check found faults, nor of one without a seal."""
    (one,) = checked(scripted.path, "EX-0001")
    verdict = msgspec.structs.replace(one.verdict, integrity=integrity, seal=None)
    with pytest.raises(PackageFault), opened(scripted, (Checked(one.path, verdict),), (), names=False):
        pass


def test_nothing_is_told_of_an_exhibit_without_facts(scripted: Case) -> None:
    """A package.json that is none ends the export before anything is told."""
    found = checked(scripted.path, "EX-0001")
    place = scripted.path / "EX-0001" / layout.PACKAGE
    place.chmod(0o600)
    place.write_bytes(b"{}\n")
    with pytest.raises(PackageFault), opened(scripted, found, (), names=False):
        pass


def test_an_exhibit_that_changes_meanwhile_gives_no_export(scripted: Case) -> None:
    """What was read is hashed again at the end: a changed tag file, a changed seal, a file that is gone."""
    for name in (layout.GAPS, layout.TAG_MANIFEST, layout.BAGIT):
        found = checked(scripted.path, "EX-0001")
        place = scripted.path / "EX-0001" / name
        before = place.read_bytes()
        place.chmod(0o600)
        with pytest.raises(PackageFault, match="changed while"), opened(scripted, found, (), names=False):
            change(place, gone=name == layout.BAGIT)
        place.write_bytes(before)


def change(place: Path, *, gone: bool) -> None:
    """Take a file away, or add a byte to it."""
    if gone:
        place.unlink()
    else:
        place.write_bytes(place.read_bytes() + b"\n")


def test_a_log_that_contradicts_an_exhibit_gives_no_export(scripted: Case) -> None:
    """A second seal of the same exhibit in the log is a contradiction."""
    row = ExhibitSealed(**WHO, exhibit="EX-0001", seal=DIGEST, outcome="incomplete")
    scripted.append(row, hand(lambda: BEGIN))
    with (
        pytest.raises(PackageFault, match="C007"),
        opened(scripted, checked(scripted.path, "EX-0001"), (), names=False),
    ):
        pass


def test_an_exhibit_that_was_never_begun_gives_no_export(scripted: Case, tmp_path: Path) -> None:
    """An exhibit of another case that was put into this one contradicts the log."""
    other = golden_case(tmp_path / "other")
    for _ in range(3):
        golden_exhibit(other)
    shutil.copytree(other.path / "EX-0003", scripted.path / "EX-0003")
    with (
        pytest.raises(PackageFault, match="C008"),
        opened(scripted, checked(scripted.path, "EX-0003"), (), names=False),
    ):
        pass


def test_an_exhibit_of_another_number_gives_no_export(scripted: Case) -> None:
    """An exhibit in a folder of another number contradicts the log."""
    shutil.copytree(scripted.path / "EX-0001", scripted.path / "EX-0007")
    with (
        pytest.raises(PackageFault, match="C014"),
        opened(scripted, checked(scripted.path, "EX-0007"), (), names=False),
    ):
        pass


@pytest.mark.parametrize("line", [b"", b"no row\n"])
def test_a_log_with_a_fault_gives_no_export(line: bytes, scripted: Case) -> None:
    """A missing or broken custody log ends the export; so does a missing one."""
    log = scripted.path / layout.CUSTODY
    log.write_bytes(line + (log.read_bytes() if line else b""))
    with pytest.raises(PackageFault), opened(scripted, checked(scripted.path, "EX-0001"), (), names=False):
        pass
    log.unlink()
    with pytest.raises(PackageFault), opened(scripted, checked(scripted.path, "EX-0001"), (), names=False):
        pass


def test_a_torn_tail_of_the_log_never_counted(scripted: Case) -> None:
    """What a crash left behind the last row is no row: the export ends at the row before it."""
    with (scripted.path / layout.CUSTODY).open("ab") as log:
        log.write(b'{"torn')
    with opened(load_case(scripted.path), checked(scripted.path, "EX-0001"), (), names=False) as found:
        assert len(found.dossier.custody) == 5
