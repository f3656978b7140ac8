"""The exact reader against the grammar of RFC 8259, written out here, and against the standard library."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentaudit.encoding.jsonl import grammar
from agentaudit.encoding.jsonl.grammar import DEPTH_MAX, Outcome, Reader, space_end
from tests.encoding.jsonl.mutants import DOCUMENTS, mutants

NUMBERS = (
    b"0 -0 1 -1 10 1234567890 0.0 -0.5 1.25 0e0 1e5 1E5 1e+5 1e-5 1.5E-07 -1.0e+00 123456789012345678901234567890 "
    b"1e999999 0.00000000000000000000001 20e1 1E+2"
).split()
NO_NUMBERS = (
    b"00 01 -01 +1 .5 1.e5 -.5 0x10 1_000 1,000 --1 1e5.5 1.5.5 - -a Infinity -Infinity NaN nan 1a 0b1 1. 1e 1e+ 1- "
    b"\xef\xbc\x91"
).split()
ESCAPES = (
    rb'"\"" "\\" "\/" "\b" "\f" "\n" "\r" "\t" "\u0000" "\u00e9" "\uD834\uDD1E" "\ud800" "\udc00" "\uFFFF" "\\u12"'
).split()
NO_ESCAPES = rb'"\a" "\x41" "\v" "\0" "\u12g4" "\uXYZW" "\U0001F600" "\'" "\ "'.split(b" ")
STRINGS = (b'""', b'" "', b'"\x7f"', '"é\u2028\U0001f600"'.encode(), b'"\'"', b'"a//b"', b'"' + b"x" * 70_000 + b'"')
NO_STRINGS = (b"'a'", b'"a', b"a", b'"\t"', b'"\n"', b'"\x00"', b'"\x1f"', b'"\\', b'"\\"', b'"\\u00"', b"`a`")
STRUCTURES = tuple(
    b'{} [] [1] [[]] [{}] [1,2] {"a":1} {"a":{"b":[]}} {"":0} {"a":1,"a":2} [[[[[]]]]] [null,true,false] '
    b'{"a":[{"b":"c"},{"d":null}],"e":""}'.split()
)
NO_STRUCTURES = tuple(
    b'[1,] [,1] [,] [1,,2] [1 {a:1} {1:1} {"a"} {"a":} {"a":1,} {,} {"a":1,,"b":2} [} {] [1} {"a":1] ] } , : [1]] {}} '
    b'{"a":1:2} {[]:1} {null:1} ["a":1] {"a",1} [1;2] tru True TRUE nul null0 truefalse [tru] /**/1 //1 #'.split()
)
SPACES = (b" 1", b"1 ", b"\t1\t", b"\n[\n1\n,\n2\n]\n", b"\r{\r}\r", b' { "a" : 1 , "b" : [ ] } ')
NO_SPACES = (
    b"\x0b1",
    b"\x0c1",
    b"\xc2\xa01",
    b"\xe2\x80\xa81",
    b"1\x00",
    b"[1\x0b]",
    b"\xef\xbb\xbf1",
    b"\xff\xfe1\x00",
)


def accepts(text: bytes) -> bool:
    """True when the text is one complete value and white space."""
    reader = Reader()
    outcome = reader.read(text, 0)
    return outcome is Outcome.COMPLETE and space_end(text, reader.at) == len(text)


def standard(text: bytes) -> bool:
    """What the standard library says where it is as strict as the grammar."""
    try:
        json.loads(text.decode(), parse_constant=int, parse_int=str)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("text", [*NUMBERS, *ESCAPES, *STRINGS, *STRUCTURES, *SPACES])
def test_what_the_grammar_allows_is_accepted(text: bytes) -> None:
    """Alone, in an array, as a member, and behind a run of simple values."""
    assert accepts(text)
    assert accepts(b"[" + text + b"]")
    assert accepts(b'[1,"a",' + text + b"," + text + b"]")
    assert accepts(b'{"k":0,"l":' + text + b',"m":' + text + b"}")


@pytest.mark.parametrize("text", [*NO_NUMBERS, *NO_ESCAPES, *NO_STRINGS, *NO_STRUCTURES, *NO_SPACES])
def test_what_the_grammar_does_not_allow_is_refused(text: bytes) -> None:
    """Alone, in an array, as a member, and behind a run of simple values."""
    assert not accepts(text)
    assert not accepts(b"[0," + text + b"]")
    assert not accepts(b'{"k":0,"l":' + text + b"}")


@pytest.mark.parametrize("text", [b"", b" ", b"\n\t "])
def test_no_value_is_no_text(text: bytes) -> None:
    """An empty text is a value that has not begun."""
    assert Reader().read(text, 0) is Outcome.PREFIX


@given(mutants())
def test_it_agrees_with_the_standard_library(text: bytes) -> None:
    """On UTF-8 texts and broken ones, with NaN and Infinity refused by both."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return
    assert accepts(text) == standard(text)


