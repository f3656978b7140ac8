"""Manifests, written and read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.format.bagit import (
    LINE_MAX,
    Fault,
    Listed,
    bag_info,
    is_below_data,
    manifest_line,
    payload_oxum,
    read_manifest,
)
from agentaudit.model.base import digest_of

HEX = "0" * 64


def _read(*lines: bytes, tags: bool = False) -> list[Listed | Fault]:
    return list(read_manifest(lines, tags=tags))


@given(st.sets(st.from_regex(r"data/x[a-z0-9]{0,7}(/x[a-z0-9]{0,7}){0,2}\.json", fullmatch=True)))
def test_what_is_written_is_read(paths: set[str]) -> None:
    """The lines of sorted payload names come back as they were, without a fault."""
    ordered = sorted(paths)
    rows = _read(*(manifest_line(path, digest_of(path.encode())) for path in ordered))
    assert all(isinstance(row, Listed) for row in rows)
    assert [row.path for row in rows] == ordered


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        HEX.encode() + b"  data/a.json",
        HEX.encode() + b" data/a.json\n",
        HEX.encode() + b"\tdata/a.json\n",
        HEX.encode()[1:] + b"  data/a.json\n",
        b"A" * 64 + b"  data/a.json\n",
        HEX.encode() + b"  data/a\r.json\n",
        HEX.encode() + b"  data/\xff\n",
        HEX.encode() + b"  data/" + b"a" * LINE_MAX + b"\n",
    ],
)
def test_a_malformed_line_is_a_fault_of_form(line: bytes) -> None:
    """The fault has its line number and no path."""
    assert _read(line) == [Fault(1, "form")]


def test_faults_do_not_end_the_reading() -> None:
    """Twice, out of order, and then a good line."""
    lines = [manifest_line(path, f"sha256:{HEX}") for path in ("data/b", "data/b", "data/a", "data/c")]
    assert _read(*lines) == [
        Listed("data/b", HEX),
        Fault(2, "twice", "data/b"),
        Fault(3, "order", "data/a"),
        Listed("data/c", HEX),
    ]


def test_each_manifest_names_its_own_kind() -> None:
    """Payload names only in the one, the fixed tag files only in the other."""
    payload, tag = manifest_line("data/a", HEX), manifest_line("agentaudit/gaps.jsonl", HEX)
    assert _read(payload) == [Listed("data/a", HEX)]
    assert _read(tag, tags=True) == [Listed("agentaudit/gaps.jsonl", HEX)]
    assert _read(tag) == [Fault(1, "name", "agentaudit/gaps.jsonl")]
    assert _read(payload, tags=True) == [Fault(1, "name", "data/a")]


def test_a_label_has_one_line() -> None:
    """Line breaks in a value become spaces."""
    assert bag_info((("Label", "a\nb\tc"), ("Other", ""))) == b"Label: a b c\nOther: \n"


def test_the_oxum_is_octets_and_files() -> None:
    """In this order."""
    assert payload_oxum(30, 2) == "30.2"


@pytest.mark.parametrize(
    ("path", "below"), [("data/a", True), ("data", False), ("database/a", False), ("x/data/a", False)]
)
def test_below_data_is_a_matter_of_the_first_component(path: str, below: bool) -> None:
    """And of nothing else."""
    assert is_below_data(path) is below
