"""The script of the demo: the real commands, in the order of the job, on a synthetic organisation and store.

- It knows no terminal and no environment: what runs a command line and what says a line are given to it.
- The key travels in the environment of a command, never in its arguments.
- Every step states the exit status that it expects; another one ends the demo with that status.
"""

import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from textwrap import wrap

from agentaudit.demo.scenario import demo_world
from agentaudit.demo.server import LoopbackServer
from agentaudit.demo.store import demo_store
from agentaudit.demo.world import World

Run = Callable[[tuple[str, ...], str], int]
"""Runs one command line, the program's name left out, with this key in its environment; its exit status."""

Say = Callable[[str], None]

INCOMPLETE = 3
LINE_WIDTH = 76
FAST = ("--requests-per-minute", "60000")
PLENTY = 1_000_000

_CHECKERS = (("sha256sum", "--strict", "--quiet", "--check"), ("shasum", "-a", "256", "--quiet", "--check"))


@dataclass(frozen=True, slots=True)
class Step:
    """One command of the demo: why it is typed, what is typed, the status it answers with, what that means."""

    why: str
    argv: tuple[str, ...]
    status: int = 0
    after: str = ""


def run_demo(folder: Path, run: Run, say: Say) -> int:
    """Play the whole job in an empty folder; 0 when every step answered as it should."""
    world = demo_world(lambda: datetime.now(UTC))
    # The demo is no place to wait for a minute's budget; the one planned rate limit stays.
    world.set_budget(shared=PLENTY, remote=PLENTY)
    case, store = folder / "case", demo_store(folder / "home" / ".claude")
    _tell(
        "A synthetic organisation answers on a port of this machine, as the Compliance API documents it, and a "
        "synthetic local store lies in a folder, as Claude Code leaves one behind. "
        "The commands below are the ones that you would type. Nothing leaves this machine.",
        say,
    )
    number = 0
    with LoopbackServer(world) as server:
        for number, step in enumerate(_steps(case, server.url, store), 1):
            status = _play(number, step, world, run, say)
            if status != step.status:
                say(f"the demo expected exit status {step.status} here, and got {status}")
                return status or 1
    _check_with_stock_tools(case / "EX-0002", number + 1, say)
    _farewell(case, say)
    return 0


def _steps(case: Path, url: str, store: Path) -> Iterator[Step]:
    yield from _collecting(case, url)
    yield from _preserving(case, store)
    yield Step(
        "Collect the chats, with the files, artifacts and projects that they name, and the list of code artifacts; "
        "bytes are held against the digests that the source gives.",
        ("collect-chats", str(case), "--with-files", "--with-artifacts", "--with-code-artifacts",
         "--with-projects", "named", "--api-root", url, *FAST),
    )  # fmt: skip
    yield Step(
        "Check the case: every byte, every page of every walk, every row; rebuild the readings, and read the "
        "preserved transcripts again for the facts that are stated of them.",
        ("verify", str(case)),
    )


def _collecting(case: Path, url: str) -> Iterator[Step]:
    where = str(case)
    yield Step(
        "Open a case: a folder with its facts and its custody log.",
        ("open", where, "--number", "DEMO-1", "--title", "A customer list leaves the house",
         "--examiner", "E. Examiner", "--authority", "Demonstration, no authority needed"),
    )  # fmt: skip
    yield Step(
        "List the sessions of users' machines and of the vendor's cloud: metadata only, no transcript.",
        ("collect-sessions", where, "--list-only", "--family", "both", "--api-root", url, *FAST),
    )
    yield Step(
        "Review the list, with names, before anybody's transcript is asked for.",
        ("show", str(case / "EX-0001"), "--show-names"),
    )
    yield Step(
        "Collect the transcripts of the reviewed sessions of users' machines into a second exhibit.",
        ("collect-sessions", where, "--from", "EX-0001", "--family", "local", "--api-root", url, *FAST),
        INCOMPLETE,
        "It answers with exit status 3: the exhibit is sealed, and one page of one session could not be read. "
        "The source refuses it, so asking again would not help; the gap is listed, and the other pages are here.",
    )
    yield Step(
        "Collect the sessions that ran in the vendor's cloud. They have no call of their own for one session's "
        "metadata, so they are listed again in the same exhibit.",
        ("collect-sessions", where, "--family", "remote", "--api-root", url, *FAST),
        0,
        "It answers with 0: what is not here is what the source says that it does not give.",
    )
    yield Step("See what the second exhibit holds, without content.", ("show", str(case / "EX-0002")))


