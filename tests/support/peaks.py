"""How much memory the installed command needs at most, in a process of its own."""

import subprocess
import sys

UNIT = 1 if sys.platform == "darwin" else 1024

# A process's peak counts the pages of whoever forked it: a small one stands between.
BETWEEN = """
import os, subprocess, sys
code = "from agentaudit.cli.main import entry; entry()"
child = subprocess.Popen([sys.executable, "-c", code, *sys.argv[1:]], stdout=subprocess.DEVNULL)
_, word, usage = os.wait4(child.pid, 0)
child.returncode = os.waitstatus_to_exitcode(word)
print(child.returncode, usage.ru_maxrss)
"""


def peak_of(*argv: str) -> tuple[int, int]:
    """The status of the installed command in a process of its own, and its peak memory in bytes."""
    told = subprocess.run([sys.executable, "-S", "-c", BETWEEN, *argv], capture_output=True, check=True, text=True)
    status, peak = map(int, told.stdout.split())
    return status, peak * UNIT
