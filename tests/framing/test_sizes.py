"""Texts of the field's sizes, small unless `AGENTAUDIT_TEST_MIB` says how large: bounded memory, nothing left out."""

import os
from hashlib import sha256
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.encoding.jsonl.records import lines, record
from tests.support.peaks import peak_of

MIB = 1024 * 1024
SIZE = int(os.environ.get("AGENTAUDIT_TEST_MIB", "24")) * MIB


def written(path: Path, line: bytes, octets: int) -> Path:
    """A file of that line, again and again, of at least so many bytes."""
    with path.open("wb") as out:
        for _ in range(octets // (len(line) + 1) + 1):
            out.write(line + b"\n")
    return path


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> int:
    """What the command needs for a text of one line."""
    status, peak = peak_of("verify-jsonl", str(written(tmp_path_factory.mktemp("small") / "a.jsonl", b"{}", 1)))
    assert status == 0
    return peak


@pytest.mark.parametrize("line", [1_100, 30_000, 3_000_000])
def test_c01_to_c03_memory_does_not_grow_with_the_text(line: int, program: int, tmp_path: Path) -> None:
    """Lines of 1.1 KB, 30 KB and 3 MB: the slots, and a few of the lines."""
    path = written(tmp_path / "a.jsonl", record(1, "x" * line), SIZE)
    status, peak = peak_of("verify-jsonl", str(path))
    assert status == 0
    assert peak - program < 32 * MIB + 4 * line


@pytest.mark.parametrize("line", [16_000_000])
def test_c04_one_long_line_costs_less_than_four_times_its_size(line: int, program: int, tmp_path: Path) -> None:
    """An image in base64, and one whose every third byte is escaped."""
    for text in (b"QUJD" * (line // 4), b"a\\n" * (line // 3)):
        path = written(tmp_path / "a.jsonl", b'{"type":"user","image":"' + text + b'"}', 1)
        status, peak = peak_of("verify-jsonl", str(path))
        assert status == 0
        assert peak - program < 4 * line


def test_c07_nothing_is_left_out_for_its_size(tmp_path: Path) -> None:
    """Every byte is hashed and every line is counted."""
    path = written(tmp_path / "a.jsonl", record(1, "x" * 5_000), SIZE)
    terminal = Terminal()
    assert terminal.run("verify-jsonl", str(path)) == 0
    octets = path.read_bytes()
    assert sha256(octets).hexdigest() in terminal.out
    assert f"{octets.count(b'x' * 5_000):,}, one a line" in terminal.out


def test_c09_thousands_of_files_are_rows_in_the_order_given(tmp_path: Path) -> None:
    """No file is kept open, and none is left out."""
    paths = [tmp_path / f"agent-{number}.jsonl" for number in range(1_200)]
    for number, path in enumerate(paths):
        path.write_bytes(lines(record(number)))
    terminal = Terminal()
    assert terminal.run("verify-jsonl", "--show-names", *map(str, reversed(paths))) == 0
    rows = [row.split()[0] for row in terminal.out.splitlines()[1:]]
    assert rows == [str(path) for path in reversed(paths)]