def _preserving(case: Path, store: Path) -> Iterator[Step]:
    local = ("preserve-local-bundle", str(case), "--root", str(store))
    yield Step(
        "Survey the local store: sessions, sizes, what would stay out and why. Names are labels; nothing is copied.",
        (*local, "--dry-run"),
    )
    yield Step(
        "Preserve every session of it: bytes, times and metadata, each file hashed and its lines checked in one read.",
        (*local, "--all"),
        0,
        "It answers with 0. Broken lines are kept as they are and counted by kind; what transcripts name and the "
        "store no longer has is listed; the credentials were never read.",
    )
    yield Step("See what was preserved, without content.", ("show", str(case / "EX-0004")))


def _play(number: int, step: Step, world: World, run: Run, say: Say) -> int:
    say("")
    _tell(f"{number}. {step.why}", say)
    say("")
    for line in typed(("agentaudit", *step.argv)):
        say(line)
    say("")
    status = run(step.argv, world.key())
    if step.after and status == step.status:
        say("")
        _tell(step.after, say)
    return status


def _tell(text: str, say: Say) -> None:
    for line in wrap(text, LINE_WIDTH, subsequent_indent="   " if text[:1].isdigit() else ""):
        say(line)


def typed(words: tuple[str, ...]) -> Iterator[str]:
    """A command as it is typed after a prompt, continued with backslashes where a line grows long."""
    line = "$"
    for part in _parts(words):
        if len(line) + len(part) + 1 > LINE_WIDTH and line.strip() not in ("", "$"):
            yield f"{line} \\"
            line = "   "
        line = f"{line} {part}"
    yield line


def _parts(words: tuple[str, ...]) -> Iterator[str]:
    """The words, quoted for a shell; an option keeps its value beside it."""
    option = ""
    for word in words:
        if option and word.startswith("--"):
            yield option
            option = ""
        if word.startswith("--"):
            option = word
        else:
            yield f"{option} {shlex.quote(word)}".lstrip()
            option = ""
    if option:
        yield option


def _check_with_stock_tools(exhibit: Path, number: int, say: Say) -> None:
    """The same check without this program, where the system has the tool for it."""
    say("")
    _tell(f"{number}. Check the second exhibit with a stock tool, without this program. No output: all agree.", say)
    say("")
    checker = next((words for words in _CHECKERS if shutil.which(words[0])), None)
    if checker is None:
        say("this system has neither sha256sum nor shasum; agentaudit/VERIFY.txt in the exhibit says how")
        return
    say(f"$ cd {shlex.quote(str(exhibit))}")
    for manifest in ("tagmanifest-sha256.txt", "manifest-sha256.txt"):
        say(f"$ {shlex.join((*checker, manifest))}")
        program = shutil.which(checker[0]) or checker[0]
        done = subprocess.run(  # noqa: S603 - a stock tool by its full path, with our own words
            (program, *checker[1:], manifest), cwd=exhibit, capture_output=True, text=True, check=False
        )
        for line in (done.stdout + done.stderr).splitlines():
            say(line)
        say(f"  exit status {done.returncode}")


def _farewell(case: Path, say: Say) -> None:
    exhibit = case / "EX-0002"
    rows = (
        (case / "custody.jsonl", "who did what to the case, as a chain of hashes"),
        (exhibit / "data", "the answers, byte for byte as they travelled"),
        (exhibit / "agentaudit" / "journal.jsonl", "every request, with its cursor, limits and answer"),
        (exhibit / "agentaudit" / "sessions.jsonl", "each session: what the source says of it, and its outcome"),
        (exhibit / "agentaudit" / "records.jsonl", "each message without its content, and the way to its bytes"),
        (exhibit / "agentaudit" / "truncations.jsonl", "what is shortened, by whom, and how we know"),
        (exhibit / "agentaudit" / "gaps.jsonl", "what is known not to be here, and why"),
        (case / "EX-0004" / "data", "the files of the store, byte for byte, under neutral names"),
        (case / "EX-0004" / "agentaudit" / "entries.jsonl", "every entry of the store, with its rule"),
        (case / "EX-0005" / "agentaudit" / "streams.jsonl", "each chat, project and file, and whether it is proved"),
        (exhibit / "agentaudit" / "VERIFY.txt", "how to check it all without this program"),
    )
    say("")
    say("What to look at next")
    for path, what in rows:
        say(f"  {path}")
        say(f"      {what}")
    say("")
    _tell(
        "Everything here is synthetic. `agentaudit collect-sessions --help` and "
        "`agentaudit preserve-local-bundle --help` say how to begin for real.",
        say,
    )
