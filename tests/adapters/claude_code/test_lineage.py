"""Lineage: repeated uuids, absent parents and cycles are counted; every walk ends."""

from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.claude_code.lineage import Lineage


def lineage(*pairs: tuple[str, str | None], limit: int = 1000) -> Lineage:
    """The records of these uuids and parents."""
    seen = Lineage(limit)
    for uuid, parent in pairs:
        seen.see(uuid, parent)
    return seen


def test_a_chain_has_nothing_to_say() -> None:
    """Each parent stands before its child."""
    chain = lineage(("a", None), ("b", "a"), ("c", "b"), ("d", "b"))
    assert (chain.duplicates, chain.dangling, chain.selves, chain.cyclic) == (0, 0, 0, 0)


def test_a_uuid_that_comes_again_is_counted_each_time() -> None:
    """Resumed sessions repeat records, and hooks give one uuid to hundreds of rows."""
    assert lineage(*[("a", None)] * 274).duplicates == 273


def test_an_absent_parent_is_counted_once() -> None:
    """Two children of one absent record are one dangling parent."""
    assert lineage(("a", "x"), ("b", "x"), ("c", "y")).dangling == 2


def test_a_parent_that_comes_later_is_neither_absent_nor_a_cycle() -> None:
    """Order in the file proves nothing."""
    later = lineage(("b", "a"), ("c", "b"), ("a", None))
    assert (later.dangling, later.cyclic) == (0, 0)


def test_cycles_and_records_that_are_their_own_parent_are_told_apart() -> None:
    """A and B are on a cycle, C names itself, D and E only hang on them."""
    odd = lineage(("a", "b"), ("b", "a"), ("c", "c"), ("d", "a"), ("e", "c"))
    assert (odd.cyclic, odd.selves, odd.dangling) == (2, 1, 0)


def test_beyond_the_bound_nothing_is_claimed() -> None:
    """Too many uuids make every number unknown."""
    full = lineage(("a", None), ("b", "a"), ("c", "b"), limit=2)
    assert not full.known
    assert (full.duplicates, full.dangling, full.selves, full.cyclic) == (None, None, None, None)


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.none() | st.sampled_from("abcdefxy")), max_size=12))
def test_any_graph_is_walked_to_its_end(pairs: list[tuple[str, str | None]]) -> None:
    """The records on cycles are those from which following parents comes back."""
    parents: dict[str, str | None] = {}
    for uuid, parent in pairs:
        parents.setdefault(uuid, parent)

    def returns(start: str) -> bool:
        at = parents[start]
        for _ in parents:
            if at == start:
                return parents[start] != start
            at = parents.get(at) if at is not None else None
        return False

    assert lineage(*pairs).cyclic == sum(returns(uuid) for uuid in parents)
