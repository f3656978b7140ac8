"""Texts of the field's sizes, small unless `AGENTAUDIT_TEST_MIB` says how large: bounded memory, nothing left out.

With `AGENTAUDIT_TEST_MIB=20000` the stream and the sparse file are of 20 GB; nothing of them lies on the disk.
"""

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import IO

import pytest

from tests.cli.terminal import Terminal
from tests.encoding.jsonl.records import lines, record

MIB = 1024 * 1024
SIZE = int(os.environ.get("AGENTAUDIT_TEST_MIB", "24")) * MIB
UNIT = 1 if sys.platform == "darwin" else 1024


# A process's peak counts the pages of whoever forked it: a small one stands between.
BETWEEN = """
import os, subprocess, sys
code = "from agentaudit.cli.main import entry; entry()"
child = subprocess.Popen([sys.executable, "-c", code, *sys.argv[1:]], stdout=subprocess.PIPE)
said = child.stdout.read()
_, word, usage = os.wait4(child.pid, 0)
child.returncode = os.waitstatus_to_exitcode(word)
print(child.returncode, usage.ru_maxrss, flush=True)
sys.stdout.buffer.write(said)
"""
WRITER = """
import sys
block = open(sys.argv[1], "rb").read()
for _ in range(int(sys.argv[2])):
    sys.stdout.buffer.write(block)
"""


def measured(*argv: str, stdin: int | IO[bytes] = subprocess.DEVNULL) -> tuple[int, int, bytes]:
    """The status of the installed command in a process of its own, its peak memory in bytes, what it printed."""
    words = (sys.executable, "-S", "-c", BETWEEN, *argv)
    told = subprocess.run(words, stdin=stdin, stdout=subprocess.PIPE, check=True).stdout
    first, _, said = told.partition(b"\n")
    status, peak = map(int, first.split())
    return status, peak * UNIT, said


def peak_of(*argv: str) -> tuple[int, int]:
    """The status of the command and its peak memory in bytes."""
    return measured(*argv)[:2]


def facts_of(said: bytes) -> tuple[str, dict[str, object]]:
    """The digest and the framing of the only text of a verdict."""
    (text,) = json.loads(said)["files"]
    return text["sha256"], text["facts"]


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


@pytest.mark.parametrize("line", [100_000_000])
def test_c04_a_line_of_a_hundred_megabytes_is_judged_like_its_neighbours(
    line: int, program: int, tmp_path: Path
) -> None:
    """It is one object, in less than four times its size, and so are the lines before and behind it."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(lines(record(1), b'{"type":"image","source":"' + b"QUJD" * (line // 4) + b'"}', record(2)))
    status, peak, said = measured("verify-jsonl", "--json", str(path))
    _, facts = facts_of(said)
    assert (status, facts["lines"], facts["ok_lines"], facts["findings"]) == (0, 3, 3, [])
    assert peak - program < 4 * line


def test_c01_to_c03_memory_does_not_grow_with_a_stream(program: int, tmp_path: Path) -> None:
    """What comes through a pipe, its end not known before: every line is counted, every byte is hashed."""
    block = lines(*[record(number, "x" * 1_000) for number in range(500)])
    (tmp_path / "block").write_bytes(block)
    times = SIZE // len(block) + 1
    words = (sys.executable, "-S", "-c", WRITER, str(tmp_path / "block"), str(times))
    with subprocess.Popen(words, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        status, peak, said = measured("verify-jsonl", "--json", "-", stdin=writer.stdout)
    whole = sha256()
    for _ in range(times):
        whole.update(block)
    digest, facts = facts_of(said)
    assert (status, digest, facts["lines"]) == (0, f"sha256:{whole.hexdigest()}", 500 * times)
    assert (facts["ok_lines"], facts["bytes"]) == (500 * times, len(block) * times)
    assert peak - program < 32 * MIB


def test_c02_a_hole_as_large_as_a_file_is_read_to_its_end(program: int, tmp_path: Path) -> None:
    """A line of NUL bytes that lie nowhere is over the limit: hashed and counted, its neighbours judged."""
    path = tmp_path / "a.jsonl"
    before, behind = lines(record(1)), b"\n" + lines(record(2))
    with path.open("wb") as out:
        out.write(before)
        out.seek(SIZE, os.SEEK_CUR)
        out.write(behind)
    status, peak, said = measured("verify-jsonl", "--json", "--max-line", "1M", str(path))
    whole = sha256(before)
    for _ in range(SIZE // MIB):
        whole.update(bytes(MIB))
    whole.update(behind)
    digest, facts = facts_of(said)
    assert (status, digest, facts["ok_lines"]) == (4, f"sha256:{whole.hexdigest()}", 2)
    assert facts["findings_by_class"] == [["over_limit", 1]]
    assert facts["longest_line_bytes"] == SIZE
    assert peak - program < 32 * MIB


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
