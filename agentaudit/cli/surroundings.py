"""The real world around one run: clock, signals, this program, this machine.

- What the system does not say is None, never a guess.
- The first SIGINT or SIGTERM asks the run to stop; a second SIGINT leaves at once: the journal is always ahead.
- The digest of the program's own code is computed only when a case is acted on.
"""

import ctypes
import os
import platform
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import FrameType

import agentaudit
from agentaudit.acquire.request import Surroundings
from agentaudit.cli.console import Console
from agentaudit.model.actors import Host, Tool

DEPENDENCIES = ("anyio", "certifi", "click", "h11", "httpcore", "httpx", "idna", "msgspec", "orjson", "rich", "typer")
OPEN_TO_OTHERS = stat.S_IRWXG | stat.S_IRWXO
TIME_ERROR = 5


@contextmanager
def surroundings(console: Console, case: Path) -> Iterator[Surroundings]:
    """The world of a run on this case; signal handlers stand while the context is open."""
    with _signals(console) as stop:
        yield Surroundings(now, monotonic_ms, stop, tool(), host(case, console.environ))


def now() -> datetime:
    """The system clock, in UTC."""
    return datetime.now(UTC)


def monotonic_ms() -> int:
    """Milliseconds on a clock that never steps back."""
    return time.monotonic_ns() // 1_000_000


def tool() -> Tool:
    """This program, its interpreter and the libraries that it stands on."""
    return Tool(
        name="agentaudit",
        version=agentaudit.__version__,
        code_digest=_code_digest(Path(agentaudit.__file__).parent),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        dependencies=tuple(_versions()),
    )


def host(case: Path, environ: Mapping[str, str]) -> Host:
    """This machine and the operating user, as the system states them."""
    return Host(
        node=platform.node(),
        system=f"{platform.system()} {platform.release()}",
        machine=platform.machine(),
        user=_user(environ),
        time_zone=_time_zone(environ),
        clock_synchronised=_clock_synchronised(),
        case_folder_open_to_others=_open_to_others(case),
    )


def _versions() -> Iterator[tuple[str, str]]:
    for name in DEPENDENCIES:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue


def _code_digest(root: Path) -> str:
    """`sha256:` of the lines `<digest>  <path>` of the package's modules, sorted by path."""
    total, modules = sha256(), dict(_modules(str(root)))
    for name in sorted(modules):
        with open(modules[name], "rb", buffering=0) as module:  # noqa: PTH123 - a path object for each costs more
            total.update(f"{sha256(module.read()).hexdigest()}  {name}\n".encode())
    return f"sha256:{total.hexdigest()}"


def _modules(root: str) -> Iterator[tuple[str, str]]:
    """Each module below the folder: its path there, with `/`, and its whole path. As text: hundreds are asked for."""
    for folder, _, names in os.walk(root):
        below = f"{folder}{os.sep}"[len(root) + 1 :].replace(os.sep, "/")
        yield from ((f"{below}{name}", f"{folder}{os.sep}{name}") for name in names if name.endswith(".py"))


def _user(environ: Mapping[str, str]) -> str:
    """The account of this process; the environment is asked only where there are no accounts by number."""
    if sys.platform == "win32":
        return environ.get("USERNAME", "")
    import pwd  # noqa: PLC0415 - POSIX only

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def _time_zone(environ: Mapping[str, str]) -> str:
    """The zone's name where one is configured, and its offset now."""
    configured = environ.get("TZ", "").removeprefix(":")
    if not configured:
        linked = os.path.realpath("/etc/localtime")
        configured = linked.partition("/zoneinfo/")[2] or time.strftime("%Z")
    return f"{configured} {time.strftime('%z')}".strip()


def _clock_synchronised() -> bool | None:
    """What the kernel says of its clock (adjtimex(2), read only); None where it cannot be asked."""
    call = {"linux": "adjtimex", "darwin": "ntp_adjtime"}.get(sys.platform)
    if call is None:
        return None
    try:
        # Zeroed `modes`, the first field of struct timex on both systems, asks for no change.
        state = getattr(ctypes.CDLL(None), call)(ctypes.create_string_buffer(1024))
    except (OSError, AttributeError):
        return None
    return None if state < 0 else state != TIME_ERROR


def _open_to_others(case: Path) -> bool | None:
    if sys.platform == "win32":
        return None
    try:
        return bool(case.stat().st_mode & OPEN_TO_OTHERS)
    except OSError:
        return None


@contextmanager
def _signals(console: Console) -> Iterator[Callable[[], int | None]]:
    """Handlers that only note the signal: writing from one could meet a half-written line of the same stream."""
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    stop = _Stop(console)
    before = {signum: signal.signal(signum, stop.take) for signum in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)


class _Stop:
    """The number of the first signal once one came; says so when it is first asked."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._signum: int | None = None
        self._said = False

    def take(self, signum: int, _frame: FrameType | None) -> None:
        if self._signum is not None and signum == signal.SIGINT:
            os._exit(128 + signum)
        self._signum = self._signum or signum

    def __call__(self) -> int | None:
        if self._signum is not None and not self._said:
            self._said = True
            self._console.say("stopping: what is in flight is finished and kept (Ctrl-C again leaves at once)")
        return self._signum
