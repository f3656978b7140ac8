"""`python -m tests.spec.golden_fixture`: collect the small synthetic world into fixtures/good, anew.

- Run it only when the format changes before its first release; afterwards each released format keeps its package.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from tests.support.around import surroundings
from tests.support.clock import StillClock
from tests.support.collecting import collecting, small_world

GOOD = Path(__file__).parents[2] / "fixtures" / "good"
NAME = "compliance-format-1"


def main() -> int:
    """Make the package; its seal is printed and kept beside it, as in somebody's notes."""
    clock = StillClock(steps_ms=1)
    with tempfile.TemporaryDirectory() as folder, collecting(Path(folder), small_world()) as job:
        sealed = job.collect(around=surroundings(now=clock.now))
        place = GOOD / NAME
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(sealed.path, place, copy_function=shutil.copyfile)
        (GOOD / f"{NAME}.seal").write_text(sealed.seal + "\n", encoding="ascii")
        sys.stdout.write(f"{sealed.seal}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
