"""Derived lines against files."""

from pathlib import Path

import pytest

from agentaudit.encoding.canonical import encode_line
from agentaudit.format import layout
from agentaudit.format.tally import Tally
from agentaudit.model.losses import Gap
from agentaudit.package.tree import Tree
from agentaudit.verify.compare import Comparison, read_form


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """A folder with room for tag files."""
    (tmp_path / "agentaudit").mkdir()
    return Tree(tmp_path)


def _differs_at(tree: Tree, lies: bytes, *lines: bytes) -> int:
    (tree.root / layout.GAPS).write_bytes(lies)
    with tree:
        comparison = Comparison(tree, layout.GAPS)
        for line in lines:
            comparison(line)
        return comparison.differs_at()


@pytest.mark.parametrize(
    ("lies", "at"),
    [
        (b"one\ntwo\n", 0),
        (b"one\ntwO\n", 2),
        (b"One\ntwo\n", 1),
        (b"one\ntwo\nthree\n", 3),
        (b"one\n", 2),
        (b"", 1),
        (b"one\ntwo", 2),
    ],
)
def test_the_first_line_that_differs_is_named(tree: Tree, lies: bytes, at: int) -> None:
    """Changed, added, missing, cut short."""
    assert _differs_at(tree, lies, b"one\n", b"two\n") == at


def test_nothing_is_equal_to_nothing(tree: Tree) -> None:
    """An empty file is what no line gives."""
    assert _differs_at(tree, b"") == 0


GAP = encode_line(Gap(kind="excluded", code="other_user", basis="rule"))
COVERAGE = b'{"absence_proves_nothing":true,"limits":[]}\n'


@pytest.mark.parametrize(
    ("name", "octets", "at"),
    [
        (layout.GAPS, b"", 0),
        (layout.GAPS, GAP, 0),
        (layout.GAPS, GAP + GAP[:-1], 2),
        (layout.GAPS, b"\n", 1),
        (layout.GAPS, GAP.replace(b",", b", ", 1), 1),
        (layout.COVERAGE, COVERAGE, 0),
        (layout.COVERAGE, b"", 1),
        (layout.COVERAGE, COVERAGE + COVERAGE, 3),
    ],
)
def test_the_form_of_a_file_is_read_line_by_line(tree: Tree, name: str, octets: bytes, at: int) -> None:
    """Canonical or not; a file of one value holds one."""
    (tree.root / name).write_bytes(octets)
    with tree:
        assert read_form(tree, name, Tally()) == at
