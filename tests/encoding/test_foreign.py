"""Foreign JSON has one tolerant reader. The laws stand in tests/laws/test_codec.py."""

import json

import pytest

from agentaudit.encoding.foreign import ELIDED, Json, NotJson, decode, entries, mapping
from agentaudit.encoding.nesting import DEPTH_MAX
from tests.support.interpreters import DEEP_STACK, SHALLOW_STACK, stack_of


@pytest.mark.parametrize(
    ("octets", "value"),
    [
        (b"null", None),
        (b' {"a": [1, 2.5, "x", true]} ', {"a": [1, 2.5, "x", True]}),
        (rb'"\ud800"', "\ud800"),
        (rb'["\ud83d\ude00", "\ude00"]', ["\U0001f600", "\ude00"]),
        (b'{"a": 1, "a": 2}', {"a": 2}),
        (rb'{"a": 1, "a": "\udfff"}', {"a": "\udfff"}),
        (b'"\xff"', "\udcff"),
        (b"\xef\xbb\xbf[]", []),
        (b"123456789012345678901234567890", float("123456789012345678901234567890")),
    ],
)
def test_what_the_fast_parser_refuses_is_read_all_the_same(octets: bytes, value: Json) -> None:
    """Lone surrogates, duplicate keys, bytes that are no UTF-8, a byte-order mark, integers of any size."""
    assert decode(octets) == value


@pytest.mark.parametrize(
    "octets",
    [b"", b" ", b"nul", b"[1,]", b'{"a"}', b'{"a":}', b"{1:2}", b"[1 2]", b"01", b"+1", b"'a'", b'"\n"', b"[]x",
     b"NaN", b"-Infinity", b"<html>", b"\xff", b"[\xff]", b'"\\x"', b'{"a":1,}', b"[" * 5_000, b'"' + b"a" * 100],
)  # fmt: skip
def test_what_no_reader_reads_is_not_json(octets: bytes) -> None:
    """The refusal holds an offset or a name of ours, never content."""
    with pytest.raises(NotJson) as caught:
        decode(octets)
    assert "html" not in str(caught.value)
    assert "aaa" not in str(caught.value)


def test_nesting_beyond_every_parser_is_carried_as_far_as_it_goes() -> None:
    """Beside it everything is read; the deep part ends in the mark."""
    deep = b"[" * 50_000 + b"]" * 50_000
    value = decode(b'{"a":' + deep + b',"b":{"c":[]},"d":[0,-1,1.5e3,"x",null,true,false]}')
    top = mapping(value)
    assert top is not None
    assert (top["b"], top["d"]) == ({"c": []}, [0, -1, 1500.0, "x", None, True, False])
    inner, depth = top["a"], 0
    while isinstance(inner, list):
        inner, depth = inner[0], depth + 1
    assert inner is ELIDED
    assert depth == 255


@pytest.mark.parametrize("depth", [255, 256, 257, 500, 900, 1_023, 1_024, 1_025, 2_000])
@pytest.mark.parametrize("beside", ["0", '"\\ud800"'])
def test_a_deep_text_has_the_same_value_in_every_interpreter(depth: int, beside: str) -> None:
    """Which part is elided depends on the text, not on how many calls there is room for."""
    text = f'{{"a":{"[" * (depth - 1)}{"]" * (depth - 1)},"b":{beside}}}'.encode()
    found = []
    for room in (SHALLOW_STACK, DEEP_STACK):
        with stack_of(room):
            found.append(depth_of(mapping(decode(text)) or {}))
    assert found[0] == found[1]
    # The fast parser carries what it takes whole; the last reader carries so much and no more.
    assert found[0] == (depth if depth <= DEPTH_MAX or (depth <= 1_024 and beside == "0") else DEPTH_MAX + 1)


def depth_of(value: Json) -> int:
    """How deep a value nests; the mark stands for one level."""
    depth = 0
    while isinstance(value, dict | list):
        value, depth = (value["a"] if isinstance(value, dict) else value[0] if value else None), depth + 1
    return depth + (value is ELIDED)


def test_a_deep_text_is_still_checked_to_its_end() -> None:
    """A fault anywhere, also where nothing is carried, makes it no JSON."""
    deep = "[" * 2_000 + '{"a":[1,"x"]}' + "]" * 2_000
    assert decode(deep.encode())
    for broken in (
        deep[:-1],
        deep + "]",
        deep.replace('"a":', '"a"'),
        deep.replace("1,", "1"),
        deep.replace('{"a"', "{a"),
    ):
        with pytest.raises(NotJson):
            decode(broken.encode())


def test_an_object_and_an_array_are_told_from_everything_else() -> None:
    """None for any other value."""
    for value in (None, True, 1, 1.5, "x", ELIDED):
        assert mapping(value) is None
        assert entries(value) is None
    assert (mapping({}), entries([]), mapping([]), entries({})) == ({}, [], None, None)


def test_an_integer_of_more_digits_than_the_interpreter_takes_is_a_float() -> None:
    """Beyond its limit it is as large as a float can say."""
    assert decode(b"[" + b"9" * 10_000 + rb',"\ud800"]') == [float("inf"), "\ud800"]
    assert json.loads(json.dumps(decode(b'[-12,1.5,"\\ud800"]'))) == [-12, 1.5, "\ud800"]
