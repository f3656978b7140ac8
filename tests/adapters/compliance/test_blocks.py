"""Content blocks: rows without content, and what was clipped in them."""

import pytest

from agentaudit.adapters.compliance.blocks import Clipped, read_block
from agentaudit.adapters.compliance.clipping import Clip
from agentaudit.encoding.foreign import Json
from agentaudit.model.base import UNSET
from agentaudit.model.limits import ByteLimits
from agentaudit.model.readings import BlockRow
from agentaudit.model.selection import Family
from agentaudit.model.text import Unencodable

LIMITS = ByteLimits(tool_input_max_bytes=20, tool_result_max_bytes=10)
SUFFIX = "…[truncated; pass tool_result_max_bytes=-1 for more]"


def result(*items: Json, truncated: Json = True) -> dict[str, Json]:
    """A tool result."""
    return {"type": "tool_result", "tool_use_id": "t", "name": "n", "content": list(items), "truncated": truncated}


def text(words: str) -> dict[str, Json]:
    """A text item."""
    return {"type": "text", "text": words}


def by(block: dict[str, Json], family: Family = "local") -> list[tuple[str, str]]:
    """Where and by whom a block was clipped."""
    return [(one.pointer, one.clip.by) for one in read_block(block, family, LIMITS).clipped]


def test_a_text_block_is_a_size() -> None:
    """Type, flag and bytes; no word of it."""
    reading = read_block({"type": "text", "text": "grüß", "truncated": False}, "local", LIMITS)
    assert reading.row == BlockRow(type="text", truncated=False, bytes=6)
    assert reading.clipped == ()


def test_a_flagged_short_text_is_a_marker() -> None:
    """A placeholder, or dropped citations: not our limit, and no parameter lifts it."""
    assert read_block({"type": "text", "text": "[image]", "truncated": True}, "local", LIMITS).clipped == (
        Clipped("/text", Clip("marker", ("flag",), 7), None),
    )


@pytest.mark.parametrize(
    ("given", "truncated", "state"),
    [
        ("{}", False, "empty"),
        ("", False, "empty"),
        ("{", True, "cut"),
        ("", True, "cut"),
        ('{"a":1}', False, "present"),
        ({"a": 1}, False, "not_a_string"),
        (None, False, "not_a_string"),
    ],
)
def test_trap_17_an_empty_input_and_a_cut_one_are_told_apart(given: Json, truncated: bool, state: str) -> None:
    """The input is a string and is never parsed; its state is told from the flag and from emptiness."""
    block: dict[str, Json] = {"type": "tool_use", "id": None, "name": "n", "input": given, "truncated": truncated}
    row = read_block(block, "local", LIMITS).row
    assert row.input_state == state
    assert row.id is None


def test_an_absent_input_has_no_state() -> None:
    """What was not sent is not judged."""
    assert read_block({"type": "tool_use"}, "local", LIMITS).row == BlockRow(type="tool_use")


def test_a_clipped_input_names_the_parameter_that_was_in_force() -> None:
    """The way to more is the input's parameter."""
    block: dict[str, Json] = {"type": "tool_use", "input": "x" * 20, "truncated": True}
    (clipped,) = read_block(block, "local", LIMITS).clipped
    assert (clipped.pointer, clipped.clip.by, clipped.parameter) == ("/input", "our_limit", "tool_use_input_max_bytes")


def test_a_result_is_judged_item_by_item() -> None:
    """Two items of three were cut: two truncations, each pointing to its item."""
    block = result(text("x" * 10 + SUFFIX), text("whole"), text("y" * 9 + SUFFIX))
    assert by(block) == [("/content/0/text", "our_limit"), ("/content/2/text", "our_limit")]
    assert read_block(block, "local", LIMITS).row.item_bytes == (64, 5, 63)


def test_trap_16_a_flagged_result_without_a_cut_item_means_different_things() -> None:
    """Locally, items that are no text were replaced; remotely the flag speaks of shortened text only."""
    assert by(result(text("short"), text("[3 pictures]"))) == [("", "marker")]
    assert by(result(text("short")), "remote") == [("", "undetermined")]


def test_a_length_alone_does_not_accuse_a_local_item() -> None:
    """Locally a cut carries a suffix; remotely nothing says whether it does."""
    assert by(result(text("x" * 10))) == [("/content/0/text", "undetermined")]
    assert by(result(text("x" * 10)), "remote") == [("/content/0/text", "our_limit")]


def test_a_suffix_of_the_wrong_length_stays_undetermined() -> None:
    """The flag and the suffix say clipped; nothing says by whom."""
    assert by(result(text("xyz" + SUFFIX))) == [("/content/0/text", "undetermined")]


def test_a_suffix_that_a_user_typed_is_nothing_without_the_flag() -> None:
    """Unless its length matches, and even then nobody is named."""
    assert by(result(text("xyz" + SUFFIX), truncated=False)) == []
    assert by(result(text("x" * 10 + SUFFIX), truncated=False)) == [("/content/0/text", "undetermined")]


def test_a_result_whose_error_flag_is_null_or_absent_says_so() -> None:
    """Three states of knowledge."""
    row = read_block({**result(), "is_error": None}, "local", LIMITS).row
    assert row.is_error is None
    assert read_block({"type": "tool_result"}, "local", None).row == BlockRow(type="tool_result")


def test_an_unknown_kind_of_block_is_a_row_with_the_names_of_its_members() -> None:
    """A new kind never rejects a page."""
    row = read_block({"type": "hologram", "points": [1], "truncated": True, "alpha": 1}, "local", LIMITS).row
    assert row == BlockRow(type="hologram", truncated=True, unknown_fields=("alpha", "points"))


@pytest.mark.parametrize(
    ("block", "row"),
    [
        ("text", BlockRow(type="", unknown_fields=("wrong_type:block",))),
        ({}, BlockRow(type="")),
        ({"type": None}, BlockRow(type="")),
        ({"type": 7}, BlockRow(type="", unknown_fields=("wrong_type:type",))),
        ({"type": "text", "text": 5}, BlockRow(type="text", unknown_fields=("wrong_type:text",))),
        (
            {"type": "tool_use", "name": [], "truncated": None, "new": 1},
            BlockRow(type="tool_use", unknown_fields=("new", "wrong_type:name", "wrong_type:truncated")),
        ),
        (
            {"type": "tool_result", "content": "x", "is_error": "no"},
            BlockRow(type="tool_result", unknown_fields=("wrong_type:content", "wrong_type:is_error")),
        ),
        (
            {"type": "tool_result", "content": [5, {"type": "image"}, {"type": "text", "text": "a", "hint": 1}]},
            BlockRow(
                type="tool_result", bytes=1, item_bytes=(1,), unknown_fields=("content.hint", "wrong_type:content.item")
            ),
        ),
    ],
)
def test_a_member_of_a_wrong_type_is_left_out_and_named(block: Json, row: BlockRow) -> None:
    """Nothing that a block holds ends a reading."""
    assert read_block(block, "local", LIMITS).row == row


def test_a_name_that_utf8_cannot_hold_is_kept_beside_a_display_form() -> None:
    """A lone surrogate in a tool's name."""
    row = read_block({"type": "tool_use", "name": "a\ud800"}, "local", LIMITS).row
    assert isinstance(row.name, Unencodable)
    assert row.bytes is UNSET
