"""Transcript messages: rows without content, truncations with the way back, what the source withholds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentaudit.adapters.compliance.messages import PagePlace, Withheld, message_mark, read_message, withheld
from agentaudit.encoding.canonical import encode
from agentaudit.encoding.foreign import Json
from agentaudit.model.base import UNSET
from agentaudit.model.limits import ByteLimits
from agentaudit.model.readings import ProvenanceWords, RecordRow

LIMITS = ByteLimits(tool_input_max_bytes=4, tool_result_max_bytes=4)
PLACE = PagePlace("s000001", "compliance/local/s000001/messages", 2, "data/x.json", "local", LIMITS)


def row_of(message: Json) -> RecordRow:
    """The row of a message at index 3."""
    return read_message(message, PLACE, 3)[0]


def test_a_message_is_a_row_that_leads_back_to_its_bytes() -> None:
    """Ids, role, time, model, limits in force, item and pointer."""
    row = row_of({
        "type": "compliance_local_session_message", "id": "clsm_1", "role": "user", "model": None,
        "created_at": "2026-10-01T00:00:00Z", "provenance": None, "content": [],
    })  # fmt: skip
    assert row == RecordRow(
        session="s000001",
        walk=PLACE.walk,
        page=2,
        index=3,
        item="data/x.json",
        pointer="/data/3",
        id="clsm_1",
        role="user",
        model=None,
        created_at="2026-10-01T00:00:00Z",
        provenance=None,
        limits=LIMITS,
    )


def test_a_remote_message_has_neither_model_nor_provenance() -> None:
    """Absent is not null."""
    row = row_of({"id": "csev_1", "role": "user", "sent_by_user_id": None, "content_unavailable": True, "content": []})
    assert (row.model, row.provenance, row.sent_by_user_id, row.content_unavailable) == (UNSET, UNSET, None, True)


def test_trap_15_provenance_is_kept_verbatim_whatever_it_says() -> None:
    """New types and reasons are words like any other."""
    row = row_of({"provenance": {"type": "dreamt", "reason": 5, "depth": 2}})
    assert row.provenance == ProvenanceWords(type="dreamt")
    assert row.unknown_fields == ("provenance.depth", "provenance.wrong_type:reason")


def test_a_truncation_points_into_its_message() -> None:
    """RFC 6901, from the top of the page to the clipped string."""
    blocks: list[Json] = [
        {"type": "text", "text": "a"},
        {"type": "tool_use", "input": "1234…[truncated; pass x]", "truncated": True},
        {"type": "text", "text": "[image]", "truncated": True},
    ]
    row, clipped = read_message({"content": blocks}, PLACE, 3)
    assert [block.type for block in row.blocks] == ["text", "tool_use", "text"]
    assert [(one.pointer, one.by, one.raise_parameter, one.kept_bytes, one.limit_bytes) for one in clipped] == [
        ("/data/3/content/1/input", "our_limit", "tool_use_input_max_bytes", 4, 4),
        ("/data/3/content/2/text", "marker", None, 7, None),
    ]


@pytest.mark.parametrize(
    ("message", "names"),
    [
        (7, ("wrong_type:message",)),
        ({"content": {}, "id": 5, "provenance": "x"}, ("wrong_type:content", "wrong_type:id", "wrong_type:provenance")),
        ({"type": "other"}, ("other_value:type",)),
        ({"hint": 1, "x" * 121: 2}, ("hint", "long_name:121")),
    ],
)
def test_what_is_odd_in_a_message_is_named_and_the_row_stands(message: Json, names: tuple[str, ...]) -> None:
    """No place on a page is passed over."""
    assert row_of(message).unknown_fields == names


def test_many_unknown_names_are_bounded() -> None:
    """Sixty-four names, then their number."""
    message: dict[str, Json] = {f"k{number:03d}": 1 for number in range(100)}
    names = row_of(message).unknown_fields
    assert (len(names), names[-1]) == (65, "more_names:36")


def test_trap_15_a_row_holds_no_content() -> None:
    """A secret in text, input and result never reaches a row or a truncation."""
    secret = "s3cret-words"  # noqa: S105 - a canary
    blocks: list[Json] = [
        {"type": "text", "text": secret, "truncated": True},
        {"type": "tool_use", "input": secret, "truncated": True},
        {"type": "tool_result", "content": [{"type": "text", "text": secret}], "truncated": True},
        {"type": "new", "body": secret},
    ]
    row, clipped = read_message({"content": blocks, "provenance": None}, PLACE, 0)
    assert secret not in b"".join(map(encode, (row, *clipped))).decode()


@pytest.mark.parametrize(
    ("message", "loss"),
    [
        ({"provenance": {"type": "content_unavailable", "reason": "oversize"}}, Withheld("oversize")),
        ({"provenance": {"type": "content_unavailable", "reason": None}}, Withheld(None)),
        ({"provenance": {"type": "content_unavailable"}}, Withheld(None)),
        ({"content_unavailable": True}, Withheld(None)),
    ],
)
def test_withheld_content_is_told_from_fields(message: Json, loss: Withheld) -> None:
    """Local messages say it in their provenance, remote ones in a flag."""
    assert withheld(message) == loss


@pytest.mark.parametrize(
    "message",
    [
        {"provenance": None, "content": []},
        {"provenance": {"type": "synthetic_marker"}},
        {"content_unavailable": False},
        {"content_unavailable": "yes"},
        {"content": [{"type": "text", "text": "[content unavailable]"}]},
        None,
    ],
)
def test_trap_15_no_bracketed_text_and_no_other_provenance_is_a_loss(message: Json) -> None:
    """An empty message is empty; a user may type any bracket."""
    assert withheld(message) is None


def test_only_retention_is_a_placeholder() -> None:
    """Its identifier changes from run to run."""
    assert Withheld("retention_elapsed").is_retention
    assert not Withheld("oversize").is_retention


def test_a_message_is_known_again_by_its_identifier() -> None:
    """Equal identifiers, equal marks; without one there is none."""
    assert message_mark({"id": "a\ud800"}) == message_mark({"id": "a\ud800", "role": "x"})
    assert message_mark({"id": "a"}) != message_mark({"id": "A"})
    assert message_mark({"id": 5}) is None
    assert message_mark([]) is None


JSON: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(), max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)
BLOCKS = st.lists(
    JSON
    | st.fixed_dictionaries(
        {"type": st.sampled_from(["text", "tool_use", "tool_result", "new"])},
        optional=dict.fromkeys(
            ("text", "id", "name", "input", "truncated", "tool_use_id", "is_error", "content"), JSON
        ),
    ),
    max_size=3,
)
MESSAGE = JSON | st.fixed_dictionaries(
    {"content": BLOCKS | JSON},
    optional=dict.fromkeys(("id", "role", "model", "created_at", "provenance", "content_unavailable", "type"), JSON),
)


@settings(deadline=None)
@given(MESSAGE)
def test_no_message_ends_a_reading(message: Json) -> None:
    """Whatever stands where a message should: a row, truncations, a mark, all of which can be written."""
    row, clipped = read_message(message, PLACE, 0)
    again, _ = read_message(message, PLACE, 0)
    withheld(message)
    message_mark(message)
    assert row == again
    for one in (row, *clipped):
        assert encode(one)
