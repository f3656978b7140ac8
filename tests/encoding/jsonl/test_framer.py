"""One text in chunks: the same answer however it is cut, and places that are those of the text."""

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.encoding.jsonl.asked import Asked, Probe
from agentaudit.encoding.jsonl.framer import Framer, framing
from agentaudit.encoding.jsonl.lanes import HERE_SLOT_BYTES, STANDARD_BYTES, HereLane
from agentaudit.encoding.jsonl.ledger import TYPES_MAX
from agentaudit.encoding.jsonl.tally import FINDINGS_MAX
from agentaudit.model.base import UNSET
from agentaudit.model.framing import label_of
from tests.encoding.jsonl.mutants import json_values, mutants
from tests.encoding.jsonl.records import ASKED, facts, framed, lines, noted, record

EVERYTHING = replace(ASKED, keys=True, probes=(Probe(("type",)), Probe(("n",), 0), Probe(("message", "role"), 1)))
TEXTS = st.lists(mutants() | json_values(), max_size=6).map(b"\n".join)


@given(TEXTS, st.lists(st.integers(0, 2_000), max_size=6), st.integers(1, 90), st.sampled_from((5, 60, 10_000)))
def test_the_answer_does_not_depend_on_the_chunks(text: bytes, cuts: list[int], slot: int, limit: int) -> None:
    """Nor on the size of the slots: facts, words and probes are the same."""
    asked = replace(EVERYTHING, max_line_bytes=limit)
    whole = framed(text, asked)
    assert framed(text, asked, slot_bytes=slot, cuts=tuple(cuts)) == whole
    head = replace(asked, second_look_bytes=40)
    assert framed(text, head, slot_bytes=slot, cuts=tuple(cuts)) == framed(text, head)


@given(TEXTS)
def test_what_else_is_asked_changes_no_verdict(text: bytes) -> None:
    """Findings, lines and values are the same whether keys, probes and second looks are asked for or not."""
    bare, full = framed(text, Asked(second_look_bytes=0)).facts, framed(text, EVERYTHING).facts
    assert bare.findings == full.findings
    assert (bare.lines, bare.ok_lines, bare.values, bare.kinds) == (full.lines, full.ok_lines, full.values, full.kinds)
    assert bare.types == full.types
    assert (bare.second_look, full.second_look) == ("not_asked", "every_line")


@given(TEXTS)
def test_every_byte_and_every_line_is_accounted_for(text: bytes) -> None:
    """Lines are as many as line feeds, and one more for a tail; each is good, blank or a finding."""
    found = facts(text)
    assert found.bytes == len(text)
    assert found.lines == text.count(b"\n") + (bool(text) and not text.endswith(b"\n"))
    assert found.longest_line_bytes == max(map(len, text.split(b"\n")))
    if not any(one.fault == "not_json_lines" for one in found.findings):
        blank = noted(found).get("empty_line", 0) + noted(found).get("whitespace_line", 0)
        assert found.lines == found.ok_lines + blank + len(found.findings)
        for one in found.findings:
            assert text[: one.offset].count(b"\n") == one.line - 1
            assert text[one.offset : one.offset + one.length] == text.split(b"\n")[one.line - 1]


@given(st.lists(json_values(), min_size=1, max_size=5))
def test_what_a_json_writer_wrote_is_sound(texts: list[bytes]) -> None:
    """One value a line: good when it is an object, and otherwise no fault but that."""
    found = facts(lines(*texts))
    objects = sum(text.startswith(b"{") for text in texts)
    assert found.ok_lines == objects
    assert [one.fault for one in found.findings] == ["non_object"] * (len(texts) - objects)
    assert found.values == len(texts)


def test_bytes_may_be_read_where_they_are_judged() -> None:
    """A room is never empty, and what is filled into it is the text."""
    text = lines(*[record(number) for number in range(50)])
    framer, at = Framer(HereLane(ASKED, 1_000)), 0
    while at < len(text):
        room = framer.room()
        taken = min(len(room), 333, len(text) - at)
        assert taken
        room[:taken] = text[at : at + taken]
        framer.filled(taken)
        at += taken
    assert framer.finish() == framed(text)


