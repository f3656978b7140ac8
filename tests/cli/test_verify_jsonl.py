"""`verify-jsonl`: its statuses, its tables and document, and that no word of a text is printed."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import jsonschema
import pytest

from agentaudit.cli import verifyjsonl
from agentaudit.encoding.jsonl.engine import engine_names
from agentaudit.format.schemas import schema
from agentaudit.framing.travelling import sha256_functions
from agentaudit.model.framing import label_of
from tests.cli.terminal import Terminal
from tests.encoding.compressing import gzipped, zstd
from tests.encoding.jsonl.records import CANARY, lines, record

# What runs in the background of a shell ignores interrupts, and so do its children: the tests interrupt theirs.
HEEDING = "import os, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
COMMAND = (sys.executable, "-c", HEEDING + "from agentaudit.cli.main import entry; entry()", "verify-jsonl")
R1, R2, R3 = (record(number) for number in range(1, 4))
GOOD = lines(R1, R2)
BAD = lines(R1, R2[:50] + R3, R1 + R2, bytes(9), bytes(3) + R1, b"[]", b'{"a":"\xe9"}') + R1[:20]


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A sound file."""
    path = tmp_path / "good.jsonl"
    path.write_bytes(GOOD)
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """A file with one of most faults."""
    path = tmp_path / f"{CANARY}.jsonl"
    path.write_bytes(BAD)
    return path


def test_a_sound_file_is_clean(good: Path) -> None:
    """Status 0, and the facts in two columns."""
    terminal = Terminal()
    assert terminal.run("verify-jsonl", str(good)) == 0
    assert f"{label_of(str(good))}: clean" in terminal.out
    assert "2, one a line" in terminal.out
    assert "good" not in terminal.both
    assert terminal.err == ""


def test_findings_end_with_4_and_have_places(bad: Path) -> None:
    """Class, line, offset, length, and what it means."""
    terminal = Terminal()
    assert terminal.run("verify-jsonl", str(bad)) == 4
    assert "FINDINGS" in terminal.out
    for name in (
        "cut+object",
        "glued:2",
        "nul_run",
        "nul_prefix",
        "3 NUL bytes",
        "non_object",
        "invalid_utf8",
        "incomplete_tail",
    ):
        assert name in terminal.out
    assert f"{len(R1) + 1 + 50:,}" in terminal.out


def test_several_files_are_rows_and_those_with_findings_blocks(good: Path, bad: Path, tmp_path: Path) -> None:
    """A file that cannot be read ends with 6, and the others are checked all the same."""
    terminal = Terminal()
    missing = tmp_path / "missing.jsonl"
    assert terminal.run("verify-jsonl", str(good), str(bad)) == 4
    assert terminal.out.count("SHA-256") == 1
    assert terminal.run("verify-jsonl", str(good), str(missing), str(bad)) == 6
    assert "NOT READ: not found" in terminal.out
    assert "cut+object" in terminal.out
    assert terminal.run("verify-jsonl", str(missing)) == 6
    assert "not read: not found" in terminal.out
    assert terminal.run("verify-jsonl", str(good), str(good)) == 0


def test_a_folder_a_fifo_and_a_second_stdin_are_refused_before_anything_is_read(good: Path, tmp_path: Path) -> None:
    """They are named by their place, in well under a second."""
    fifo = tmp_path / "fifo.jsonl"
    os.mkfifo(fifo)
    terminal = Terminal()
    for argv, word in (((str(tmp_path),), "folder"), ((str(good), str(fifo)), "FIFO"), ((os.devnull,), "device")):
        assert terminal.run("verify-jsonl", *argv) == 2
        assert f"FILE number {len(argv)} is a {word}" in terminal.err
        assert terminal.out == ""
    assert terminal.run("verify-jsonl", "-", "-") == 2
    assert terminal.run("verify-jsonl") == 2


@pytest.mark.parametrize("octets", [BAD, gzipped(BAD), zstd(BAD)])
def test_standard_input_is_read_once_and_says_the_same(octets: bytes, bad: Path) -> None:
    """Plain and compressed; findings are those of the file."""
    terminal = Terminal(stdin=octets)
    assert terminal.run("verify-jsonl", "--json", "-") == 4
    streamed = json.loads(terminal.out)["files"][0]
    assert terminal.run("verify-jsonl", "--json", str(bad)) == 4
    assert streamed["facts"] == json.loads(terminal.out)["files"][0]["facts"]
    assert (streamed["label"], streamed["name"]) == ("-", None)


