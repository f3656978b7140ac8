"""Streams on the terminal: what was read of each, its name where names were asked for, and how many more there are."""

import io

import pytest

from agentaudit.cli.console import Console
from agentaudit.cli.streamrows import tell_streams
from agentaudit.model.shown import StreamShown


def shown(stream: str, name: str | None = None) -> StreamShown:
    """A stream of three events with one finding."""
    return StreamShown(
        stream=stream, kind="log_file", within=None, form="json_lines", name=name, events=3,
        first_at="2026-10-08T11:59:00Z", last_at=None, counts=(), findings=(("sequence_gap", 2),),
    )  # fmt: skip


def told(*rows: StreamShown, most: int | None = None) -> list[str]:
    """The lines about these streams."""
    out = io.StringIO()
    tell_streams(Console(out, io.StringIO(), io.BytesIO(), {}), rows, most)
    return out.getvalue().splitlines()


def test_nothing_is_told_of_no_stream() -> None:
    """Not even an empty heading."""
    assert told() == []


def test_a_row_tells_kind_times_and_findings() -> None:
    """Words of ours are written out, and a time that is not known leaves its cell empty."""
    row = told(shown("e000001"))[-1]
    assert row.split() == ["e000001", "log", "file", "json_lines", "3", "2026-10-08", "11:59", "sequence", "gap", "2"]


def test_a_name_stands_below_the_table() -> None:
    """What would steer a terminal in it is written out; a stream without a name has no line there."""
    lines = told(shown("e000001"), shown("e000002", "logs\x1b[2J.jsonl"))
    assert lines[-2:] == ["", "  e000002  logs\\x1b[2J.jsonl"]


@pytest.mark.parametrize(("most", "left"), [(1, "  2 more streams: --all prints them"), (3, None), (None, None)])
def test_what_is_not_printed_is_counted(most: int | None, left: str | None) -> None:
    """A table that was cut never looks whole."""
    lines = told(*(shown(f"e{number:06d}") for number in (1, 2, 3)), most=most)
    assert (lines[-1] if left else None) == left
    assert any("e000003" in line for line in lines) is (left is None)
