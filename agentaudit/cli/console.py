"""The one door to the terminal: every line passes through `safe`.

- Results go to standard output, everything else to standard error.
- Foreign text cannot steer a terminal: control, bidi, invisible and unassigned characters are shown as escapes.
- A reader who closes the pipe early costs the rest of the output, never the command's own exit status. A result that
  cannot be written otherwise is a fault (7); of messages nobody can be told.
- The environment and the standard input come in with the console: a test or the demo gives its own.
"""

import os
import re
import shutil
import unicodedata
from collections.abc import Callable, Mapping
from typing import BinaryIO, Protocol, TextIO

from agentaudit.errors import DestinationFault

PLAIN_WIDTH = 120

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BEYOND_ASCII = re.compile(r"[^\x00-\x7e]")


class Stop(Protocol):
    """What ends a live line before other text is written."""

    def clear(self) -> None:
        """Leave the line empty, with the cursor at its start."""
        ...


def safe(text: str) -> str:
    r"""The text in one line, with every character that is not seen as itself written out (`\x1b`, `\u202e`).

    Escaped are the Unicode categories Cc, Cf, Cs, Co, Cn, Zl and Zp: C0, C1, DEL, bidi controls, zero-width
    characters, surrogates, private and unassigned ones, line and paragraph separators.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(c) if unicodedata.category(c) in _UNSEEN else c for c in text)


def ascii_json(document: bytes) -> str:
    """A JSON text with everything beyond ASCII as escapes: the same document, harmless to a terminal."""
    return _BEYOND_ASCII.sub(_json_escape, document.decode())


class Console:
    """The streams and the environment of one command."""

    def __init__(self, out: TextIO, err: TextIO, stdin: BinaryIO, environ: Mapping[str, str]) -> None:
        """Take the streams; nothing is opened or closed here."""
        self.stdin = stdin
        self.environ = environ
        self._out = out
        self._err = err
        self._closed: set[int] = set()
        self._live: Stop | None = None

    def beside(self, stdin: BinaryIO, more: Mapping[str, str]) -> "Console":
        """A console on the same streams, with another standard input and more in the environment."""
        return Console(self._out, self._err, stdin, {**self.environ, **more})

    @property
    def interactive(self) -> bool:
        """True when standard error is a terminal on which a line can be redrawn."""
        return self._err.isatty() and self.environ.get("TERM", "") not in ("", "dumb")

    def is_terminal(self, *, err: bool) -> bool:
        """True when the stream is a terminal."""
        return (self._err if err else self._out).isatty()

    def width(self, *, err: bool = False) -> int:
        """Columns of the stream's terminal; a fixed width where there is none, so that rows stay whole."""
        if not self.is_terminal(err=err):
            return PLAIN_WIDTH
        return max(60, shutil.get_terminal_size((80, 24)).columns)

    def result(self, line: str = "") -> None:
        """One line of the result, to standard output."""
        self._line(self._out, safe(line))

    def document(self, octets: bytes) -> None:
        """The result as one JSON document, to standard output."""
        self._line(self._out, ascii_json(octets))

    def say(self, line: str = "") -> None:
        """One line for the person, to standard error."""
        if self._live is not None:
            self._live.clear()
        self._line(self._err, safe(line))

    def redraw(self, text: str) -> None:
        """Replace the live line of the terminal by this text; an empty text leaves it empty."""
        self._write(self._err, "\r\x1b[2K" + safe(text)[: max(0, self.width(err=True) - 1)])

    def watch(self, live: Stop | None) -> None:
        """From now on clear this live line before a line is written; None: there is none."""
        self._live = live

    def print(self, text: str) -> None:
        """Text of the program's own that is whole lines already, to standard output: a help."""
        self._write(self._out, text)

    def writer(self, *, err: bool) -> Callable[[str], None]:
        """`say` or `result`, for what can be written to either."""
        return self.say if err else self.result

    def _line(self, stream: TextIO, text: str) -> None:
        self._write(stream, text + "\n")

    def _write(self, stream: TextIO, text: str) -> None:
        if id(stream) in self._closed:
            return
        try:
            stream.write(text)
            stream.flush()
        except OSError as error:
            self._closed.add(id(stream))
            if stream is self._out and not isinstance(error, BrokenPipeError):
                raise DestinationFault(
                    f"the result cannot be written to standard output: {os.strerror(error.errno or 0)}",
                    "what the command did is done; have its result shown where there is room",
                ) from None


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode()


def _json_escape(match: re.Match[str]) -> str:
    units = match.group().encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
