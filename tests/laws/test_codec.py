"""The laws of the two codecs: our own is canonical and strict, the foreign one is tolerant and never breaks."""

import contextlib
import json
import re
from collections.abc import Callable

import msgspec
import orjson
import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from agentaudit.encoding import foreign
from agentaudit.encoding.canonical import INTEGER_MAX, Codec, NotCanonical, encode, encode_line
from agentaudit.encoding.foreign import ELIDED, Json, NotJson, decode
from agentaudit.encoding.nesting import DEPTH_MAX
from agentaudit.encoding.skeleton import read_skeleton
from agentaudit.format.chain import CUSTODY_CODEC, JOURNAL_CODEC
from agentaudit.format.codecs import LINE_CODECS
from agentaudit.model.base import Frozen
from agentaudit.model.custody import CustodyEvent
from agentaudit.model.event import Event
from agentaudit.model.losses import Gap
from agentaudit.model.readings import RecordRow
from agentaudit.model.tagfiles import PackageFile
from tests.laws.generated import values

KINDS = {"journal": Event, "custody": CustodyEvent, "records": RecordRow, "package": PackageFile, "gaps": Gap}
CODECS = {name: Codec(kind) for name, kind in KINDS.items()}

quickly = settings(max_examples=60, deadline=None)
ROWS = st.sampled_from(sorted(KINDS)).flatmap(lambda name: st.tuples(st.just(name), values(KINDS[name])))


@quickly
@given(ROWS)
def test_what_is_written_is_rfc_8785(drawn: tuple[str, Frozen]) -> None:
    """Our encoder gives the bytes of an independent one, and the codec gives the row back."""
    name, row = drawn
    octets = encode(row)
    assert octets == rfc8785.dumps(msgspec.to_builtins(row))
    assert encode_line(row) == octets + b"\n"
    assert CODECS[name].decode(octets) == row


def _variants(octets: bytes) -> list[bytes]:
    """The same value, written otherwise."""
    plain = json.loads(octets)
    return [
        json.dumps(plain, ensure_ascii=False).encode("utf-8", "surrogatepass"),
        json.dumps(plain, separators=(",", ":"), sort_keys=True, indent=0).encode(),
        json.dumps(dict(reversed(plain.items())), separators=(",", ":")).encode(),
        b"\xef\xbb\xbf" + octets,
        octets + b"\n",
        b" " + octets,
        octets.replace(b"{", b'{"event":"closed",', 1),
        octets.replace(b'"', b"\\u0022", 1),
        octets[:-1] + b',"zzz":1}',
    ]


@quickly
@given(ROWS)
def test_the_same_value_written_otherwise_is_refused(drawn: tuple[str, Frozen]) -> None:
    """White space, another order, a byte-order mark, a member twice, an escape, a member of nobody's."""
    name, row = drawn
    octets = encode(row)
    for other in _variants(octets):
        if other != octets:
            with pytest.raises(NotCanonical):
                CODECS[name].decode(other)


@settings(max_examples=150, deadline=None)
@given(ROWS, st.data())
def test_what_is_read_encodes_to_itself(drawn: tuple[str, Frozen], data: st.DataObject) -> None:
    """Any edit of the bytes is refused, or is the canonical form of another row."""
    name, row = drawn
    octets = bytearray(encode(row))
    at = data.draw(st.integers(0, len(octets) - 1))
    octets[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    with contextlib.suppress(NotCanonical):
        assert encode(CODECS[name].decode(bytes(octets))) == bytes(octets)


@given(st.binary(max_size=60))
def test_bytes_of_any_kind_are_a_row_or_a_refusal(octets: bytes) -> None:
    """The strict reader raises nothing else."""
    for codec in (*LINE_CODECS.values(), JOURNAL_CODEC, CUSTODY_CODEC):
        with contextlib.suppress(NotCanonical):
            codec.decode(octets)


@given(st.integers())
def test_an_integer_that_not_every_reader_gets_whole_is_refused(number: int) -> None:
    """Up to 2^53-1 and no further; in a string the same digits are no matter."""
    gap = Gap(kind="excluded", code="other_user", basis="rule", subject=f":{number}")
    octets = encode(gap).replace(b'"count":1', b'"count":%d' % number)
    codec = CODECS["gaps"]
    if abs(number) <= INTEGER_MAX:
        assert codec.decode(octets) == msgspec.structs.replace(gap, count=number)
    else:
        with pytest.raises(NotCanonical):
            codec.decode(octets)


@pytest.mark.parametrize("number", [INTEGER_MAX, -INTEGER_MAX, INTEGER_MAX + 1, -INTEGER_MAX - 1, 2**63, 10**30])
def test_the_bound_of_integers_is_exact(number: int) -> None:
    """2^53-1 is read, 2^53 is not."""
    octets = encode(Gap(kind="excluded", code="other_user", basis="rule")).replace(b'"count":1', b'"count":%d' % number)
    if abs(number) <= INTEGER_MAX:
        assert encode(CODECS["gaps"].decode(octets)) == octets
    else:
        with pytest.raises(NotCanonical):
            CODECS["gaps"].decode(octets)


# --- foreign JSON -----------------------------------------------------------------------------------------------------

REFUSAL = re.compile(r"no JSON at character [0-9]+|NaN and Infinity are no JSON")
TREES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=()), max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)
SOUP = st.lists(
    st.sampled_from(
        ["{", "}", "[", "]", ":", ",", '"', '"a"', '"\\', '\\ud800"', "0", "-", "1e9", ".5", "12", "null", "true", " ",
         "\n", "\x00", "\x7f", "ü", "NaN", "Infinity", "\ufeff", "[[", "]]", '{"a":', "9" * 30, "e", "+"]
    ),
    max_size=14,
).map("".join)  # fmt: skip


