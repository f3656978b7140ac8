"""Memory stays flat: long lists and long sessions are sealed and verified in a process of their own."""

import subprocess
import sys
from pathlib import Path

import pytest

MIB_MAX = 150

_PROGRAM = """
import re, sys
from pathlib import Path
from agentaudit.package.seal import seal_exhibit
from agentaudit.verify import verify_exhibit
from tests.golden import LIMITS, LIST, ScriptReader, begin_script, golden_case, page
from tests.support.around import hand
from tests.support.clock import StillClock

walk, pages, entries, message = sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5] == "message"
clock = StillClock(steps_ms=1)
case = golden_case(Path(sys.argv[1]) / "case")
script = begin_script(case, clock)
limits = LIMITS if message else None
script.begin(walk, limits)
for number in range(1, pages + 1):
    first = (number - 1) * entries
    rows = [{"id": f"x{first + at:06d}", **({"role": "user"} if message else {})} for at in range(entries)]
    following = None if number == pages else f"c{number}"
    cursor = f"c{number - 1}" if number > 1 else None
    script.answer(walk, number, page(rows, following), cursor=cursor, limits=limits)
    if script.exhibit.is_full:
        script.exhibit.settle()
script.end(walk, pages, pages * entries)
sealed = seal_exhibit(script.exhibit, case, hand(clock.now), ScriptReader())
verdict = verify_exhibit(sealed.path, readers=(ScriptReader(),))
# The peak of this program alone: ru_maxrss would be that of the process it was forked from.
peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())
print(verdict.integrity, int(peak.group(1)) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    ("walk", "pages", "entries", "what"),
    [("script/list", 200, 500, "session"), ("script/s000001", 1000, 100, "message")],
)
def test_a_hundred_thousand_rows_stay_below_the_budget(
    walk: str, pages: int, entries: int, what: str, tmp_path: Path
) -> None:
    """100,000 sessions in a list, or messages in a session: sealed, verified, and never held."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(tmp_path), walk, str(pages), str(entries), what],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    integrity, peak = done.stdout.split()
    assert integrity == "intact"
    assert int(peak) < MIB_MAX
