"""Everything but payload, drawn from journal and pages."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from agentaudit.encoding.canonical import encode_line
from agentaudit.errors import PackageFault
from agentaudit.format import layout
from agentaudit.model.journal import Answered, Opened
from agentaudit.model.storejournal import Kept
from agentaudit.model.tagfiles import WalkRow
from agentaudit.package import derive as module
from agentaudit.package.derive import Derived, derive, derive_indexed, read_index
from agentaudit.package.index import WalkMarks
from agentaudit.package.tree import Tree
from tests.forge import chained, edit, rewrite, rows_of
from tests.golden import Script, ScriptReader, begin_script, golden_case, golden_exhibit, page, small_script
from tests.support.clock import StillClock

DERIVED = (
    layout.ITEMS,
    layout.WALKS,
    layout.GAPS,
    layout.SESSIONS,
    layout.RECORDS,
    layout.TRUNCATIONS,
    layout.COVERAGE,
)


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """An open exhibit with the small script in it."""
    script = begin_script(golden_case(tmp_path / "case"), StillClock(steps_ms=1))
    small_script(script)
    script.exhibit.settle()
    return script


def _draw(root: Path, reader: ScriptReader | None = None) -> tuple[Derived, dict[str, bytes]]:
    lines: dict[str, list[bytes]] = {}
    sinks: dict[str, Callable[[bytes], None]] = {name: lines.setdefault(name, []).append for name in DERIVED}
    derived = derive(root, reader, sinks)
    return derived, {name: b"".join(found) for name, found in lines.items()}


def test_an_open_exhibit_gives_what_its_seal_will_hold(script: Script, tmp_path: Path) -> None:
    """Before `closed` is there, outcome and counts come out; after it, the same lines lie in the package."""
    before, lines = _draw(script.exhibit.root, ScriptReader())
    assert before.index.closed is None
    sealed = golden_exhibit(golden_case(tmp_path / "other"), small_script)
    after, again = _draw(sealed.path, ScriptReader())
    assert (before.outcome, before.counts) == (after.outcome, after.counts)
    assert {name: (sealed.path / name).read_bytes() for name in DERIVED} == again
    assert lines[layout.RECORDS] == again[layout.RECORDS]
    assert after.index.closed is not None
    assert encode_line(after.package(after.index.closed)) == (sealed.path / layout.PACKAGE).read_bytes()


def test_without_a_reader_only_folds_come_out(script: Script) -> None:
    """Items, walks and gaps need no adapter; readings and their numbers do."""
    derived, lines = _draw(script.exhibit.root)
    assert {name for name, octets in lines.items() if octets} == {layout.ITEMS, layout.WALKS, layout.GAPS}
    assert (derived.counts.items, derived.counts.messages) == (6, 0)


def test_the_order_of_the_rows_never_shows(script: Script) -> None:
    """Walks that took turns give the same folds and readings as walks one after the other."""
    _, lines = _draw(script.exhibit.root, ScriptReader())
    first, *rest = rows_of(script.exhibit.root)
    turned = [first, *sorted(rest, key=lambda row: str(getattr(row, "walk", "")), reverse=True)]
    rewrite(script.exhibit.root / layout.JOURNAL, chained(turned))
    _, again = _draw(script.exhibit.root, ScriptReader())
    for name in (layout.WALKS, layout.GAPS, layout.SESSIONS, layout.RECORDS, layout.TRUNCATIONS):
        assert again[name] == lines[name], name


def test_missing_sinks_drop_their_lines(script: Script) -> None:
    """Outcome and counts come out all the same."""
    full, _ = _draw(script.exhibit.root, ScriptReader())
    bare = derive(script.exhibit.root, ScriptReader(), {})
    assert (bare.outcome, bare.counts) == (full.outcome, full.counts)


def test_a_body_that_is_not_the_journalled_one_is_not_read(script: Script) -> None:
    """A page whose bytes changed gives no record; the fold still names it as it was."""
    path = script.exhibit.root / "data/script/s000001/000001.json"
    rewrite(path, page([{"id": "forged", "role": "user"}], None))
    derived, lines = _draw(script.exhibit.root, ScriptReader())
    assert b"forged" not in lines[layout.RECORDS]
    assert (derived.counts.messages, derived.counts.items) == (2, 6)


def test_a_body_over_the_limit_is_not_read(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    """What no adapter is fed gives no record."""
    monkeypatch.setattr(module, "BODY_MAX", 10)
    derived, _ = _draw(script.exhibit.root, ScriptReader())
    assert derived.counts.messages == 0


def test_a_broken_or_unopened_journal_is_refused(script: Script) -> None:
    """Sealing what is not a journal is an error."""
    journal = script.exhibit.root / layout.JOURNAL
    octets = journal.read_bytes()
    for other in (b"", octets.replace(b"walk_began", b"walk_begun", 1), chained(rows_of(script.exhibit.root)[1:])):
        rewrite(journal, other)
        with pytest.raises(PackageFault):
            derive(script.exhibit.root, None, {})


def test_a_missing_payload_file_is_the_systems_error(script: Script) -> None:
    """A file that a row names and that is not there cannot be sealed over."""
    (script.exhibit.root / "data/script/s000001/000001.json").unlink()
    with pytest.raises(FileNotFoundError):
        derive(script.exhibit.root, ScriptReader(), {})


def test_a_journal_that_changes_while_it_is_read_is_refused(script: Script) -> None:
    """The second pass finds no row where the first did."""
    root = script.exhibit.root
    with Tree(root) as tree:
        index = read_index(tree)
        assert index.opened is not None
        edit(root / layout.JOURNAL, b'"event"', b'"evenx"')
        rewrite(root / layout.JOURNAL, (root / layout.JOURNAL).read_bytes()[40:])
        with pytest.raises(PackageFault, match="changed while"):
            derive_indexed(tree, index, index.opened, None, sinks={})


def test_an_offset_of_another_row_gives_nothing(script: Script) -> None:
    """A journal that was swapped for another between the passes gives no walk and no item of the wrong kind."""
    root = script.exhibit.root
    with Tree(root) as tree:
        index = read_index(tree)
        assert isinstance(index.opened, Opened)
        other = next(iter(index.walks.values())).began
        index.items = [mark._replace(offset=other) for mark in index.items]
        answers = {name: WalkMarks(marks.answers[0], None, marks.answers) for name, marks in index.walks.items()}
        index.walks = answers
        derived = derive_indexed(tree, index, index.opened, None, sinks={})
    assert (derived.counts.items, derived.counts.walks) == (0, 0)


def test_a_watch_sees_each_answer_that_was_fed(script: Script) -> None:
    """In the order of the paths, right after the reading; a refusal is not fed."""
    seen: list[str] = []

    def watch(row: Answered | Kept, reading: object) -> None:
        del reading
        seen.append(row.item.path)

    with Tree(script.exhibit.root) as tree:
        index = read_index(tree)
        assert index.opened is not None
        derive_indexed(tree, index, index.opened, ScriptReader(), sinks={}, watch=watch)
    assert seen == sorted(seen)
    assert len(seen) == 5


def test_walks_can_be_drawn_twice(script: Script) -> None:
    """An adapter is given the walks before the answers and again after them."""
    _, lines = _draw(script.exhibit.root)
    rows = [msgspec.json.decode(line, type=WalkRow) for line in lines[layout.WALKS].splitlines()]
    assert b"".join(encode_line(row) for row in rows) == lines[layout.WALKS]
    assert [row.walk for row in rows] == sorted(row.walk for row in rows)