def test_a_text_can_be_fed_as_any_kind_of_bytes() -> None:
    """Bytes, an array of them or a view of them, and none at all."""
    framer = framing(ASKED)
    for piece in (b"", bytearray(b'{"a":'), memoryview(b"1}\n"), b""):
        framer.feed(piece)
    assert framer.finish() == framed(b'{"a":1}\n')


def test_a_large_text_is_judged_by_the_fast_engine_from_some_point_on() -> None:
    """Whichever judges, good lines are good and bad ones are found."""
    rows = [record(number, "x" * 5_000) for number in range(600)]
    assert len(rows) * 5_000 > 2 * STANDARD_BYTES
    rows[-3] = rows[-3][:100]
    found = framed(lines(*rows), Asked(second_look_bytes=0)).facts
    assert (found.ok_lines, [one.line for one in found.findings]) == (len(rows) - 1, [len(rows) - 2])
    assert found.second_look_bytes == 0


def test_the_second_look_goes_as_far_as_it_is_asked() -> None:
    """A line that begins behind it is not looked at, and the facts say how far it went."""
    row = b'{"a":1,"a":2}'
    found = framed(lines(*[row] * 5), Asked(second_look_bytes=2 * len(row) + 3)).facts
    assert noted(found) == {"duplicate_key": 3}
    assert (found.second_look, found.second_look_bytes) == ("head", 2 * len(row) + 3)
    assert framed(lines(row), Asked(second_look_bytes=10**6)).facts.second_look == "every_line"


def test_a_line_of_more_than_a_mebibyte_is_not_looked_at_twice() -> None:
    """Its names would have to be held in memory."""
    long = b'{"a":1,"a":"' + b"x" * 1_100_000 + b'"}'
    assert noted(facts(lines(long))) == {}


def test_findings_are_listed_up_to_a_bound_and_counted_beyond_it() -> None:
    """The first thousand have places; every one has its count."""
    found = framed(b"x\n" * (FINDINGS_MAX + 7), ASKED, slot_bytes=100).facts
    assert len(found.findings) == FINDINGS_MAX
    assert found.findings_by_class == (("bad_json", FINDINGS_MAX + 7),)
    assert found.findings[-1].line == FINDINGS_MAX
    assert not found.clean


def test_different_types_are_counted_up_to_a_bound() -> None:
    """The first of the text are told apart; the lines of all others are one number."""
    rows = [json.dumps({"type": f"t{number}"}).encode() for number in range(TYPES_MAX + 5)]
    found = framed(lines(*rows, *rows), ASKED, slot_bytes=300).facts
    assert len(found.types) == TYPES_MAX
    assert {one.lines for one in found.types} == {2}
    assert found.types_beyond == 10


def test_framings_share_a_lane() -> None:
    """Two texts that are fed in turns come to what each comes to alone."""
    lane = HereLane(ASKED, 64)
    one, other = Framer(lane), Framer(lane)
    first, second = lines(record(1), record(2)[:50]), lines(record(3)) * 3
    for at in range(0, len(second), 7):
        one.feed(first[at : at + 7])
        other.feed(second[at : at + 7])
    assert (one.finish(), other.finish()) == (framed(first), framed(second))


def test_a_framing_can_be_given_up() -> None:
    """Its slot goes back to the lane."""
    lane = HereLane(ASKED, 64)
    framer = Framer(lane)
    framer.abandon()
    framer.feed(lines(record(1)))
    framer.abandon()
    assert Framer(lane).finish() == framed(b"")


def test_a_framing_of_its_own_asks_the_verdict_and_the_types() -> None:
    """Without being told, a framing neither looks twice nor counts keys."""
    framer = framing()
    assert len(framer.room()) == HERE_SLOT_BYTES
    framer.feed(lines(record(1)))
    found = framer.finish().facts
    assert found.types[0].label == label_of("user")
    assert (found.second_look, found.key_sets) == ("not_asked", UNSET)


