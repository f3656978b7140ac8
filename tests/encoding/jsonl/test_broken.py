"""Lines that are not one value: what is on them, told apart within bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.encoding.jsonl.broken import CANDIDATES_MAX, PIECES_MAX, VALUES_MAX
from agentaudit.encoding.jsonl.judging import judge
from tests.encoding.jsonl.mutants import mutants
from tests.encoding.jsonl.records import record

R1, R2, R3 = (record(number) for number in range(1, 4))


@pytest.mark.parametrize(
    ("line", "fault", "values"),
    [
        (b'{"a":1}{"b":2}', "glued", (0, 7)),
        (b'{"a":1} \t{"b":2} ', "glued", (0, 9)),
        (b"[][]{}", "glued", (0, 2, 4)),
        (b'"a""b"', "glued", (0, 3)),
        (b"1 2", "glued", (0, 2)),
        (b'{"a":1}x', "bad_json", (0,)),
        (b'{"a":1,}', "bad_json", ()),
        (b'{"a":[1.5-', "bad_json", ()),
        (b"truefalse", "bad_json", ()),
        (b"\xff\xfe{\0}\0", "bad_json", ()),
        (b'{"a":"x{"b":1}', "cut+object", (7,)),
        (b'{"a":tr{"b":1}', "cut+object", (7,)),
        (b'{"a":-{"b":1}', "cut+object", (6,)),
        (b'{"a":"\\u00{"b":1}', "cut+object", (10,)),
        (b'{"a":1,"b":2{"c":3}{"d":4}', "cut+object", (12, 19)),
        (b'{"a":"x{"b":"y{"c":1}', "cut+object", (14,)),
        (b'{"a":1}{"b":"x{"c":1}', "cut+object", (0, 14)),
        (b'{"a":"x\0\0\0{"b":1}', "cut+object", (10,)),
        (b'{"a":1}{"b":', "cut", (0,)),
        (b'{"a":"x{"b":"y', "cut", ()),
        (b'{"a":"x\0\0', "cut", ()),
        (b"\0\0", "nul_run", ()),
        (b"\0{}\0", "nul_prefix", (1,)),
        (b"[]\0", "nul_suffix", (0,)),
    ],
)
def test_the_class_follows_from_the_pieces(line: bytes, fault: str, values: tuple[int, ...]) -> None:
    """Complete values have their offsets; what breaks off, NUL bytes and rubbish are told from them."""
    found = judge(line)
    assert (found.fault, found.values) == (fault, values)


def test_a_line_that_breaks_off_is_a_tail_only_where_no_line_feed_ends_it() -> None:
    """The last line of a text that is being written is another thing than a line that was cut."""
    assert judge(R1[:20]).fault == "cut"
    assert judge(R1[:20], tail=True).fault == "incomplete_tail"
    assert judge(R1 + R2[:20], tail=True).fault == "incomplete_tail"
    assert judge(R1[:20] + R2, tail=True).fault == "cut+object"
    assert judge(R1 + R2, tail=True).fault == "glued"
    assert judge(b'{"a":1,}', tail=True).fault == "bad_json"


def test_a_cut_inside_a_character_is_a_cut_with_its_place() -> None:
    """The structure is judged first; the byte that is not UTF-8 is named beside it."""
    line = record(1, "é")
    at = line.index(b"\xc3") + 1
    found = judge(line[:at] + R2)
    assert (found.fault, found.bad_utf8_at) == ("cut+object", at - 1)


def test_values_glued_to_each_other_are_all_counted() -> None:
    """The first offsets are kept, the number is exact; beyond a bound the line is no glue any more."""
    found = judge(b"{}" * 1_000)
    assert (found.fault, found.count, len(found.values)) == ("glued", 1_000, VALUES_MAX)
    assert judge(b"{}" * (PIECES_MAX + 1)).fault == "bad_json"


@pytest.mark.parametrize("line", [b'{"a":"' * 9_000, b"{" * 20_000, b'{"a{' * 9_000, b"[{" * 900 + b'"x{' * 9_000])
def test_the_search_for_a_value_behind_a_break_is_bounded(line: bytes) -> None:
    """A line made of nothing but beginnings ends in a class."""
    assert judge(line).fault in ("cut", "bad_json", "depth")


def test_rubbish_behind_many_begins_is_rubbish() -> None:
    """Only the nearest of them are tried."""
    assert judge(b'{"a":' * (CANDIDATES_MAX + 4) + b"x").fault == "bad_json"


@given(mutants(), mutants(), st.booleans())
def test_every_line_has_a_verdict(begin: bytes, end: bytes, tail: bool) -> None:
    """Whatever is on it; offsets lie within it, and a fault is never without a class."""
    line = (begin + end).replace(b"\n", b"")
    found = judge(line, tail=tail)
    assert all(0 <= value < len(line) for value in found.values)
    assert found.count >= len(found.values)
    assert (found.begins is not None) == (found.count == 1 and found.fault in (None, "non_object"))
