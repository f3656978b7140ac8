"""What a benchmark found, as lines: a figure, the limit that it is held against, the verdict; text and JSON.

- A figure is the median of its rounds, with the least and the greatest beside it.
- A line without a limit is told for comparison and judged by nobody.
"""

import json
import os
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from benchmarks.measure import middle

Word = Literal["<=", ">=", "<"]
Verdict = Literal["within", "over", ""]

_HEADS = ("benchmark", "what", "target", "measured", "verdict")


@dataclass(frozen=True, slots=True)
class Limit:
    """The bound that a median is held against."""

    word: Word
    value: float

    def holds(self, value: float) -> bool:
        """True when the value keeps to the bound."""
        match self.word:
            case "<=":
                return value <= self.value
            case ">=":
                return value >= self.value
            case "<":
                return value < self.value


@dataclass(frozen=True, slots=True)
class Line:
    """One figure: what it is of, its rounds, its unit (empty for a ratio), its limit, a remark."""

    what: str
    values: tuple[float, ...]
    unit: str = ""
    limit: Limit | None = None
    remark: str = ""

    @property
    def value(self) -> float:
        """The median of the rounds."""
        return middle(self.values)

    @property
    def verdict(self) -> Verdict:
        """Whether the median keeps to its limit; empty without one."""
        if self.limit is None:
            return ""
        return "within" if self.limit.holds(self.value) else "over"


@dataclass(frozen=True, slots=True)
class Report:
    """The lines of one benchmark and how long it took."""

    name: str
    lines: tuple[Line, ...]
    took_s: float = 0.0

    @property
    def misses(self) -> int:
        """How many targets were missed."""
        return sum(line.verdict == "over" for line in self.lines)


def table(reports: Sequence[Report]) -> str:
    """The reports as text in columns."""
    rows = [_HEADS, *(_cells(report.name, line) for report in reports for line in report.lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]
    return "\n".join(_text(rows, widths))


def _text(rows: Sequence[tuple[str, ...]], widths: Sequence[int]) -> Iterator[str]:
    before = ""
    for row in rows:
        name = "" if row[0] == before else row[0]
        if name and before:
            yield ""
        before = row[0]
        cells = (name, *row[1:])
        yield "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def _cells(name: str, line: Line) -> tuple[str, ...]:
    unit = f" {line.unit}" if line.unit else ""
    target = f"{line.limit.word} {_figure(line.limit.value)}{unit}" if line.limit else ""
    measured = _figure(line.value) + unit
    if len(line.values) > 1:
        measured += f"  ({_figure(min(line.values))} to {_figure(max(line.values))})"
    what = f"{line.what}; {line.remark}" if line.remark else line.what
    return name, what, target, measured, line.verdict


def _figure(value: float) -> str:
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def machine() -> dict[str, str]:
    """What a reader has to know of the machine; no names of hosts or people."""
    return {
        "cores": str(os.cpu_count()),
        "kernel": f"{platform.system()} {platform.release()}",
        "architecture": platform.machine(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }


def write_json(folder: Path, reports: Sequence[Report], *, quick: bool) -> Path:
    """The whole run with every round, in a new file of the folder."""
    at = datetime.now(UTC)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{at:%Y%m%dT%H%M%SZ}{'-quick' if quick else ''}.json"
    document = {
        "at": at.isoformat(timespec="seconds"),
        "quick": quick,
        "machine": machine(),
        "load": os.getloadavg(),
        "benchmarks": [
            {"name": report.name, "took_s": round(report.took_s, 1), "lines": [_row(line) for line in report.lines]}
            for report in reports
        ],
    }
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return path


def _row(line: Line) -> dict[str, str | float | list[float] | None]:
    return {
        "what": line.what,
        "remark": line.remark,
        "unit": line.unit,
        "median": line.value,
        "rounds": list(line.values),
        "target": f"{line.limit.word} {line.limit.value}" if line.limit else None,
        "verdict": line.verdict or None,
    }