def test_a_pipe_is_checked_as_it_comes() -> None:
    """The installed command reads what another writes."""
    code = "from agentaudit.cli.main import entry; entry()"
    done = subprocess.run(
        [sys.executable, "-c", code, "verify-jsonl", "-"], input=GOOD, capture_output=True, check=False
    )
    assert (done.returncode, b"2, one a line" in done.stdout) == (0, True)


@pytest.mark.parametrize(
    ("name", "octets", "status", "word"),
    [
        ("a.jsonl.gz", gzipped(GOOD), 0, "gzip of"),
        ("a.jsonl.zst", zstd(GOOD), 0, "zstd of"),
        ("a.jsonl", zstd(GOOD), 0, "zstd of"),
        ("a.jsonl.zst", zstd(GOOD)[:-1], 4, "FAULT: the stream breaks off before its end"),
        ("a.jsonl.gz", GOOD, 4, "FAULT: the stream cannot be decompressed to its end"),
        ("a.GZ", b"", 4, "FAULT: the stream breaks off before its end"),
    ],
)
def test_compressed_files_have_two_digests(name: str, octets: bytes, status: int, word: str, tmp_path: Path) -> None:
    """A stream that is not whole is a finding of its own."""
    path = tmp_path / name
    path.write_bytes(octets)
    terminal = Terminal()
    assert terminal.run("verify-jsonl", str(path)) == status
    assert word in terminal.out
    assert "of the text" in terminal.out
    assert terminal.run("verify-jsonl", str(path), str(path)) == status


def canaries() -> bytes:
    """A text with the canary everywhere: keys, types, content, broken lines, bad bytes."""
    word = CANARY.encode()
    return lines(
        record(1, CANARY),
        record(1, CANARY, CANARY),
        b'{"' + word + b'":"' + word + b'","cwd":"/' + word + b'"}',
        b'{"type":{"' + word + b'":1}}',
        b'{"cut":"' + word,
        b'{"cut":"' + word + record(2, CANARY),
        b'"' + word + b'"',
        b'{"bad":"' + word + b'\xff"}',
        b'{"surrogate":"' + word + b'\\ud83d"}',
        b'{"depth":"' + word + b'",' + b'"d":' + b"[" * 2_000 + b"]" * 2_000 + b"}",
        word,
        b'{"' + word + b'":NaN}',
    )


@pytest.mark.parametrize(
    "options", [(), ("--keys",), ("--json",), ("--json", "--keys", "--thorough"), ("--max-line", "30")]
)
def test_g02_no_word_of_a_text_or_name_is_printed(options: tuple[str, ...], tmp_path: Path) -> None:
    """Labels stand in the place of names, also where something is wrong, and also when a file cannot be read."""
    path, none = tmp_path / f"{CANARY}.jsonl", tmp_path / CANARY
    path.write_bytes(canaries())
    terminal = Terminal(tty=True)
    assert terminal.run("verify-jsonl", *options, str(path), str(path)) == 4
    assert CANARY not in terminal.both
    assert terminal.run("verify-jsonl", *options, str(none)) == 6
    assert CANARY not in terminal.both
    none.mkdir()
    assert terminal.run("verify-jsonl", *options, str(none)) == 2
    assert CANARY not in terminal.both


