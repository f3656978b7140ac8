"""What is asked of grammatical bytes: UTF-8, halves of surrogate pairs, raw separators, names that stand twice."""

import json
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.encoding.jsonl import duplicates
from agentaudit.encoding.jsonl.duplicates import has_duplicate_name
from agentaudit.encoding.jsonl.traits import bad_utf8_at, has_line_separator, has_lone_surrogate
from tests.encoding.jsonl.mutants import json_values


@given(st.binary(max_size=60) | st.text(max_size=30).map(lambda text: text.encode()), st.binary(max_size=3))
def test_bad_utf8_is_found_where_the_standard_library_finds_it(begin: bytes, end: bytes) -> None:
    """At the same offset, or nowhere."""
    text = begin + end
    try:
        text.decode()
        expected = None
    except UnicodeDecodeError as error:
        expected = error.start
    assert bad_utf8_at(text) == expected


@pytest.mark.parametrize("before", [65_530, 65_534, 65_535, 65_536, 200_000])
@pytest.mark.parametrize(("octets", "at"), [("\U0001f600".encode(), None), (b"\xf0\x9f\x98", 0), (b"\xc3(", 0)])
def test_a_character_across_two_slices_is_one(before: int, octets: bytes, at: int | None) -> None:
    """Slices of a long text are joined at their borders; a character cut by the end of the text is bad."""
    assert bad_utf8_at(b"x" * before + octets) == (None if at is None else before + at)


@pytest.mark.parametrize("octets", [b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\x80"])
def test_overlong_surrogate_and_too_large_sequences_are_bad(octets: bytes) -> None:
    """RFC 3629, section 3."""
    assert bad_utf8_at(b"ab" + octets) == 2


@given(st.lists(st.sampled_from(("\\ud83d", "\\ude00", "\\u0041", "\\n", "\\\\", "u", "d83d", " ")), max_size=8))
def test_half_a_pair_is_one_that_utf8_cannot_carry(parts: list[str]) -> None:
    """What the standard library makes of the string encodes exactly when no half stands alone."""
    text = '"' + "".join(parts) + '"'
    try:
        json.loads(text).encode()
        lone = False
    except UnicodeEncodeError:
        lone = True
    assert has_lone_surrogate(text.encode()) is lone


@pytest.mark.parametrize(
    ("text", "there"), [("a\u2028", True), ("\u2029", True), ("\u2027\u202a", False), ("\\u2028", False), ("è€", False)]
)
def test_a_separator_counts_only_as_itself(text: str, there: bool) -> None:
    """An escaped one is no raw one, and its neighbours are none."""
    assert has_line_separator(text.encode()) is there


@pytest.mark.parametrize(
    ("text", "twice"),
    [
        (b'{"a":1,"a":2}', True), (b'{"a":1,"\\u0061":2}', True), (b'[{"a":{"b":1,"b":1}}]', True), (b"[]", False),
        (b'{"a":{"a":{"a":1}},"b":{"a":1}}', False), (b'{"a":"a\\"a\\":1","b":"{\\"b\\":1,\\"b\\":2}"}', False),
        (b'{"":1,"":2}', True), (b"1", False), (b'\xef\xbb\xbf{"a":1,"a":1}', True), (b'[{"a":1},{"a":1}]', False),
    ],
)  # fmt: skip
def test_a_name_stands_twice_in_one_object_or_not(text: bytes, twice: bool) -> None:
    """At any depth, however it is escaped, and however deep the text is nested around it."""
    assert has_duplicate_name(text) is twice
    if not text.startswith(b"\xef"):
        assert has_duplicate_name(b"[" * 1_000 + text + b"]" * 1_000) is twice


@given(
    st.lists(st.tuples(st.sampled_from(("a", "b", "é", "\\u0061", "\\n")), json_values()), max_size=4),
    st.integers(0, 3),
)
def test_the_look_at_the_whole_text_agrees_with_the_look_at_its_tokens(
    members: list[tuple[str, bytes]], depth: int
) -> None:
    """The short way and the long one say the same of names that meet, in any style of writing."""
    inner = b",".join(b'"%s":%s' % (name.encode(), value) for name, value in members)
    text = b'{"k":' * depth + b"{" + inner + b"}" + b"}" * depth
    assert has_duplicate_name(text) is duplicates._by_tokens(text)
    assert has_duplicate_name(bytearray(text)) is has_duplicate_name(text)


def test_a_text_in_the_writers_own_style_needs_no_long_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is written otherwise does, and so does one with a name that stands twice."""
    asked: list[str] = []
    monkeypatch.setattr(duplicates, "_DECODER", SimpleNamespace(decode=asked.append))
    assert has_duplicate_name('{"a":[1,-2.5,"é\\n"],"b":{"a":null}}'.encode()) is False
    assert asked == []
    for text in (b'{"a": 1}', b'{"a":1,"a":1}', b'{"a":1e2}', b"[" * 2_000 + b"]" * 2_000):
        has_duplicate_name(text)
        assert asked.pop() == text.decode()


@given(json_values())
def test_what_a_dictionary_wrote_has_no_name_twice(text: bytes) -> None:
    """No false alarm."""
    assert has_duplicate_name(text) is False
