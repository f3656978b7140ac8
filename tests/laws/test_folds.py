"""The law of folds: how the walks of an acquisition interleave in the journal shows in no fold and no reading."""

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentaudit.format import layout
from agentaudit.model.losses import Gap
from agentaudit.package.derive import derive
from tests.golden import LIMITS, LIST, Script, ScriptReader, begin_script, golden_case, page
from tests.support.clock import StillClock

Step = Callable[[Script], object]

NAMES = (layout.ITEMS, layout.WALKS, layout.GAPS, layout.SESSIONS, layout.RECORDS, layout.TRUNCATIONS)
COUNT = 4


def _list() -> Iterator[Step]:
    entries: list[dict[str, str | bool]] = [{"id": f"s{number:06d}"} for number in range(1, COUNT + 1)]
    yield lambda script: script.begin(LIST)
    yield lambda script: script.answer(LIST, 1, page(entries, None))
    yield lambda script: script.end(LIST, 1, COUNT)


def _transcript(number: int) -> Iterator[Step]:
    """Two pages, the second asked for twice, a retry, a gap; what is said depends on the number alone."""
    key = f"s{number:06d}"
    walk = f"script/{key}"
    gap = Gap(kind="not_obtained", code="retries_exhausted", basis="absence", walk=walk, session=key, page=number)
    messages: list[dict[str, str | bool]] = [{"id": f"m{number}", "role": "user", "cut": "ours"}]
    yield lambda script: script.begin(walk, LIMITS)
    yield lambda script: script.answer(walk, 1, page(messages, f"c{number}"), limits=LIMITS)
    yield lambda script: script.fail(walk, 2)
    yield lambda script: script.answer(walk, 2, b"no page", cursor=f"c{number}", limits=LIMITS)
    yield lambda script: script.answer(walk, 2, page([], None), cursor=f"c{number}", ask=2, limits=LIMITS)
    yield lambda script: script.note(gap)
    yield lambda script: script.end(walk, 2, 1)


def _walks() -> list[list[Step]]:
    return [list(_list()), *(list(_transcript(number)) for number in range(1, COUNT + 1))]


def _folded(turns: Sequence[int]) -> dict[str, list[str]]:
    """The lines of every fold when the walks take their steps in these turns; each keeps its own order."""
    waiting = [iter(steps) for steps in _walks()]
    clock = StillClock(steps_ms=1)
    found: dict[str, list[str]] = {name: [] for name in NAMES}
    with tempfile.TemporaryDirectory() as folder:
        script = begin_script(golden_case(Path(folder) / "case"), clock)
        for turn in turns:
            next(waiting[turn])(script)
        script.exhibit.settle()
        sinks = {name: (lambda line, lines=lines: lines.append(_timeless(line))) for name, lines in found.items()}
        derive(script.exhibit.root, ScriptReader(), sinks)
        script.exhibit.journal.close()
    return found


def _timeless(line: bytes) -> str:
    """A line without what the order of the rows decides: its row number and its instant."""
    row = json.loads(line)
    if "row" in (row.get("provenance") or {}):
        del row["provenance"]["row"], row["provenance"]["received_at"]
    return json.dumps(row, sort_keys=True)


TURNS = [walk for walk, steps in enumerate(_walks()) for _ in steps]


@pytest.fixture(scope="module")
def expected() -> dict[str, list[str]]:
    """The folds when one walk follows the other."""
    folds = _folded(TURNS)
    assert all(folds.values())
    return folds


@settings(max_examples=25, deadline=None)
@given(turns=st.permutations(TURNS))
def test_the_order_in_which_walks_interleave_shows_nowhere(turns: list[int], expected: dict[str, list[str]]) -> None:
    """Items, walks, gaps and all readings are the same, line for line."""
    assert _folded(turns) == expected


def test_what_a_walk_said_shows(expected: dict[str, list[str]]) -> None:
    """The comparison can say no: without the last walk's last act, its end is missing from the fold."""
    folds = _folded(TURNS[:-1])
    assert folds[layout.WALKS] != expected[layout.WALKS]
    assert folds[layout.ITEMS] == expected[layout.ITEMS]
