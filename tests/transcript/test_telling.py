"""Pieces as the few things that a page is made of."""

import msgspec
import pytest

from agentaudit.export.sentences import WHY
from agentaudit.model.base import digest_of
from agentaudit.model.losses import Gap
from agentaudit.model.readings import ProvenanceWords
from agentaudit.model.text import Unencodable
from agentaudit.model.workingcopy import Aside, Block, Clip, Join, Message, NotRead, Piece, Way
from agentaudit.transcript.document import Loss
from agentaudit.transcript.telling import Told, tell
from agentaudit.transcript.words import ENCRYPTED, NOT_SHOWN, NOTES, UNKNOWN, clip_words, join_words

WAY = Way(item="data/x.json", sha256=digest_of(b""), pointer="/data/0", request_id="req_1", row=4)
LINE = Way(item="data/t.jsonl", sha256=digest_of(b""), pointer="", request_id=None, row=None, line=3, offset_bytes=17)


def told(piece: Piece) -> Told:
    """The one thing that is told of a piece, behind what announces its part."""
    return list(tell((piece,)))[-1]


def message(*blocks: Block) -> Message:
    """A message of these blocks."""
    return Message(part="w", page=1, index=0, standing="captured", blocks=blocks, way=WAY)


def test_a_message_says_who_when_and_how_sure() -> None:
    """Heading, provenance in words with the source's own, and the way back."""
    one = told(
        Message(
            number=3,
            part="w",
            page=1,
            index=2,
            role="user",
            created_at="2026-01-01T00:00:00Z",
            id="m1",
            standing="content_unavailable",
            provenance=ProvenanceWords(type="content_unavailable", reason="oversize"),
            repeated=True,
            facts=(("agentId", "a1"),),
            unknown_fields=("hint",),
            way=WAY,
        )
    )
    facts = dict(one.facts)
    assert (one.heading, one.kind, one.anchor) == ("3. user, 2026-01-01T00:00:00Z", "message user", "m3")
    assert facts["provenance"].endswith("(the source says: content_unavailable, oversize)")
    assert (facts["raw bytes"], facts["request"], facts["journal row"]) == ("data/x.json#/data/0", "req_1", "4")
    assert (facts["agentId"], facts["members not shown"], facts["id"]) == ("a1", "hint", "m1")
    assert [mark.split(":")[0] for mark in one.marks] == ["PLACEHOLDER", "REPEATED", "no content blocks"]


def test_a_role_that_is_not_stated_is_said_so() -> None:
    """A message without a role, or with an unknown one, makes no claim about who spoke."""
    assert (told(message()).heading, told(message()).kind) == ("0. role not stated", "message other")


def test_a_place_in_a_line_is_told_with_its_byte() -> None:
    """A local record leads back to line and byte."""
    one = told(Aside(part="p", type="progress", way=LINE))
    assert dict(one.facts)["raw bytes"] == "data/t.jsonl#, line 3 at byte 17"
    assert (one.kind, one.heading) == ("aside", "Not messages: 1 progress")
    inner = told(message(Block(kind="text", type="text", way=LINE, texts=("x",))))
    assert dict(inner.passages[0].facts)["raw bytes"] == "data/t.jsonl#, line 3"


def test_records_in_a_row_that_are_no_messages_are_told_once() -> None:
    """Their types are counted up to the next message, loss or part; the way leads to the first of them."""

    def aside(part: str, kind: str) -> Aside:
        return Aside(part=part, type=kind, way=LINE)

    loss = Loss(gap=Gap(kind="unavailable", code="session_call_cap", basis="field"), way=None)
    pieces = (
        aside("w", "progress"), aside("w", "progress"), aside("w", ""), message(), aside("w", "a"), loss,
        aside("w", "b"), aside("x", "c"),
    )  # fmt: skip
    assert [one.heading for one in tell(pieces)] == [
        "From here on: w",
        "Not messages: 1 of no type, 2 progress",
        "0. role not stated",
        "Not messages: 1 a",
        "NOT HERE: the rest",
        "Not messages: 1 b",
        "From here on: x",
        "Not messages: 1 c",
    ]


def test_bytes_that_could_not_be_read_are_marked() -> None:
    """They are here, and no message could be had from them."""
    assert told(NotRead(part="w", reason="not_json", way=WAY)).marks == ("NOT READ: not json",)


@pytest.mark.parametrize(
    ("gap", "heading", "facts"),
    [
        (
            Gap(kind="not_obtained", code="refused", basis="status", page=2, walk="w", status=400,
                source=(("type", "x"), ("code", None))),
            "NOT HERE: page 2",
            {"kind": "not obtained", "known by": "status", "walk": "w", "the source says": "type: x, code: null",
             "status": "400"},
        ),
        (Gap(kind="unavailable", code="session_call_cap", basis="field"), "NOT HERE: the rest",
         {"kind": "unavailable", "known by": "field"}),
    ],
)  # fmt: skip
def test_a_loss_says_what_why_and_how_we_know(gap: Gap, heading: str, facts: dict[str, str]) -> None:
    """The gap's own words, and the way to what was kept instead where there is one."""
    one = told(Loss(gap=gap, way=None))
    assert (one.heading, dict(one.facts)) == (heading, facts)
    assert one.marks
    assert dict(told(Loss(gap=gap, way=WAY)).facts)["request"] == "req_1"


def test_an_input_is_shown_as_received_and_its_lines_unfolded() -> None:
    """Members of several lines are shown once more, as lines; those of one line, and no JSON, are not."""

    def labels(given: str) -> list[str]:
        block = Block(kind="tool_use", type="tool_use", way=WAY, texts=(given,), join=Join(state="missing"))
        return [label for label, _ in told(message(block)).passages[0].texts]

    assert labels('{"a": "x\\ny", "b": "z\\n", "c": 1}') == [
        "input, as received",
        "the same: member a, with its lines",
    ]
    assert labels('{"a": "x') == ["input, as received"]
    assert labels("[1]") == ["input, as received"]