def test_g02_a_bug_shows_no_value(bad: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that holds a line of a text is told by its type and place."""

    def broken(*_arguments: object) -> None:
        raise UnicodeDecodeError("utf-8", CANARY.encode(), 0, 1, CANARY)

    monkeypatch.setattr(verifyjsonl, "check", broken)
    terminal = Terminal()
    assert terminal.run("verify-jsonl", str(bad)) == 1
    assert CANARY not in terminal.both


def test_names_are_shown_when_asked(bad: Path, tmp_path: Path) -> None:
    """File names, types and key names; what cannot be a name on a terminal is written out."""
    odd = tmp_path / "odd\u202e.jsonl"
    odd.write_bytes(lines(R1, b'{"\\ud83d":1,"type":"\\u001b[31m"}'))
    terminal = Terminal()
    assert terminal.run("verify-jsonl", "--show-names", "--keys", str(odd), str(bad)) == 4
    for word in (CANARY, "user 1", "message timestamp type uuid", "odd\\u202e.jsonl", "\\x1b[31m"):
        assert word in terminal.out
    assert terminal.run("verify-jsonl", "--show-names", "--keys", "--json", str(odd)) == 0
    words = dict(json.loads(terminal.out)["files"][0]["words"])
    assert words[label_of("user")] == "user"
    assert words[label_of("\ud83d")] == {"display": "?", "hex": "eda0bd"}


def test_the_document_fits_its_schema(good: Path, bad: Path, tmp_path: Path) -> None:
    """An independent validator accepts it, with and without names and keys, and refuses a key too many."""
    document_schema = json.loads(schema("jsonl-verdict.json"))
    terminal = Terminal()
    for options in ((), ("--keys", "--show-names")):
        argv = ("verify-jsonl", "--json", *options, str(good), str(bad), str(tmp_path / "none"))
        assert terminal.run(*argv) == 6
        document = json.loads(terminal.out)
        jsonschema.validate(document, document_schema)
        assert document["clean"] is False
        assert [one["unread"] for one in document["files"]] == [None, None, "not_found"]
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**document, "surplus": 1}, document_schema)


@pytest.mark.parametrize(
    ("size", "octets"), [("100", 100), ("2K", 2_048), ("1KiB", 1_024), ("3MB", 3 << 20), ("1G", 1 << 30)]
)
def test_the_limit_of_a_line_is_given_in_bytes_or_in_units(size: str, octets: int, good: Path) -> None:
    """It stands in the document."""
    terminal = Terminal()
    terminal.run("verify-jsonl", "--json", "--max-line", size, str(good))
    assert json.loads(terminal.out)["max_line_bytes"] == octets


@pytest.mark.parametrize("size", ["", "0", "-1", "1.5M", "many", "1T", "256 M"])
def test_a_limit_that_is_no_size_is_refused(size: str, good: Path) -> None:
    """Before anything is read."""
    terminal = Terminal()
    assert terminal.run("verify-jsonl", "--max-line", size, str(good)) == 2
    assert "--max-line" in terminal.err


def test_what_is_left_out_of_a_table_is_said(tmp_path: Path) -> None:
    """Findings, types and places beyond the first are counted."""
    path = tmp_path / "many.jsonl"
    types = [b'{"type":"t%02d"}' % number for number in range(20)]
    path.write_bytes(lines(*types, b"{}" * 9, *[b"x"] * 50) + b'{"type":"' + b"t" * 500 + b'"}')
    terminal = Terminal()
    assert terminal.run("verify-jsonl", str(path)) == 4
    assert "31 more findings" in terminal.out
    assert "others 9" in terminal.out
    assert "glued:9" in terminal.out
    assert ", ..." in terminal.out


def test_the_second_look_is_said_and_can_be_had_everywhere(tmp_path: Path) -> None:
    """Beyond the head of a text duplicates are only looked for when asked."""
    path = tmp_path / "large.jsonl"
    path.write_bytes(lines(*[record(1, "x" * 5_000)] * 1_000, b'{"a":1,"a":2}'))
    terminal = Terminal()
    assert terminal.run("verify-jsonl", str(path)) == 0
    assert "looked for in the first 4.2 MB; --thorough" in terminal.out
    assert "duplicate key" not in terminal.out
    assert terminal.run("verify-jsonl", "--thorough", str(path)) == 0
    assert "note duplicate key" in terminal.out
    assert "--thorough" not in terminal.out


@pytest.mark.parametrize("quiet", [True, False])
@pytest.mark.parametrize("tty", [True, False])
def test_progress_is_shown_by_bytes(quiet: bool, tty: bool, bad: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A live line on a terminal, lines in a pipe, nothing when quiet; never a name."""
    monkeypatch.setattr(verifyjsonl, "REDRAW_S", 0.0)
    monkeypatch.setattr(verifyjsonl, "PIPE_S", 0.0)
    terminal = Terminal({"TERM": "xterm"}, stdin=GOOD, tty=tty)
    assert terminal.run("verify-jsonl", *(["--quiet"] if quiet else []), str(bad), "-") == 4
    assert ("checking text 1 of 2" in terminal.err) is not quiet
    assert ("(100 %)" in terminal.err) is not quiet
    assert CANARY not in terminal.both
    if not tty and not quiet:
        assert "\x1b" not in terminal.err


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children are read from /proc")
def test_an_interrupt_ends_it_and_its_workers() -> None:
    """Status 130, and no process is left behind."""
    child = subprocess.Popen(
        [*COMMAND, "--quiet", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdin is not None
    for _ in range(40):
        child.stdin.write(lines(*[R1] * 1_000))
    listed = Path(f"/proc/{child.pid}/task/{child.pid}/children")
    workers = [Path("/proc") / word for word in listed.read_text("ascii").split()]
    assert workers or (os.cpu_count() or 1) == 1
    child.send_signal(signal.SIGINT)
    assert child.wait(20) == 130
    assert not any(worker.exists() for worker in workers)
    with suppress(BrokenPipeError):
        child.communicate()


@pytest.mark.skipif(sys.platform != "linux" or (os.cpu_count() or 1) == 1, reason="no worker is forked")
def test_an_interrupt_beside_a_fork_is_not_lost() -> None:
    """Python drops what its callbacks around a fork raise: it is held back until the workers are there."""
    code = HEEDING + (
        "from agentaudit.cli.main import entry; "
        "os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.SIGINT)); entry()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, "verify-jsonl", "--quiet", "-"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    with child:
        assert child.stdin is not None
        with suppress(BrokenPipeError):
            for _ in range(40):
                child.stdin.write(lines(*[R1] * 1_000))
        with suppress(BrokenPipeError):
            child.stdin.close()
        assert child.wait(20) == 130


LARGE_BYTES = 18 * 1024 * 1024
# Run before the command: the other process of its relay is killed in its second turn; the first waits for that.
KILLED = """
import os, pathlib, sys, time
from agentaudit.framing.runner import Runner
mark, parent, turn, lap = pathlib.Path(sys.argv.pop(1)), os.getpid(), Runner._turn, Runner._lap
turns = []
def dying(self, *places):
    turns.append(turn(self, *places))
    if os.getpid() != parent and len(turns) == 2:
        mark.touch()
        os.kill(os.getpid(), 9)
    return turns[-1]
def waiting(self, *places):
    until = time.monotonic() + 20
    while os.getpid() == parent and len(turns) == 2 and not mark.exists() and time.monotonic() < until:
        time.sleep(0.01)
    return lap(self, *places)
Runner._turn, Runner._lap = dying, waiting
"""
RUNS_IN_TURNS = pytest.mark.skipif(
    sys.platform != "linux"
    or (os.cpu_count() or 1) == 1
    or sha256_functions() is None
    or engine_names()[0] == "standard",
    reason="one process reads and hashes everything there",
)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that is read in turns, with faults in it."""
    path = tmp_path_factory.mktemp("large") / "large.jsonl"
    rows = [record(number, "é" * 450, f"type {number % 7}") for number in range(LARGE_BYTES // 1_000)]
    rows[5_000], rows[9_000] = rows[5_000][:80], rows[9_000] + rows[9_001]
    path.write_bytes(lines(*rows) + R1[:9])
    return path


def said_of(path: Path, *before: str, code: str = "") -> subprocess.CompletedProcess[bytes]:
    """What the command says of a file, in a process of its own that runs that code first."""
    words = (sys.executable, "-c", HEEDING + code + "from agentaudit.cli.main import entry; entry()", *before)
    return subprocess.run([*words, "verify-jsonl", "--json", "--keys", str(path)], capture_output=True, check=False)


@RUNS_IN_TURNS
def test_a_large_file_says_the_same_as_a_pipe(large: Path) -> None:
    """Of the one, processes take blocks in turns; of the other, one reads everything."""
    of_file = said_of(large)
    with large.open("rb") as stdin:
        piped = subprocess.run([*COMMAND, "--json", "--keys", "-"], stdin=stdin, capture_output=True, check=False)
    assert (of_file.returncode, piped.returncode) == (4, 4)
    one, other = (json.loads(said.stdout)["files"][0] for said in (of_file, piped))
    assert one.pop("label") != other.pop("label")
    assert one == other
    assert one["sha256"] == f"sha256:{sha256(large.read_bytes()).hexdigest()}"


@RUNS_IN_TURNS
def test_a_file_whose_process_is_killed_is_read_again_and_says_so(large: Path, tmp_path: Path) -> None:
    """The answer is that of one process, and standard error tells why it took longer."""
    plain = said_of(large)
    again = said_of(large, str(tmp_path / "mark"), code=KILLED)
    assert (tmp_path / "mark").exists()
    assert (again.returncode, again.stdout) == (plain.returncode, plain.stdout)
    assert b"read again from its first byte" in again.stderr
    assert b"read again" not in plain.stderr


@RUNS_IN_TURNS
def test_an_interrupt_beside_the_fork_of_a_relay_is_not_lost(large: Path) -> None:
    """It is held back until the processes are there, and ends them."""
    code = "os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.SIGINT)); "
    assert said_of(large, code=code).returncode == 130
