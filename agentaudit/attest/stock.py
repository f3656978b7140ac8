"""The stock tools, run without a shell, without a prompt, and with no more of the environment than they need.

- A tool has no terminal and no askpass: what would prompt fails instead.
- Its words are our own and paths; what it prints is never shown, because it may name files or people.
"""

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from agentaudit.errors import UsageFault

Tool = Literal["ssh-keygen", "openssl"]

SECONDS = 30
TOUCH_SECONDS = 120

_PASSED = ("PATH", "HOME", "SSH_AUTH_SOCK", "SSH_SK_PROVIDER", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "USERPROFILE")
_FROM = {"ssh-keygen": "OpenSSH 8.2 or newer", "openssl": "OpenSSL 1.1.1 or newer"}
_TIMED_OUT = -1


@dataclass(frozen=True, slots=True)
class Ran:
    """What a tool ended with; the status is not 0 for one that took too long."""

    status: int
    out: bytes
    err: bytes

    @property
    def ok(self) -> bool:
        """True when the tool says yes."""
        return self.status == 0


@dataclass(frozen=True, slots=True)
class Stock:
    """The tools as this environment has them."""

    environ: Mapping[str, str]

    def find(self, tool: Tool) -> str | None:
        """Where a tool lies; None when there is none."""
        return shutil.which(tool, path=self.environ.get("PATH"))

    def run(self, tool: Tool, *words: str, octets: bytes = b"", seconds: int = SECONDS) -> Ran:
        """Run a tool with these bytes on its standard input; UsageFault (2) where it is not installed."""
        place = self.find(tool)
        if place is None:
            raise UsageFault(f"{tool} was not found", f"install {_FROM[tool]}, or do it on a machine that has it")
        environ = {name: self.environ[name] for name in _PASSED if name in self.environ}
        environ |= {"LC_ALL": "C", "SSH_ASKPASS_REQUIRE": "never"}
        try:
            done = subprocess.run(  # noqa: S603 - no shell; a tool found by name, words of our own
                [place, *words],
                input=octets,
                capture_output=True,
                check=False,
                timeout=seconds,
                env=environ,
                start_new_session=True,  # no controlling terminal: nothing can ask there
            )
        except subprocess.TimeoutExpired:
            return Ran(_TIMED_OUT, b"", b"")
        return Ran(done.returncode, done.stdout, done.stderr)

    def judges_time(self) -> bool:
        """True when `openssl` can judge a stamp at the stamp's own time: LibreSSL's cannot."""
        return self.find("openssl") is not None and self.run("openssl", "version").out.startswith(b"OpenSSL ")
