"""The Gateway's own command, run once: without a shell, without a terminal, in bounded time, with a bounded answer.

- Its words are ours, and ids and cursors that the Gateway gave; a token is never among them. The command finds its own
  credentials where it always does: of our environment it is given what it needs for that, and nothing else.
- What it prints goes into files, as it prints it. One that takes too long or prints too much is ended with all that it
  started; so is one that runs when a signal came.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agentaudit.adapters.openclaw.livenote import CallEnd
from agentaudit.errors import Interrupted, UsageFault

SECONDS_MAX: Final = 120.0
OUTPUT_MAX: Final = 64 * 1024 * 1024
LOOK_SECONDS: Final = 0.02

_PASSED: Final = frozenset(
    {
        "PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ", "TMPDIR", "TEMP", "TMP", "USERPROFILE", "APPDATA",
        "LOCALAPPDATA", "PROGRAMDATA", "SYSTEMROOT", "PATHEXT", "COMSPEC", "NODE_EXTRA_CA_CERTS",
    }
)  # fmt: skip
_PASSED_PREFIXES: Final = ("OPENCLAW_", "XDG_", "LC_")


@dataclass(frozen=True, slots=True)
class Ran:
    """How a call ended, and the status of the process: below zero where a signal ended it."""

    ended: CallEnd
    status: int


@dataclass(frozen=True, slots=True)
class GatewayCommand:
    """The command at its place; `stop` gives a signal's number once one came, `folder` is where it runs."""

    place: Path
    environ: Mapping[str, str]
    folder: Path
    stop: Callable[[], int | None]
    seconds_max: float
    output_max: int

    def run(self, words: tuple[str, ...], out: Path, err: Path) -> Ran:
        """Run it with these words; raises Interrupted, and UsageFault (2) where it cannot be started."""
        with out.open("xb") as stdout, err.open("xb") as stderr:
            try:
                process = subprocess.Popen(  # noqa: S603 - no shell; the command was named by the user or found by name
                    [os.fspath(self.place), *words],
                    stdin=subprocess.DEVNULL,
                    stdout=stdout,
                    stderr=stderr,
                    cwd=self.folder,
                    env=passed(self.environ),
                    start_new_session=True,
                )
            except OSError as error:
                reason = os.strerror(error.errno or 0)
                raise UsageFault(f"{self.place} cannot be run: {reason}", "name the command with --openclaw") from None
            try:
                ended = self._watch(process, (out, err))
            finally:
                _end(process)
        return Ran(ended, process.returncode)

    def _watch(self, process: "subprocess.Popen[bytes]", files: tuple[Path, Path]) -> CallEnd:
        latest = time.monotonic() + self.seconds_max
        while process.poll() is None:
            signum = self.stop()
            if signum is not None:
                raise Interrupted(signum, begun=False)
            if time.monotonic() > latest:
                return "timed_out"
            if self._is_over(files):
                return "over_limit"
            time.sleep(LOOK_SECONDS)
        return "over_limit" if self._is_over(files) else "exited"

    def _is_over(self, files: tuple[Path, Path]) -> bool:
        return any(path.stat().st_size > self.output_max for path in files)


def find_command(named: Path | None, environ: Mapping[str, str]) -> Path:
    """Where the command lies, links resolved; UsageFault (2) where there is none."""
    found = shutil.which("openclaw" if named is None else os.fspath(named), path=environ.get("PATH"))
    if found is None:
        raise UsageFault("the Gateway's command was not found", "name it with --openclaw, on the Gateway's machine")
    return Path(found).absolute()


def passed(environ: Mapping[str, str]) -> dict[str, str]:
    """What of the environment the command is given."""
    return {name: value for name, value in environ.items() if name in _PASSED or name.startswith(_PASSED_PREFIXES)}


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End it and whatever it started; one that ended by itself is only waited for."""
    if process.poll() is None:
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
