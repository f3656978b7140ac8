"""A collection in a process of its own, so that a test can kill it: `python -m tests.support.child CASE URL`."""

import os
import sys
from pathlib import Path

from agentaudit.acquire.collect import collect
from agentaudit.acquire.progress import Silent
from agentaudit.acquire.request import Collect, Reach
from agentaudit.model.actors import Said
from agentaudit.model.limits import ByteLimits
from agentaudit.model.selection import SessionSelection
from agentaudit.sources.compliance.keys import Key
from tests.support.around import surroundings
from tests.support.collecting import LIMITS

if __name__ == "__main__":
    secret = Key(os.environ["AGENTAUDIT_TEST_KEY"])
    collect(
        Collect(
            case=Path(sys.argv[1]),
            selection=SessionSelection(families=("local", "remote")),
            limits=ByteLimits(),
            read_limits=LIMITS,
            reach=Reach(api_root=sys.argv[2], key=secret, requests_per_minute=600_000, connections=4),
            said=Said(),
            argv=("agentaudit", "collect-sessions"),
        ),
        surroundings(),
        Silent(),
    )