@pytest.mark.parametrize("first", [b'{"a":\n', b"\n\n{\n", b"\xef\xbb\xbf[\n", b"[" + b"1," * 300_000 + b"\n"])
def test_what_begins_like_a_document_and_is_none_is_judged_line_by_line(first: bytes) -> None:
    """The guess dies with the first byte that no document allows."""
    found = facts(first + lines(record(1), record(2)))
    assert found.findings[0].fault == "cut"
    assert found.ok_lines == 2


@pytest.mark.parametrize("first", [b"[" + b"1," * 300_000 + b"\n1]\n", b"\xef\xbb\xbf \n[\n1]", b"\r\n[\r\n]\r\n"])
def test_a_document_may_begin_with_a_long_line_a_mark_or_blank_lines(first: bytes) -> None:
    """It is one all the same."""
    assert [one.fault for one in facts(first).findings] == ["not_json_lines"]


def test_a_document_may_begin_behind_a_block_of_blank_lines() -> None:
    """Nothing is decided before a line has something on it."""
    assert framed(b"\n" * 9 + b"[\n1\n]\n", slot_bytes=4).facts.findings[0].fault == "not_json_lines"


def test_a_line_above_the_limit_is_not_searched_for_carriage_returns() -> None:
    """Whether it fits a slot or not."""
    text = b"\r" * 50 + b"\r\n" + b"{}\r\n"
    for slot in (10, 1_000):
        assert noted(framed(text, replace(ASKED, max_line_bytes=20), slot_bytes=slot).facts) == {"crlf": 1}


def test_a_document_with_a_line_above_the_limit_is_not_judged_as_one() -> None:
    """What is not read cannot be said to be sound."""
    text = b"[\n" + b"1," * 500 + b"\n1]\n"
    found = facts(text, max_line_bytes=600)
    assert [one.fault for one in found.findings] == ["cut", "over_limit", "bad_json"]


@given(TEXTS, st.lists(st.integers(0, 2_000), max_size=4), st.integers(1, 90))
def test_whole_lines_may_be_judged_elsewhere(text: bytes, cuts: list[int], slot: int) -> None:
    """From wherever they are lent, in any order, up to wherever they end: the answer is the same."""
    lane = HereLane(EVERYTHING, slot)
    framer, at = Framer(lane), 0
    for cut in (*sorted(cut % (len(text) + 1) for cut in cuts), len(text)):
        framer.feed(text[at:cut])
        at = cut
        begun = framer.lend()
        if begun is not None:
            assert text[:at].endswith(begun)
            assert b"\n" not in begun
            blocks = [at - len(begun), *(place + 1 for place in range(at, len(text)) if text[place] == 0x0A)]
            for number, (begin, end) in reversed(list(enumerate(pairwise(blocks)))):
                framer.elsewhere(number, begin, lane.judge(0).block(text[begin:end], begin))
            framer.resume(len(blocks) - 1, len(text), text[blocks[-1] :])
            break
    else:
        assert framer.lend() is None
    assert framer.finish() == framed(text, EVERYTHING)


def test_what_may_be_documents_is_lent_to_nobody() -> None:
    """Nor what has no line yet, nor a line that is longer than a slot."""
    for text in (b"", b"\n \n", b'{\n"a": 1\n}\n', b'{"a":1}\n' + b'{"a":"' + b"x" * 200):
        framer = Framer(HereLane(ASKED, 100))
        framer.feed(text)
        assert framer.lend() is None
        assert framer.finish() == framed(text)


def test_types_that_are_known_stand_before_all_others() -> None:
    """Also those that the block has not; the rest is as without them."""
    judge = HereLane(Asked(second_look_bytes=0), standard_bytes=0).judge(1)
    text = lines(record(1, kind="b"), record(2, kind="a"), record(3, kind="b"), b"[]")
    plain, known = judge.block(text, 0), judge.block(text, 0, ("z", "a"))
    assert (list(plain.types.items()), list(known.types.items())) == (
        [("b", 2), ("a", 1)],
        [("z", 0), ("a", 1), ("b", 2)],
    )
    assert replace(known, types=plain.types) == plain