@given(st.sampled_from(DOCUMENTS), st.integers(0, 10_000))
def test_a_text_that_breaks_off_is_a_prefix(text: bytes, cut: int) -> None:
    """Wherever a container is cut, nothing is wrong with what is there."""
    assert Reader().read(text[: cut % len(text)], 0) is Outcome.PREFIX


@pytest.mark.parametrize(
    "text", [b"-", b"1.", b"-0.", b"1e", b"1E+", b"[1.5e-", b"t", b"fals", b"[nul", b'"\\', b'"\\u', b'["\\u00a']
)
def test_a_token_that_breaks_off_is_a_prefix(text: bytes) -> None:
    """Nothing could be wrong with it yet."""
    assert Reader().read(text, 0) is Outcome.PREFIX


@pytest.mark.parametrize(
    ("text", "at"),
    [
        (b'{"a":tru}', 8),
        (b'{"a" 1}', 5),
        (b"[1 2]", 3),
        (b"[01]", 3),
        (b'["\\x"]', 3),
        (b'["\x01"]', 2),
        (b'["\\u00"]', 6),
        (b"[-]", 2),
        (b"[x]", 1),
        (b"[1.5.5]", 6),
        (b"[nulL]", 4),
        (b"[trueish]", 5),
    ],
)
def test_a_wrong_text_is_wrong_at_a_place(text: bytes, at: int) -> None:
    """The place is that of the byte that cannot stand there; a number goes as far as it looks like one."""
    reader = Reader()
    assert reader.read(text, 0) is Outcome.WRONG
    assert reader.at == at


@given(st.sampled_from(DOCUMENTS), st.integers(1, 4))
def test_a_text_spread_over_lines_is_read_line_by_line(text: bytes, indent: int) -> None:
    """A reader goes on behind a line feed, for no token spans one."""
    pretty = json.dumps(json.loads(text), indent=indent).encode()
    reader = Reader()
    outcomes = [reader.read(line, 0) for line in pretty.splitlines(keepends=True)]
    assert set(outcomes[:-1]) <= {Outcome.PREFIX}
    assert outcomes[-1] is Outcome.COMPLETE


@pytest.mark.parametrize(("begin", "end"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_nesting_is_judged_to_1024_levels(begin: bytes, end: bytes) -> None:
    """One more is too deep, however deep the text goes on; none costs a stack frame."""
    core = b"0" if begin.endswith(b":") else b""
    assert accepts(begin * DEPTH_MAX + core + end * DEPTH_MAX)
    for levels in (DEPTH_MAX + 1, 200_000):
        assert Reader().read(begin * levels + core + end * levels, 0) is Outcome.DEEP


@pytest.mark.parametrize(
    ("number", "huge"),
    [
        (b"18446744073709551615", False), (b"18446744073709551616", True), (b"-9223372036854775808", False),
        (b"-9223372036854775809", True), (b"99999999999999999999", True), (b"1" * 5_000, True), (b"0", False),
        (b"1234567890123456789012.5", False), (b"1234567890123456789012e5", False), (b"9" * 18, False),
    ],
)  # fmt: skip
def test_an_integer_beyond_64_bits_is_seen_without_being_converted(number: bytes, huge: bool) -> None:
    """Alone and behind a run of simple values; a fraction or an exponent is none."""
    for text in (number, b"[" + number + b"]", b"[1,2," + number + b"]", b'{"a":1,"b":' + number + b"}"):
        reader = Reader()
        assert reader.read(text, 0) is Outcome.COMPLETE
        assert reader.huge is huge


@example(b'{"a" : 1, "b":[{"c":2}]}')
@given(st.sampled_from([text for text in DOCUMENTS if text.startswith(b"{")]))
def test_the_members_of_the_outermost_object_have_places(text: bytes) -> None:
    """Key, end of key and value of each, and of no nested one."""
    reader = Reader(members=True)
    reader.read(text, 0)
    places = list(reader.members or ())
    names = [json.loads(text[key:end]) for key, end in zip(places[::3], places[1::3], strict=True)]
    values = [json.JSONDecoder().raw_decode(text[value:].decode())[0] for value in places[2::3]]
    expected = json.JSONDecoder(object_pairs_hook=tuple).decode(text.decode())
    plain = json.JSONDecoder().decode(text.decode())
    assert names == [name for name, _ in expected]
    assert dict(zip(names, values, strict=True)) == plain


def test_the_members_of_a_huge_object_are_kept_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text is read to its end all the same."""
    monkeypatch.setattr(grammar, "MEMBERS_MAX", 2)
    reader = Reader(members=True)
    assert reader.read(b'{"a":1,"b":2,"c":3}', 0) is Outcome.COMPLETE
    assert list(reader.members or ()) == [1, 4, 5, 7, 10, 11]
