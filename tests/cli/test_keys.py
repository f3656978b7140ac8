"""Where the key comes from, and where it never goes."""

import io
import os
import sys
from pathlib import Path

import pytest

from agentaudit.cli.console import Console
from agentaudit.cli.keys import VARIABLE, read_key
from agentaudit.errors import AgentAuditError, SourceRefused, UsageFault
from tests.cli.terminal import made_key

KEY = made_key()


class TypedIn(io.BytesIO):
    """A standard input that is a terminal."""

    def isatty(self) -> bool:
        """True."""
        return True


def console(variable: str | None = None, stdin: bytes = b"") -> Console:
    """A console with this standard input, and this key in the environment."""
    environ = {} if variable is None else {VARIABLE: variable}
    return Console(io.StringIO(), io.StringIO(), io.BytesIO(stdin), environ)


def key_file(tmp_path: Path, content: bytes, mode: int = 0o600) -> Path:
    """A file with this content and mode."""
    path = tmp_path / "key"
    path.write_bytes(content)
    path.chmod(mode)
    return path


def test_the_environment_is_asked_when_nothing_else_is_said() -> None:
    """The variable of the vendor's guides holds the key."""
    assert read_key(console(f" {KEY}\n"), None, from_stdin=False).reveal() == KEY


def test_a_file_goes_before_the_environment(tmp_path: Path) -> None:
    """What is said on the command line counts."""
    path = key_file(tmp_path, f"{KEY}\n".encode())
    assert read_key(console("other"), path, from_stdin=False).reveal() == KEY


def test_standard_input_goes_before_the_environment() -> None:
    """A pipe from a password manager needs no file."""
    assert read_key(console("other", f"{KEY}\n".encode()), None, from_stdin=True).reveal() == KEY


def test_two_places_for_one_key_are_refused(tmp_path: Path) -> None:
    """A file and standard input at once make no sense."""
    with pytest.raises(UsageFault):
        read_key(console(), key_file(tmp_path, b"k"), from_stdin=True)


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o602])
def test_a_key_file_that_others_can_reach_is_refused(tmp_path: Path, mode: int) -> None:
    """The next step is the command that closes it."""
    with pytest.raises(UsageFault) as refused:
        read_key(console(), key_file(tmp_path, KEY.encode(), mode), from_stdin=False)
    assert refused.value.hint.startswith("chmod 600")
    assert KEY not in refused.value.message


@pytest.mark.parametrize("content", [b"", b" \n", b"two words", b"two\nlines", b"\xff\xfe", b"k" * 5_000])
def test_what_no_header_can_carry_is_no_key(tmp_path: Path, content: bytes) -> None:
    """An empty or malformed key is a refusal with the next step, and is not repeated."""
    with pytest.raises(SourceRefused) as refused:
        read_key(console(), key_file(tmp_path, content), from_stdin=False)
    assert VARIABLE in refused.value.hint
    assert not content.strip() or content.decode("latin-1") not in refused.value.message


def test_no_key_at_all_is_a_refusal_with_the_next_step() -> None:
    """A blank variable is as good as none."""
    for door in (console(), console("  ")):
        with pytest.raises(SourceRefused) as refused:
            read_key(door, None, from_stdin=False)
        assert refused.value.exit_status == 5


def test_a_key_is_never_typed_into_a_terminal() -> None:
    """A command without a prompt reads a pipe, or nothing."""
    door = Console(io.StringIO(), io.StringIO(), TypedIn(), {})
    with pytest.raises(UsageFault, match="terminal"):
        read_key(door, None, from_stdin=True)


def test_a_missing_key_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    """The path is named, and the system's own reason."""
    tmp_path.chmod(0o700)
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(AgentAuditError) as refused:
            read_key(console(), path, from_stdin=False)
        assert refused.value.exit_status == 2
        assert str(path) in refused.value.message


@pytest.mark.skipif(sys.platform == "win32", reason="pipes by name are POSIX")
def test_a_pipe_of_the_shell_is_a_key_file(tmp_path: Path) -> None:
    """`--key-file <(pass show key)` works."""
    reader, writer = os.pipe()
    os.write(writer, KEY.encode())
    os.close(writer)
    assert tmp_path.exists()
    try:
        assert read_key(console(), Path(f"/dev/fd/{reader}"), from_stdin=False).reveal() == KEY
    finally:
        os.close(reader)
