"""How long the program takes to say anything: `agentaudit --help`, and a command that ends at once.

The command is `agentaudit verify` on a path that is not there: every import of a real command, no work. The
reference is an empty Python, `python -c pass`, in the same rounds. The limits are 150 ms and 200 ms on a machine whose
empty Python takes up to 22 ms; on a slower one they grow with it. Byte code is compiled, as after an installation.
"""

import sys
from functools import partial
from pathlib import Path

from benchmarks.collecting import PROGRAM
from benchmarks.measure import Run, middle, ratios, run, take_turns
from benchmarks.report import Limit, Line, Report

NAME = "start"
EMPTY_MS = 22
HELP_MS = 150
COMMAND_MS = 200
NOT_A_PACKAGE = 8


def measure(folder: Path, *, quick: bool) -> Report:
    """The three in turns."""
    turns = {
        "empty": partial(run, (sys.executable, "-c", "pass")),
        "help": partial(run, (PROGRAM, "--help")),
        "command": partial(run, (PROGRAM, "verify", folder / "missing"), accept=(NOT_A_PACKAGE,)),
    }
    taken = take_turns(turns, 5 if quick else 15, warm=2)
    empty, told, command = (_walls(taken[name]) for name in ("empty", "help", "command"))
    slower = max(1.0, 1000 * middle(empty) / EMPTY_MS)
    return Report(
        NAME,
        (
            Line("python -c pass", _ms(empty), "ms"),
            Line("agentaudit --help", _ms(told), "ms", Limit("<=", HELP_MS * slower)),
            Line("agentaudit verify MISSING", _ms(command), "ms", Limit("<=", COMMAND_MS * slower)),
            Line("--help over an empty Python", ratios(told, empty)),
            Line("a command over an empty Python", ratios(command, empty)),
        ),
    )


def _walls(taken: tuple[Run, ...]) -> tuple[float, ...]:
    return tuple(one.wall_s for one in taken)


def _ms(walls: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(1000 * wall for wall in walls)
