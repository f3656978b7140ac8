"""Who clipped a string: told from flag, length, parameter and suffix together."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentaudit.adapters.compliance.clipping import (
    SERVER_LEAST_BYTES,
    Clip,
    is_empty_input,
    size_of,
    text_clip,
    tool_clip,
)
from agentaudit.demo.truncate import cut, resolved
from agentaudit.model.limits import MAX, SERVER_MAX_BYTES

SUFFIX = "…[truncated; pass tool_use_input_max_bytes=-1 for more]"


def test_a_cut_at_the_limit_that_was_asked_for_is_ours() -> None:
    """Flag, length and suffix agree."""
    clip = tool_clip("x" * 100 + SUFFIX, flagged=True, asked=100)
    assert clip == Clip("our_limit", ("parameter", "kept_length", "suffix", "flag"), 100, 100)


@pytest.mark.parametrize(
    ("kept", "by"), [(100, "our_limit"), (97, "our_limit"), (96, "undetermined"), (101, "undetermined")]
)
def test_a_length_matches_within_one_code_point(kept: int, by: str) -> None:
    """Three bytes below the limit at most, none above."""
    clip = tool_clip("x" * kept + SUFFIX, flagged=True, asked=100)
    assert clip is not None
    assert clip.by == by


@pytest.mark.parametrize("asked", [MAX, SERVER_MAX_BYTES, 2_000_000])
def test_a_cut_at_the_server_s_maximum_is_the_server_s(asked: int) -> None:
    """Whoever asks for the maximum or more can only meet the server's own limit."""
    clip = tool_clip("x" * SERVER_LEAST_BYTES, flagged=True, asked=asked)
    assert clip == Clip("server_limit", ("parameter", "kept_length", "flag"), SERVER_LEAST_BYTES, SERVER_MAX_BYTES)


def test_a_limit_just_below_the_maximum_may_meet_the_server_s_first() -> None:
    """About 1 MiB is inexact."""
    clip = tool_clip("x" * 1_000_000, flagged=True, asked=1_048_000)
    assert clip is not None
    assert clip.by == "server_limit"


@pytest.mark.parametrize("asked", [MAX, 100, None])
def test_a_flag_without_a_matching_length_stays_undetermined(asked: int | None) -> None:
    """A short flagged string says that it is clipped, and not by whom."""
    assert tool_clip("short", flagged=True, asked=asked) == Clip("undetermined", ("flag",), 5)


def test_a_suffix_alone_never_decides() -> None:
    """Anybody can type a suffix; with a matching length it is suspicious and no more."""
    assert tool_clip("short" + SUFFIX, flagged=False, asked=100) is None
    assert tool_clip("x" * 100 + SUFFIX, flagged=False, asked=100) == Clip(
        "undetermined", ("parameter", "kept_length", "suffix"), 100
    )
    assert tool_clip("x" * 100, flagged=False, asked=100) is None


def test_a_suffix_in_the_middle_is_text() -> None:
    """Only the end of a string is the server's."""
    text = SUFFIX + "y" * 300
    clip = tool_clip(text, flagged=True, asked=None)
    assert clip == Clip("undetermined", ("flag",), size_of(text))


@settings(deadline=None)
@given(st.text(min_size=1), st.integers(1, 60))
def test_every_cut_of_the_synthetic_server_is_recognised(text: str, limit: int) -> None:
    """Whatever the text and the limit: cut strings are ours, whole ones are nobody's."""
    shown, flagged = cut(text, resolved(limit), "tool_use_input_max_bytes")
    clip = tool_clip(shown, flagged=flagged, asked=limit)
    if flagged:
        assert clip is not None
        assert (clip.by, clip.limit_bytes) == ("our_limit", limit)
        assert limit - 3 <= clip.kept_bytes <= limit
    else:
        assert clip is None or clip.by == "undetermined"


def test_trap_02_a_flagged_text_is_clipped_only_when_it_is_long() -> None:
    """A short one is a marker: dropped citations, a placeholder, a line of the server."""
    assert text_clip("[image]", flagged=True) == Clip("marker", ("flag",), 7)
    assert text_clip("x" * 1_000_000 + "…[truncated]", flagged=True) == Clip(
        "server_limit", ("kept_length", "suffix", "flag"), 1_000_000, SERVER_MAX_BYTES
    )
    assert text_clip("x" * 1_000_000 + "…[truncated]", flagged=False) == Clip(
        "undetermined", ("kept_length", "suffix"), 1_000_000
    )
    assert text_clip("plain", flagged=False) is None


@pytest.mark.parametrize("text", ["", " \n", "{}", " { } ", "{\t}\n"])
def test_an_input_that_says_nothing_is_empty(text: str) -> None:
    """White space and an empty object."""
    assert is_empty_input(text)


@pytest.mark.parametrize("text", ["null", "[]", '{"a":1}', "{}{}", '""'])
def test_an_input_that_says_something_is_not_empty(text: str) -> None:
    """A null is something that was said."""
    assert not is_empty_input(text)


def test_sizes_count_utf8_and_three_bytes_for_a_lone_surrogate() -> None:
    """Lengths are of bytes, not of characters."""
    assert [size_of("a"), size_of("ä"), size_of("\ud800")] == [1, 2, 3]