def test_several_texts_of_a_result_are_numbered() -> None:
    """One text needs no number; hex beside a display form shows the display."""
    two = Block(kind="tool_result", type="tool_result", way=WAY, texts=("a", Unencodable(hex="eda080", display="?")))
    assert told(message(two)).passages[0].texts == (("result 0", "a"), ("result 1", "?"))


def test_a_block_tells_its_small_facts() -> None:
    """Id, error mark, the source's flag and the state of an input stand beside the text."""
    block = Block(
        kind="tool_use",
        type="tool_use",
        way=WAY,
        name="Bash",
        id="t1",
        is_error=False,
        truncated=True,
        input_state="cut",
        facts=(("member not shown", "x"),),
        join=Join(state="joined", to=((2, 0), (3, 1))),
    )
    passage = told(message(block)).passages[0]
    assert passage.heading == "block 0: tool use Bash"
    assert dict(passage.facts) == {
        "tool-use id": "t1",
        "is error": "false",
        "truncated, says the source": "true",
        "input": "cut",
        "member not shown": "x",
        "raw bytes": "data/x.json#/data/0",
    }
    assert passage.leads == (("its result:", ""), ("message 2, block 0;", "m2b0"), ("message 3, block 1", "m3b1"))


def test_a_block_of_an_unknown_kind_is_named() -> None:
    """Its type stands in the heading, or that it states none."""
    named = Block(kind="other", type="hologram", way=WAY)
    silent = Block(kind="other", type="", way=WAY)
    headings = [passage.heading for passage in told(message(named, silent)).passages]
    assert headings == ["block 0: block of type hologram", "block 1: block of type not stated"]


@pytest.mark.parametrize(
    ("state", "is_call", "words"),
    [
        ("joined", True, "its result:"),
        ("joined", False, "its call:"),
        ("several", True, "this id stands more than once, no result is preferred:"),
        ("missing", True, "NO RESULT WITH THIS ID IN THIS COPY"),
        ("missing", False, "NO CALL WITH THIS ID IN THIS COPY"),
        ("no_id", True, "NO ID: joined to nothing"),
    ],
)
def test_a_join_in_words(state: str, is_call: bool, words: str) -> None:
    """Each state has its own words."""
    join = next(Join(state=one) for one in ("joined", "missing", "several", "no_id") if one == state)
    assert join_words(join, is_call=is_call) == words


def test_a_clip_in_words() -> None:
    """A limit is named where one is known; a marker is no limit."""

    def clip(by: str, limit: int | None, raised: str | None) -> Clip:
        who = next(one for one in ("server_limit", "marker", "undetermined") if one == by)
        return Clip(
            pointer="/p", by=who, basis=("kept_length", "flag"), kept_bytes=5, limit_bytes=limit, raise_parameter=raised
        )

    assert clip_words(clip("server_limit", 1_048_576, None)) == (
        f"CLIPPED HERE: {WHY['server_limit']} (1,048,576 bytes); 5 bytes kept (known by: kept length, flag; at /p)"
    )
    assert clip_words(clip("undetermined", None, "tool_result_max_bytes")) == (
        f"CLIPPED HERE: {WHY['undetermined']}; 5 bytes kept; raise tool_result_max_bytes to get more "
        "(known by: kept length, flag; at /p)"
    )
    assert clip_words(clip("marker", None, None)).startswith("NOT WHOLE: ")


def test_a_piece_of_no_known_kind_is_a_bug() -> None:
    """The union is closed."""
    with pytest.raises(TypeError):
        told(Strange())


class Strange(Piece, frozen=True, kw_only=True, tag="strange"):
    """A piece that nobody makes."""


def test_a_record_that_is_no_message_is_headed_by_its_type() -> None:
    """A type stands where no role is; what must not be overlooked in the order of things is a mark."""
    piece = Message(part="w", page=None, index=0, type="turn_context", standing="not_stated", note="abort", way=WAY)
    one = told(piece)
    assert (one.heading, one.marks[-2]) == ("0. turn_context", NOTES["abort"])
    assert dict(told(msgspec.structs.replace(piece, role="user")).facts)["record"] == "turn_context"


def test_what_is_encrypted_and_what_is_unknown_is_marked() -> None:
    """Nothing is left out without a word: what is unreadable, unknown and shown, unknown and not shown."""
    passages = told(
        message(
            Block(kind="thinking", type="x", way=WAY, unreadable="encrypted"),
            Block(kind="other", type="x", way=WAY, texts=("{}",)),
            Block(kind="other", type="x", way=WAY),
            Block(kind="event", type="stdout", way=WAY, texts=("a",)),
        )
    ).passages
    assert [passage.marks for passage in passages] == [(ENCRYPTED,), (UNKNOWN,), (NOT_SHOWN,), ()]
    assert passages[3].heading == "block 3: event stdout"


def test_a_call_leads_to_what_the_program_recorded_of_it() -> None:
    """Results and events stand apart."""
    join = Join(state="missing", events=((3, 0), (4, 1)))
    (passage,) = told(message(Block(kind="tool_use", type="x", way=WAY, join=join))).passages
    assert passage.leads == (
        ("what the program recorded of it:", ""),
        ("message 3, block 0;", "m3b0"),
        ("message 4, block 1", "m4b1"),
    )
    assert passage.marks == ("NO RESULT WITH THIS ID IN THIS COPY",)
