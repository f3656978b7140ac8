"""From a command line to an exit status."""

import io
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from agentaudit import __version__
from agentaudit.cli import app
from agentaudit.cli.app import LazyGroup
from agentaudit.cli.arguments import invocation, plain
from agentaudit.cli.main import entry
from agentaudit.errors import AgentAuditError, DestinationFault, Interrupted
from tests.cli.terminal import Terminal, made_key


def failing(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Let `agentaudit docs` end with this error."""

    def fail() -> int:
        raise error

    monkeypatch.setattr("agentaudit.cli.docs.command", lambda: plain("docs", fail))


def test_an_error_is_two_lines_and_its_own_status(monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be done to what, and the next step."""
    failing(monkeypatch, DestinationFault("cannot write /x", "make room"))
    terminal = Terminal()
    assert terminal.run("docs") == 7
    assert (terminal.out, terminal.err) == ("", "agentaudit: cannot write /x\nnext: make room\n")


def test_an_error_without_a_next_step_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is invented where there is nothing to do."""
    failing(monkeypatch, AgentAuditError("no"))
    terminal = Terminal()
    assert terminal.run("docs") == 1
    assert terminal.err == "agentaudit: no\n"


@pytest.mark.parametrize(("signum", "status"), [(2, 130), (15, 143)])
def test_a_signal_ends_with_its_shell_status(monkeypatch: pytest.MonkeyPatch, signum: int, status: int) -> None:
    """128 plus the number of the signal."""
    failing(monkeypatch, Interrupted(signum))
    assert Terminal().run("docs") == status


def test_a_keyboard_interrupt_outside_a_run_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    """It needs no traceback."""
    failing(monkeypatch, KeyboardInterrupt())
    terminal = Terminal()
    assert terminal.run("docs") == 130
    assert terminal.err == "agentaudit: interrupted\n"


def test_a_bug_shows_places_and_never_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message of an unexpected error may hold evidence: only its type and its frames are told."""
    failing(monkeypatch, ValueError("the evidence itself"))
    terminal = Terminal()
    assert terminal.run("docs") == 1
    assert "ValueError" in terminal.err
    assert "agentaudit/cli/main.py:" in terminal.err
    assert "evidence itself" not in terminal.both
    assert str(Path.cwd()) not in terminal.both
    assert "Traceback" not in terminal.both


@pytest.mark.parametrize(
    "argv",
    [
        ("no-such-command",),
        ("show",),
        ("show", "a", "b"),
        ("show", "a", "--no-such-option"),
        ("collect-sessions", "case", "--connections", "many"),
        ("collect-sessions", "case", "--family", "distant"),
        ("open", "case"),
        ("docs", "no-such-document"),
    ],
)
def test_arguments_that_make_no_sense_are_status_2(argv: tuple[str, ...]) -> None:
    """Two lines, the second of which says where to look."""
    terminal = Terminal()
    assert terminal.run(*argv) == 2
    assert terminal.out == ""
    first, second = terminal.err.splitlines()
    assert first.startswith("agentaudit: ")
    assert second.startswith("next: ")


def test_without_arguments_the_help_goes_to_standard_error() -> None:
    """A script that forgot its arguments is told so by the status."""
    terminal = Terminal()
    assert terminal.run() == 2
    assert terminal.out == ""
    assert "collect-sessions" in terminal.err


def test_the_version_is_a_result() -> None:
    """Name and version on standard output."""
    terminal = Terminal()
    assert terminal.run("--version") == 0
    assert terminal.out == f"agentaudit {__version__}\n"


@pytest.mark.parametrize("place", [("show",), ("collect-sessions", "case", "--note"), ("docs",), ()])
def test_an_argument_that_looks_like_a_key_is_refused_and_not_repeated(place: tuple[str, ...]) -> None:
    """A key is never an argument; the slip is not echoed, and nothing is started."""
    key, terminal = made_key(), Terminal()
    assert terminal.run(*place, key) == 2
    assert key not in terminal.both
    assert key[:16] not in terminal.both
    assert "delete that key" in terminal.err


def test_a_command_line_that_is_not_text_is_refused() -> None:
    """It would have to be recorded."""
    terminal = Terminal()
    assert terminal.run("show", "case-\udcff") == 2
    assert "not UTF-8" in terminal.err


def test_a_hostile_argument_cannot_steer_the_screen() -> None:
    """Errors name paths, and a path may hold anything."""
    terminal = Terminal()
    assert terminal.run("show", "\x1b]52;c;aGk=\x07\u202e") == 8
    assert "\x1b" not in terminal.both
    assert r"\x1b]52" in terminal.err


def test_every_command_of_the_table_can_be_built_and_helps() -> None:
    """The table's sentence is the first line of the command's own help."""
    for name, row in LazyGroup.table.items():
        built = app.group().get_command(click.Context(app.group()), name)
        assert built is not None
        assert built.name == name
        assert (built.help or "").strip()
        assert row.sentence.endswith(".")


def test_a_command_knows_only_the_command_line_as_its_world() -> None:
    """A command that is run without one is a bug."""
    with pytest.raises(TypeError):
        invocation(click.Context(click.Command("x")))  # type: ignore[arg-type]


def agentaudit(*argv: str, flags: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run the installed entry point in a process of its own."""
    code = "from agentaudit.cli.main import entry; entry()"
    return subprocess.run([sys.executable, *flags, "-c", code, *argv], capture_output=True, text=True, check=False)


HEAVY = ("rich", "httpx", "httpcore", "orjson", "msgspec", "typer", "ssl", "agentaudit.model", "agentaudit.acquire")


def test_help_imports_nothing_that_it_does_not_need() -> None:
    """Start-up is paid by the command that needs it."""
    done = agentaudit("--help", flags=("-X", "importtime"))
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert done.returncode == 0
    assert "click" in imported
    assert not imported & set(HEAVY)


@pytest.mark.parametrize("argv", [("docs", "verify"), ("show", "--help"), ("verify", "--help"), ("open", "--help")])
def test_a_command_that_asks_nothing_imports_no_network(argv: tuple[str, ...]) -> None:
    """Neither a client nor TLS is loaded to read a package."""
    done = agentaudit(*argv, flags=("-X", "importtime"))
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert done.returncode == 0
    assert not imported & {"httpx", "httpcore", "ssl", "anyio"}


UNUSED_BY_A_CHECK = (
    "agentaudit.acquire",
    "agentaudit.sources",
    "agentaudit.adapters.der",
    "agentaudit.adapters.rfc3161",
    "agentaudit.adapters.sshsig",
    "agentaudit.attest.signatures",
    "agentaudit.attest.stamps",
    "ssl",
)


def test_a_check_of_bytes_imports_nothing_that_acquires_or_judges() -> None:
    """No request, no source, no reader of signatures or stamps is loaded for an exhibit that nobody attested."""
    sealed = Path(__file__).parents[2] / "fixtures" / "good" / "compliance-format-1"
    done = agentaudit("verify", "--bytes-only", str(sealed), flags=("-X", "importtime"))
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert done.returncode == 0
    assert "agentaudit.attest.check" in imported
    assert not [name for name in imported if name.startswith(UNUSED_BY_A_CHECK)]


def test_the_process_ends_with_the_status_of_its_command() -> None:
    """The installed command is the same program."""
    assert agentaudit("show", "/nowhere").returncode == 8


def test_a_reader_who_leaves_early_does_not_change_the_status() -> None:
    """`agentaudit docs verify | head -1` is no failure."""
    code = "from agentaudit.cli.main import entry; entry()"
    with subprocess.Popen(
        [sys.executable, "-c", code, "docs", "verify"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        _, err = process.communicate()
    assert (process.returncode, err) == (0, b"")


class Gone(io.StringIO):
    """A standard stream whose reader has left before the last flush."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self.descriptor = descriptor

    def fileno(self) -> int:
        """The descriptor that is to be pointed elsewhere."""
        return self.descriptor

    def flush(self) -> None:
        """Fail as a closed pipe does."""
        raise BrokenPipeError


def test_the_entry_runs_on_the_process_s_own_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """What no encoding can show is escaped, and the process exits with the status."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "argv", ["agentaudit", "show", "/nowhere/\u00fc"])
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(sys, "stderr", stream)
    with pytest.raises(SystemExit) as left:
        entry()
    assert left.value.code == 8
    stream.seek(0)
    assert "/nowhere/\\xfc" in stream.read()


def test_a_last_flush_that_fails_is_pointed_nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The interpreter flushes once more at its end, and that must not change the status."""
    descriptor = os.open(tmp_path / "stream", os.O_CREAT | os.O_WRONLY)
    monkeypatch.setattr(sys, "stdout", Gone(descriptor))
    monkeypatch.setattr(sys, "argv", ["agentaudit", "--version"])
    with pytest.raises(SystemExit) as left:
        entry()
    assert left.value.code == 0
    os.write(descriptor, b"nowhere")
    os.close(descriptor)
    assert (tmp_path / "stream").read_bytes() == b""


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("verify", 8), ("show", 8), ("seal", 2), ("corroborate", 8), ("export-manifest", 8), ("custody show", 7),
        ("transcript --session s000001", 8), ("collect-bridge-audit CASE --export", 2),
        ("collect-bridge-audit CASE --database", 5),
    ],
)  # fmt: skip
def test_a_loop_of_links_is_no_bug_of_ours(tmp_path: Path, words: str, status: int) -> None:
    """Whatever command is given one: it cannot be read, and the answer says so."""
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    terminal = Terminal()
    case = str(tmp_path / "case")
    assert terminal.run("open", case, "--number", "N", "--title", "T", "--examiner", "E", "--authority", "A") == 0
    said = [case if word == "CASE" else word for word in words.split()]
    assert terminal.run(*said, str(tmp_path / "a")) == status
    assert "a bug in this program" not in terminal.both