def _standard(text: str) -> Json:
    """What the standard library makes of a text; NotJson where it makes nothing, or a NaN."""

    def refuse(_name: str) -> float:
        raise NotJson

    try:
        parsed: Json = json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError):
        raise NotJson from None
    return parsed


def _common(octets: bytes) -> Json:
    """What the first of the common parsers makes of the bytes; NotJson where none does."""
    try:
        parsed: Json = orjson.loads(octets)
    except orjson.JSONDecodeError:
        try:
            text = octets.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise NotJson from None
        return _standard(text)
    return parsed


def _read(reader: Callable[[bytes], Json], octets: bytes) -> tuple[Json] | str:
    """The value, or the text of the refusal."""
    try:
        return (reader(octets),)
    except NotJson as refusal:
        return str(refusal)


def _same(octets: bytes) -> None:
    """The tolerant reader agrees with the common ones where they read; what it refuses, they refuse."""
    told, common = _read(decode, octets), _read(_common, octets)
    if isinstance(told, str):
        assert REFUSAL.fullmatch(told)
        assert isinstance(common, str)
    else:
        assert isinstance(common, str) or told == common


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=40) | SOUP.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_a_value_or_not_json(octets: bytes) -> None:
    """Nothing else is raised, and what the common parsers read is read as they do."""
    _same(octets)


@settings(max_examples=200, deadline=None)
@given(TREES, st.booleans(), st.sampled_from([None, 1]))
def test_any_json_is_read(tree: Json, escaped: bool, indent: int | None) -> None:
    """However it is written, lone surrogates included."""
    text = json.dumps(tree, ensure_ascii=escaped, indent=indent)
    _same(text.encode("utf-8", "surrogatepass" if escaped else "replace"))


@settings(max_examples=300, deadline=None)
@given(SOUP)
def test_the_last_reader_accepts_what_the_standard_one_accepts(text: str) -> None:
    """Token by token the same language, for texts that nest within its depth."""
    try:
        expected = _standard(text)
    except NotJson:
        with pytest.raises(NotJson):
            read_skeleton(text)
    else:
        assert read_skeleton(text) == expected


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 60_000), st.sampled_from([("[", "]"), ('{"a":', "}"), ('[1,{"b":', "}]")]))
def test_no_depth_ends_a_walk(depth: int, brackets: tuple[str, str]) -> None:
    """Whatever nests in a member, the member after it is read; without the closing brackets it is no JSON."""
    opening, closing = brackets
    deep = opening * depth + "0" + closing * depth
    page = foreign.mapping(decode(f'{{"data":{deep},"next_page":"p"}}'.encode()))
    assert page is not None
    assert page["next_page"] == "p"
    with pytest.raises(NotJson):
        decode((opening * depth).encode())


def test_what_lies_too_deep_is_elided_and_no_more() -> None:
    """The last reader carries `DEPTH_MAX` levels; the one below them is the mark."""
    inner: Json = read_skeleton("[" * (DEPTH_MAX + 5) + "]" * (DEPTH_MAX + 5))
    for _ in range(DEPTH_MAX - 1):
        assert isinstance(inner, list)
        inner = inner[0]
    assert inner == [ELIDED]


@given(st.binary(max_size=12))
def test_bytes_that_are_no_utf_8_inside_a_string_end_nothing(octets: bytes) -> None:
    """The members after such a string are read, unless the bytes end the string themselves."""
    inside = bytes(octet for octet in octets if octet > 0x1F and octet not in b'"\\')
    page = foreign.mapping(decode(b'{"text":"' + inside + b'","next_page":"p"}'))
    assert page is not None
    assert page["next_page"] == "p"


@given(st.integers(1, 6_000), st.booleans())
def test_a_number_of_any_length_ends_nothing(digits: int, negative: bool) -> None:
    """It is an integer, or a float where no integer is to be had."""
    text = ("-" if negative else "") + "7" * digits
    page = foreign.mapping(decode(f'{{"n":{text},"next_page":"p"}}'.encode()))
    assert page is not None
    assert isinstance(page["n"], int | float)
    assert page["next_page"] == "p"
