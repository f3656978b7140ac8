"""Finding items without holding them."""

import random
from contextlib import closing
from pathlib import Path

import pytest

from agentaudit.encoding.canonical import encode_line
from agentaudit.errors import PackageFault
from agentaudit.export.lookup import ItemLookup, walk_lookup
from agentaudit.format import layout
from agentaudit.model.base import Instant
from agentaudit.model.tagfiles import ItemProvenance, ItemRow, WalkRow
from agentaudit.package.tree import Tree
from tests.export.dossiers import AT, DIGEST


def row(path: str, ask: int = 1) -> ItemRow:
    """An item with an answer behind it."""
    came = ItemProvenance(row=1, walk="w", page=1, ask=ask, request_id=None, received_at=Instant(AT))
    return ItemRow(
        path=path, bytes=1, sha256=DIGEST, role="answer", media_type=None, content_encoding=None, provenance=came
    )


def written(folder: Path, paths: list[str]) -> Path:
    """A package that has nothing but items.jsonl."""
    (folder / "agentaudit").mkdir()
    lines = [encode_line(row(path, ask=2 if "-2." in path else 1)) for path in sorted(paths)]
    (folder / layout.ITEMS).write_bytes(b"".join(lines))
    return folder


PATHS = [f"data/w/s{walk:06d}/{page:06d}.json" for walk in range(1, 40) for page in range(1, 9)]


@pytest.mark.parametrize("order", ["forwards", "backwards", "anyhow"])
def test_every_item_is_found_in_whatever_order(order: str, tmp_path: Path) -> None:
    """What is asked for is found, and what is between, before or behind the items is not."""
    asked = [*PATHS, "data/a", "data/w/s000003/000004", "data/z", PATHS[0], PATHS[-1]]
    asked = asked[::-1] if order == "backwards" else asked
    if order == "anyhow":
        random.Random(7).shuffle(asked)  # noqa: S311 - an order, no secret
    with Tree(written(tmp_path, PATHS)) as tree, closing(ItemLookup(tree)) as lookup:
        for path in asked:
            found = lookup.find(path)
            assert (found.path if found else None) == (path if path in PATHS else None)


def test_nothing_is_found_where_there_is_nothing(tmp_path: Path) -> None:
    """An exhibit without payload has no items."""
    with Tree(written(tmp_path, [])) as tree, closing(ItemLookup(tree)) as lookup:
        assert lookup.find("data/w/000001.json") is None
        assert lookup.answer("w", 1) is None


def test_the_answer_of_a_page_is_the_last_that_was_kept(tmp_path: Path) -> None:
    """A page that was asked for twice has the second answer; a longer page number is another page."""
    paths = [f"data/w/{name}" for name in ("000001-2.json", "000001.json", "0000011.json", "000002.refused")]
    with Tree(written(tmp_path, paths)) as tree, closing(ItemLookup(tree)) as lookup:
        answers = [lookup.answer("w", page) for page in (1, 2, 3)]
        assert [one.path if one else None for one in answers] == ["data/w/000001-2.json", "data/w/000002.refused", None]


def test_a_file_set_aside_counts_as_first_answer(tmp_path: Path) -> None:
    """An item without a question behind it never outweighs an answer."""
    (tmp_path / "agentaudit").mkdir()
    bare = ItemRow(
        path="data/w/000001-9.json", bytes=1, sha256=DIGEST, role="set_aside", media_type=None, content_encoding=None,
        provenance=None,
    )  # fmt: skip
    lines = encode_line(bare) + encode_line(row("data/w/000001.json"))
    (tmp_path / layout.ITEMS).write_bytes(lines)
    with Tree(tmp_path) as tree, closing(ItemLookup(tree)) as lookup:
        found = lookup.answer("w", 1)
        assert found is not None
        assert found.path == "data/w/000001.json"


def test_walks_are_found_by_their_id(tmp_path: Path) -> None:
    """The same halving finds walks."""
    (tmp_path / "agentaudit").mkdir()
    rows = [
        WalkRow(walk=f"w{number}", kind="users", session=None, parameters=(), limits=None, cursors=(), pages=0,
                records=None, ended=None)
        for number in range(10, 99)
    ]  # fmt: skip
    (tmp_path / layout.WALKS).write_bytes(b"".join(encode_line(one) for one in rows))
    with Tree(tmp_path) as tree, closing(walk_lookup(tree)) as lookup:
        assert [lookup.find(one.walk) for one in reversed(rows)] == rows[::-1]
        assert lookup.find("w5x") is None


@pytest.mark.parametrize("line", [b"no row\n", b'{"absence_proves_nothing":true,"limits":[]}\n'])
def test_a_line_that_is_no_item_is_a_fault(line: bytes, tmp_path: Path) -> None:
    """A file that changed after it was verified ends the export."""
    (tmp_path / "agentaudit").mkdir()
    (tmp_path / layout.ITEMS).write_bytes(line)
    with Tree(tmp_path) as tree, closing(ItemLookup(tree)) as lookup, pytest.raises(PackageFault):
        lookup.find("data/w/000001.json")