@pytest.mark.parametrize("words", [("docs", "verify"), ("--version",), ("--help",), ("verify", "--help")])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full")
def test_a_result_that_finds_no_room_is_a_fault(words: tuple[str, ...]) -> None:
    """A full disk under standard output ends with 7 and a sentence, whatever was to be printed."""
    code = "from agentaudit.cli.main import entry; entry()"
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([sys.executable, "-c", code, *words], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 7
    assert done.stderr.splitlines()[0] == (
        b"agentaudit: the result cannot be written to standard output: No space left on device"
    )
    assert len(done.stderr.splitlines()) == 2


@pytest.mark.skipif(os.name == "nt", reason="streams are closed by a shell")
@pytest.mark.parametrize(
    ("closing", "status", "out", "err"),
    [
        ("<&-", 0, True, False),
        ("2>&-", 0, True, False),
        (">&-", 7, False, True),
        (">&- 2>&- <&-", 7, False, False),
    ],
)
def test_a_stream_that_is_not_there_is_no_bug(closing: str, status: int, out: bool, err: bool) -> None:
    """Without standard output there is no place for a result; without the others there is one."""
    code = "from agentaudit.cli.main import entry; entry()"
    done = subprocess.run(
        ["sh", "-c", f'"$0" -c "$1" docs verify {closing}', sys.executable, code], capture_output=True, check=False
    )
    assert (done.returncode, bool(done.stdout), bool(done.stderr)) == (status, out, err)


def test_no_file_takes_the_number_of_a_missing_stream(tmp_path: Path) -> None:
    """A case that is opened without streams has no journal where other programs write their messages."""
    code = (
        "import os, sys\nfrom agentaudit.cli import main\n"
        "main.main = lambda *_: sys.exit(os.fstat(1).st_rdev == os.stat(os.devnull).st_rdev != 0)\nmain.entry()"
    )
    words = ["sh", "-c", '"$0" -c "$1" <&- >&- 2>&-', sys.executable, code]
    assert subprocess.run(words, cwd=tmp_path, check=False).returncode == 1
