"""The floors of coverage can be missed: each says no where it should."""

import os
import subprocess
import sys
from pathlib import Path

from tests.coverage_floors import Floors, Measured, Report, Summary, faults

FLOORS = Floors(pure=("pure/", "errors.py"), together=95.0)
WHOLE = Summary(num_statements=10, covered_lines=10, num_branches=4, covered_branches=4)


def _report(totals: Summary = WHOLE, **files: Measured) -> Report:
    named = {name.replace("__", "/") + ".py": one for name, one in files.items()}
    return Report(files={"errors.py": Measured(WHOLE), "pure/a.py": Measured(WHOLE), **named}, totals=totals)


def test_whole_floors_are_no_fault() -> None:
    """What is missed elsewhere counts only together."""
    report = _report(other=Measured(Summary(num_statements=10, covered_lines=9), missing_lines=(3,)))
    assert list(faults(report, FLOORS)) == []


def test_a_line_or_a_branch_of_a_pure_floor_is_a_fault() -> None:
    """It is named with its file; a branch out of a function is called an exit."""
    line = Measured(WHOLE, missing_lines=(7, 9))
    branch = Measured(WHOLE, missing_branches=((3, 5), (8, -1)))
    assert list(faults(_report(pure__line=line, pure__branch=branch), FLOORS)) == [
        "pure/branch.py: 3->5, 8->exit",
        "pure/line.py: 7, 9",
    ]


def test_a_pure_floor_that_was_not_measured_is_a_fault() -> None:
    """A floor that is moved or renamed does not fall out of sight."""
    report = Report(files={"pure/a.py": Measured(WHOLE)}, totals=WHOLE)
    assert list(faults(report, FLOORS)) == ["errors.py: nothing of it was measured"]


def test_everything_together_has_a_floor() -> None:
    """Lines and branches count alike, and 95 of 100 are enough."""
    enough = Summary(num_statements=80, covered_lines=77, num_branches=20, covered_branches=18)
    less = Summary(num_statements=80, covered_lines=77, num_branches=20, covered_branches=17)
    assert list(faults(_report(enough), FLOORS)) == []
    assert len(list(faults(_report(less), FLOORS))) == 1
    assert Summary(num_statements=0, covered_lines=0).percent == 100.0


def test_without_data_nothing_is_judged(tmp_path: Path) -> None:
    """Status 2, and never a silent yes."""
    environment = {**os.environ, "COVERAGE_FILE": str(tmp_path / "none")}
    command = [sys.executable, "-m", "tests.coverage_floors"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "no coverage to judge" in done.stderr
