"""What the benchmarks say of their figures; nothing here looks at a time."""

import json
import sys
from pathlib import Path

import pytest

from benchmarks.measure import BenchmarkFault, ratios, run, take_turns
from benchmarks.report import Limit, Line, Report, table, write_json

OVER = Line("memory", (210.0,), "MiB", Limit("<", 200.0))
WITHIN = Line("ratio", (0.9, 1.0, 1.4), limit=Limit("<=", 1.0))
TOLD = Line("wall", (12.5,), "s", remark="nobody's limit")


@pytest.mark.parametrize(
    ("limit", "yes", "no"),
    [(Limit("<=", 1.0), 1.0, 1.1), (Limit("<", 1.0), 0.9, 1.0), (Limit(">=", 1.0), 1.0, 0.9)],
)
def test_a_limit_says_no_on_its_other_side(limit: Limit, yes: float, no: float) -> None:
    """At most and at least take their own value, less than does not."""
    assert limit.holds(yes)
    assert not limit.holds(no)


def test_the_median_is_judged_and_only_against_a_limit() -> None:
    """One bad round is no miss; a figure without a limit is judged by nobody."""
    assert (OVER.verdict, WITHIN.verdict, TOLD.verdict) == ("over", "within", "")
    assert Report("some", (OVER, WITHIN, TOLD)).misses == 1


def test_the_table_shows_target_median_spread_and_verdict() -> None:
    """A line can be read without the one above it; a remark follows what it is of."""
    text = table((Report("some", (OVER, WITHIN, TOLD)),))
    assert [line.split() for line in text.splitlines()] == [
        ["benchmark", "what", "target", "measured", "verdict"],
        [],
        ["some", "memory", "<", "200", "MiB", "210", "MiB", "over"],
        ["ratio", "<=", "1.00", "1.00", "(0.90", "to", "1.40)", "within"],
        ["wall;", "nobody's", "limit", "12.5", "s"],
    ]


def test_every_round_is_kept_as_json(tmp_path: Path) -> None:
    """The file holds the rounds behind each median, and the machine."""
    path = write_json(tmp_path / "results", (Report("some", (WITHIN,)),), quick=True)
    document = json.loads(path.read_bytes())
    assert document["benchmarks"][0]["lines"][0]["rounds"] == [0.9, 1.0, 1.4]
    assert document["quick"] is True
    assert document["machine"]["cores"]


def test_contestants_take_turns_and_the_first_round_is_dropped() -> None:
    """A B A B, and the warm-up does not count."""
    order: list[str] = []
    taken = take_turns({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, 2)
    assert order == ["a", "b", "a", "b", "a", "b"]
    assert len(taken["a"]) == len(taken["b"]) == 2


def test_ratios_are_taken_within_a_round() -> None:
    """A round that was slow for both is slow for none."""
    assert ratios((1.0, 10.0), (2.0, 20.0)) == (0.5, 0.5)


def test_a_child_that_fails_is_no_measurement() -> None:
    """A status that was not expected ends the benchmark, with what the child said."""
    words = (sys.executable, "-c", "import sys; print('why', file=sys.stderr); sys.exit(3)")
    assert run(words, accept=(3,)).stdout == b""
    with pytest.raises(BenchmarkFault, match="why"):
        run(words)
