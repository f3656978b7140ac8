"""The floors of coverage, over the data that the tests left: `python -m tests.coverage_floors`.

- Every branch of the pure floors is met, and 95 of 100 lines and branches of everything together.
- What is missed is printed, file by file; the status is 1 when a floor is not reached, 2 when there is no data.
"""

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import coverage
import msgspec
from coverage.exceptions import CoverageException

PURE = (
    "agentaudit/model/",
    "agentaudit/encoding/",
    "agentaudit/format/",
    "agentaudit/adapters/",
    "agentaudit/errors.py",
)
TOGETHER = 95.0


class Summary(msgspec.Struct, frozen=True):
    """The counts of one file, or of all together, as coverage.py reports them."""

    num_statements: int
    covered_lines: int
    num_branches: int = 0
    covered_branches: int = 0

    @property
    def of_all(self) -> int:
        """Lines and branches that could be met."""
        return self.num_statements + self.num_branches

    @property
    def percent(self) -> float:
        """How many of 100 lines and branches were met; all of none."""
        return 100 * (self.covered_lines + self.covered_branches) / self.of_all if self.of_all else 100.0


class Measured(msgspec.Struct, frozen=True):
    """One file: its counts, the lines that were not met, and the branches as (from, to), negative for an exit."""

    summary: Summary
    missing_lines: tuple[int, ...] = ()
    missing_branches: tuple[tuple[int, int], ...] = ()

    @property
    def misses(self) -> str:
        """What was not met, on one line."""
        branches = (f"{start}->{'exit' if end < 0 else end}" for start, end in self.missing_branches)
        return ", ".join([*map(str, self.missing_lines), *branches])


class Report(msgspec.Struct, frozen=True):
    """The JSON report of coverage.py, as far as it is read here."""

    files: dict[str, Measured]
    totals: Summary


@dataclass(frozen=True, slots=True)
class Floors:
    """Which files must be met whole, and how much of everything must be."""

    pure: tuple[str, ...] = PURE
    together: float = TOGETHER


def faults(report: Report, floors: Floors) -> Iterator[str]:
    """Each floor that is not reached, in words; a pure floor without any file is one too."""
    for floor in floors.pure:
        below = {path: one for path, one in sorted(report.files.items()) if path.replace("\\", "/").startswith(floor)}
        if not below:
            yield f"{floor}: nothing of it was measured"
        for path, one in below.items():
            if one.missing_lines or one.missing_branches:
                yield f"{path}: {one.misses}"
    if report.totals.percent < floors.together:
        yield f"everything together: {report.totals.percent:.2f} of 100, and {floors.together:.0f} are needed"


def measured() -> Report:
    """The report over the combined data in the working folder; CoverageException when there is none."""
    data = coverage.Coverage()
    data.load()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.json"
        data.json_report(outfile=str(path))
        return msgspec.json.decode(path.read_bytes(), type=Report)


def main() -> int:
    """Print the misses; the exit status."""
    try:
        report = measured()
    except CoverageException as error:
        sys.stderr.write(f"no coverage to judge: {error}\n")
        return 2
    found = list(faults(report, Floors()))
    for line in found:
        sys.stderr.write(f"below the floor: {line}\n")
    sys.stdout.write(f"coverage: {report.totals.percent:.2f} of 100 lines and branches\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
