"""Every reported fault of a local store that was taken up is rebuilt by a test that says so."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

CASES = (
    "A01", "A02", "A03", "A04", "A07", "A08", "A09", "A11", "A13", "A14", "A15", "A16", "A17", "A18",
    "B01", "B04", "B05", "B06", "B08",
    "C01", "C02", "C03", "C04", "C07", "C08", "C09",
    "D01", "D02", "D04", "D05", "D06", "D08", "D09", "D11", "D12", "D14", "D15", "D16", "D18",
    "E01", "E02", "E03", "E05", "E07", "E08", "E09", "E12", "E13",
    "F01", "F02", "F04", "F06", "F07", "F09", "F10", "F11", "F12", "F14", "F15", "F16", "F17", "F19",
    "G01", "G02", "G03", "G05",
)  # fmt: skip
TESTS = Path(__file__).parents[1]

_IN_NAME = re.compile(r"_([a-g]\d\d)(?=_)")
_IN_WORDS = re.compile(r"\b([A-G]\d\d)\b")


def named() -> Iterator[str]:
    """The cases that the names and the docstrings of tests name, one by one; a range names its ends alone."""
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield from (case.upper() for case in _IN_NAME.findall(node.name))
                yield from _IN_WORDS.findall(ast.get_docstring(node) or "")


def test_every_case_is_named_by_a_test() -> None:
    """A case without one is not rebuilt, or nobody finds the test that rebuilds it."""
    assert sorted(set(CASES) - set(named())) == []


def test_a_case_that_nobody_rebuilt_would_be_missed() -> None:
    """The reading of names finds those that are there and no others."""
    assert "A05" not in set(named())
    assert len(CASES) == len(set(CASES)) == 66
