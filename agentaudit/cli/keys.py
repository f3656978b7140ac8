"""Where the key comes from: a file, standard input, or the environment; never an argument.

- `--key-file` and `--key-stdin` together are refused; either of them goes before the environment.
- A key file that group or others can read, write or run is refused before it is read.
- No message holds a key, a part of one, or what stood in its place.
"""

import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from agentaudit.cli.console import Console
from agentaudit.errors import SourceRefused, UsageFault
from agentaudit.sources.compliance.keys import Key

VARIABLE = "ANTHROPIC_COMPLIANCE_ACCESS_KEY"
KEY_MAX_BYTES = 4_096

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """Where the key of an API is by default, what it is called, and the options that name another place."""

    variable: str
    noun: str
    file_option: str = "--key-file"
    stdin_option: str = "--key-stdin"

    @property
    def hint(self) -> str:
        """How to give it."""
        return f"set {self.variable}, or give {self.file_option} PATH or {self.stdin_option}"


KEY = KeyPlace(VARIABLE, "Compliance Access Key")


def read_key(console: Console, key_file: Path | None, *, from_stdin: bool, place: KeyPlace = KEY) -> Key:
    """The key of this run.

    Raises `UsageFault` (2) for two places at once or a file that is not the user's alone, `SourceRefused` (5)
    where there is no key or none that a header can carry.
    """
    if key_file is not None and from_stdin:
        raise UsageFault(
            f"{place.file_option} and {place.stdin_option} name two places for one key", "give one of them"
        )
    if key_file is not None:
        return _key(_of_file(key_file, place), f"the file {key_file}", place)
    if from_stdin:
        return _key(_of_stdin(console, place), "standard input", place)
    given = console.environ.get(place.variable, "")
    if not given.strip():
        raise SourceRefused(f"there is no {place.noun} to ask the source with", place.hint)
    return _key(given.encode("utf-8", "surrogateescape"), f"the variable {place.variable}", place)


def _of_file(path: Path, place: KeyPlace) -> bytes:
    try:
        with path.open("rb") as stream:
            _refuse_open_file(path, os.fstat(stream.fileno()).st_mode)
            return stream.read(KEY_MAX_BYTES + 1)
    except OSError as error:
        raise UsageFault(f"cannot read the key file {path}: {os.strerror(error.errno or 0)}", place.hint) from None


def _refuse_open_file(path: Path, mode: int) -> None:
    """Refuse what others can reach; the mode is that of the file that is open, whatever its name points to now."""
    if sys.platform != "win32" and mode & _OTHERS:
        raise UsageFault(
            f"the key file {path} is open to group or others ({stat.S_IMODE(mode):04o})", f"chmod 600 {path}"
        )


def _of_stdin(console: Console, place: KeyPlace) -> bytes:
    if console.stdin.isatty():
        raise UsageFault(f"{place.stdin_option} reads a pipe, and standard input is a terminal", "pipe the key in")
    return console.stdin.read(KEY_MAX_BYTES + 1)


def _key(octets: bytes, origin: str, place: KeyPlace) -> Key:
    """The key in these bytes: one line of visible ASCII."""
    word = octets.strip()
    if not word:
        raise SourceRefused(f"{origin} holds no key", place.hint)
    if len(word) > KEY_MAX_BYTES or not all(0x21 <= code <= 0x7E for code in word):  # noqa: PLR2004 - VCHAR, RFC 5234
        raise SourceRefused(f"{origin} holds more than one line of key, or characters that no key has", place.hint)
    return Key(word.decode("ascii"))
