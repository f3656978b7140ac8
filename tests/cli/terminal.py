"""A terminal made of strings: what a command line wrote, and the status it ended with."""

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from agentaudit.cli.console import Console
from agentaudit.cli.main import main

WORDS = ("api01", "canary", "never", "printed", "nor", "stored")


def made_key(*words: str) -> str:
    """A key of the right family, put together at run time so that no scanner mistakes it for a real one."""
    return "-".join(("sk", "ant", *(words or WORDS)))


def spawned(*argv: str, environ: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """The installed command, in a process of its own, with this added to the environment."""
    code = "from agentaudit.cli.main import entry; entry()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *argv],
        env={**os.environ, **(environ or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


class Screen(io.StringIO):
    """A text stream that says it is a terminal."""

    def isatty(self) -> bool:
        """True."""
        return True


@dataclass
class Terminal:
    """Runs command lines in this process on streams of its own; `tty` makes both streams terminals."""

    environ: Mapping[str, str] = field(default_factory=dict)
    stdin: bytes = b""
    tty: bool = False
    out: str = ""
    err: str = ""

    def run(self, *argv: str) -> int:
        """The exit status; what was written is in `out` and `err`."""
        out, err = (Screen(), Screen()) if self.tty else (io.StringIO(), io.StringIO())
        status = main(argv, Console(out, err, io.BytesIO(self.stdin), self.environ))
        self.out, self.err = out.getvalue(), err.getvalue()
        return status

    @property
    def both(self) -> str:
        """Everything that was written."""
        return self.out + self.err
