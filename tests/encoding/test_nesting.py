"""Depth is told from the signs of a text, the same on every release of the interpreter."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.encoding.nesting import DEPTH_MAX, nests_beyond

VALUES = st.recursive(
    st.none() | st.text(st.characters(codec="utf-8") | st.sampled_from('{}[]"\\'), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(("a", "{", '"', "\\")), inner, max_size=3)
    ),
    max_leaves=12,
)


def depth_of(value: object) -> int:
    """How deep a value nests."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth_of, inner), default=0)


@given(VALUES, st.integers(0, 6), st.booleans())
def test_the_depth_of_a_text_is_that_of_its_value(value: object, bound: int, escaped: bool) -> None:
    """Brackets in strings and escaped quotes count for nothing; what stands side by side is not deep."""
    text = json.dumps(value, ensure_ascii=escaped).encode()
    assert nests_beyond(text, bound) == (depth_of(value) > bound)


@pytest.mark.parametrize("text", [b"]]]][[[", b'{"a', b'"\\', b"[" * 300, b"}" * 300 + b"[" * 300, b'["' + b"[" * 300])
def test_what_is_no_json_has_an_answer(text: bytes) -> None:
    """A text that is none is not refused here: its reader does that."""
    assert nests_beyond(text, DEPTH_MAX) in (True, False)


def test_a_string_without_an_end_is_passed_over_once() -> None:
    """A text of millions of quotes that end nothing takes one pass, and its depth before them counts."""
    endless = b'"' + b'\\"[' * 3_000_000
    assert not nests_beyond(b"[" * 256 + endless, DEPTH_MAX)
    assert nests_beyond(b"[" * 257 + endless, DEPTH_MAX)


def test_a_long_string_costs_no_memory_of_its_own() -> None:
    """A string of millions of escapes is passed over in one step."""
    assert not nests_beyond(b"[" * 200 + b'"' + b'\\"{' * 2_000_000 + b'"' + b"]" * 200, DEPTH_MAX)
