"""The fast parsers say nothing that the exact reader does not say: a law over texts and their mutants."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.encoding.jsonl import blocks
from agentaudit.encoding.jsonl import engine as engines
from agentaudit.encoding.jsonl.asked import Asked, Probe
from agentaudit.encoding.jsonl.blocks import BlockJudge
from agentaudit.encoding.jsonl.engine import NO_ANSWER, REFUSALS, Engine, EngineName, engine, engine_names
from agentaudit.encoding.jsonl.judging import judge
from agentaudit.encoding.jsonl.rows import Row, RowLike
from tests.encoding.jsonl.mutants import json_values, mutants
from tests.support.interpreters import DEEP_STACK, stack_of

PROBES = (
    Probe(("type",)),
    Probe(("n",)),
    Probe(("big",)),
    Probe(("message", "role")),
    Probe(("b", "x")),
    Probe(("c",)),
)
LINES = (mutants() | json_values()).map(lambda line: line.replace(b"\n", b" "))


def refuse(_line: bytes) -> RowLike:
    """A parser that leaves every line to the exact reader."""
    raise ValueError


EXACT = Engine("standard", refuse)


@pytest.mark.parametrize("name", engine_names())
@pytest.mark.parametrize("asked", [Asked(second_look_bytes=0), Asked(second_look_bytes=None, keys=True, probes=PROBES)])
@given(rows=st.lists(LINES, max_size=8))
def test_an_engine_changes_nothing(name: EngineName, asked: Asked, rows: list[bytes]) -> None:
    """The tally with it is the tally of the exact reader alone: verdicts, notes, kinds, types, keys and probes."""
    block = b"".join(row + b"\n" for row in rows)
    assert BlockJudge(asked, engine(name)).block(block, 0) == BlockJudge(asked, EXACT).block(block, 0)


@pytest.mark.parametrize("asked", [Asked(second_look_bytes=0), Asked(second_look_bytes=90, keys=True, probes=PROBES)])
@given(rows=st.lists(LINES | st.sampled_from((b"", b" \r", b'{"a":"\r"}\r')), max_size=8), stretch=st.integers(1, 80))
def test_where_stretches_end_changes_nothing(asked: Asked, rows: list[bytes], stretch: int) -> None:
    """A block that is judged in pieces has the tally of one that is judged at once, also with lines over a piece."""
    block = b"".join(row + b"\n" for row in rows)
    judge_of = BlockJudge(asked, engine(engine_names()[0]))
    whole = judge_of.block(block, 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "STRETCH_BYTES", stretch)
        assert judge_of.block(memoryview(bytearray(block)), 0) == whole


@pytest.mark.parametrize("name", engine_names())
@given(line=LINES)
def test_an_engine_accepts_only_what_is_good_and_ordinary(name: EngineName, line: bytes) -> None:
    """An object that it accepts has neither a fault nor a note."""
    if not line.startswith(b"{"):
        return
    parse = engine(name).parse
    try:
        row = parse(line)
    except REFUSALS:
        return
    judged = judge(line)
    assert (judged.fault, judged.notes) == (None, ())
    assert tuple(row) == tuple(Row(line, 0))


@pytest.mark.parametrize("name", engine_names())
@pytest.mark.parametrize(
    "line",
    [
        b'{"a":NaN}', b'{"a":Infinity}', b'{"a":"\\ud83d"}', b'{"a":"\xff"}', b'{"a":"\xed\xa0\xbd"}', b'{"a":1e}',
        b'{"a":99999999999999999999}', b'{"a":-9223372036854775809}', b"{}{}", b"{} x", b'{"a":"\x01"}', b'{"a":01}',
        b'{"\xc3":1}', b"{\0}", b"{}\0", b'{"a":' * 1_025 + b"1" + b"}" * 1_025, b"",
    ],
)  # fmt: skip
def test_an_engine_refuses_what_is_not_ordinary(name: EngineName, line: bytes) -> None:
    """What one parser or another is lax about is refused by those that are used."""
    with pytest.raises(REFUSALS):
        engine(name).parse(line)


@pytest.mark.parametrize("name", engine_names())
def test_of_a_name_that_stands_twice_the_first_member_counts(name: EngineName) -> None:
    """Every engine and the exact reader agree on which."""
    line = b'{"type":"first","type":"second","n":-0,"f":1.5,"o":{"x":"y"},"l":["z"],"b":true}'
    parse = engine(name).parse
    assert parse(line)["type"] == "first"
    assert Row(line, 0)["type"] == "first"
    assert parse(line)["n"] == Row(line, 0)["n"] == 0
    for key in ("missing", "ty"):
        with pytest.raises(NO_ANSWER):
            parse(line)[key]


def test_the_standard_library_is_always_an_engine() -> None:
    """It is the last choice, and the only one that is sure to be there."""
    assert engine_names()[-1] == "standard"
    with pytest.raises(REFUSALS):
        engine("standard").parse(b"[]")


def test_without_the_binding_there_is_the_standard_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is optional."""
    monkeypatch.setattr(engines, "find_spec", lambda _name: None)
    assert engine_names() == ("standard",)


@pytest.mark.parametrize(("open_with", "close_with"), [(b'{"a":', b"}"), (b"[", b"]"), (b'[{"a":', b"}]")])
def test_depth_is_bounded_by_the_reader_and_not_by_the_interpreter(open_with: bytes, close_with: bytes) -> None:
    """What nests deeper than the exact reader goes is refused, also where the standard library would go on."""
    deep = b'{"a":' + open_with * 1_024 + b"1" + close_with * 1_024 + b"}"
    with stack_of(DEEP_STACK), pytest.raises(ValueError, match="deeper"):
        engine("standard").parse(deep)
    assert BlockJudge(Asked(), engine("standard")).block(deep + b"\n", 0).faults == {"depth": 1}


@pytest.mark.parametrize(
    "value",
    [
        b"[" + b",".join([b"{}"] * 1_025) + b"]",
        b'"' + b'{[\\"\\\\' * 1_025 + b'"',
        b'"\\\\",' + b'"b":"' + b"[" * 1_025 + b'"',
    ],
)
def test_brackets_alone_make_no_depth(value: bytes) -> None:
    """Many brackets side by side, or in strings, are ordinary."""
    assert "a" in tuple(engine("standard").parse(b'{"a":' + value + b"}"))
