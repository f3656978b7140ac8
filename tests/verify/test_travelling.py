"""An exhibit that travelled alone, and the copies beside it."""

from pathlib import Path

import pytest

from agentaudit.attest.handing import Handling, add_with_copy
from agentaudit.format import layout
from agentaudit.model.base import digest_of
from agentaudit.verify import verify_exhibit
from tests.forge import chained, custody_of, edit, rewrite
from tests.golden import ScriptReader, clean_script, golden_case, golden_exhibit
from tests.support.around import hand

READERS = (ScriptReader(),)


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """An exhibit that was handed over."""
    case = golden_case(tmp_path / "case")
    golden_exhibit(case, clean_script)
    add_with_copy(case, Handling("copied", ("EX-0001",)), tmp_path / "out", hand())
    return tmp_path / "out/EX-0001"


def codes(exhibit: Path) -> set[str]:
    """The findings beyond that it is unsigned; its integrity stands in every case."""
    verdict = verify_exhibit(exhibit, readers=READERS)
    assert verdict.integrity == "intact"
    return {code for code, _ in verdict.codes} - {"S002"}


def test_copies_that_fit_are_no_finding(alone: Path) -> None:
    """The exhibit is checked with the log that came with it."""
    assert codes(alone) == set()


def test_copies_that_do_not_fit_are_c019(alone: Path) -> None:
    """A changed case file, or a log that is gone: a warning, for they are no part of the exhibit."""
    edit(alone.with_name("EX-0001.case.json"), b"A matter", b"B matter")
    assert codes(alone) == {"C019"}
    alone.with_name("EX-0001.custody.jsonl").unlink()
    assert codes(alone) == {"C019"}


def test_a_log_that_lacks_the_row_that_the_exhibit_knows_is_c019(alone: Path) -> None:
    """A log that was written anew, with whole chain and right seal, is not the one the exhibit began under."""
    log = alone.with_name("EX-0001.custody.jsonl")
    shadow = alone.parent / layout.CUSTODY
    shadow.write_bytes(log.read_bytes().replace(b"station", b"another"))
    rows = custody_of(alone.parent)
    shadow.unlink()
    rewrite(log, chained(rows))
    assert codes(alone) == {"C019"}


def test_the_copies_of_another_case_are_c019(alone: Path) -> None:
    """Another case file with a log that opens it, and the exhibit names the first."""
    case, log = alone.with_name("EX-0001.case.json"), alone.with_name("EX-0001.custody.jsonl")
    before = digest_of(case.read_bytes())
    edit(case, b'"number":"N-1"', b'"number":"N-2"')
    shadow = alone.parent / layout.CUSTODY
    shadow.write_bytes(log.read_bytes().replace(before.encode(), digest_of(case.read_bytes()).encode()))
    rows = custody_of(alone.parent)
    shadow.unlink()
    rewrite(log, chained(rows))
    verdict = verify_exhibit(alone, readers=READERS)
    assert [row.detail for row in verdict.findings if row.code == "C019"] == [
        "the exhibit belongs to another case", "the exhibit knows row 2, and the log lacks it",
    ]  # fmt: skip


def test_copies_beside_a_broken_package_are_still_looked_at(alone: Path) -> None:
    """What the exhibit says of itself is then not used."""
    (alone / layout.PACKAGE).unlink()
    verdict = verify_exhibit(alone, readers=READERS)
    assert {code for code, _ in verdict.codes} - {"S002"} == {"P008"}
