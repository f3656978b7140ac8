"""A preservation in processes of its own, so that a test can kill it: `python -m tests.support.preserving_child ...`.

Arguments: case, root, number of workers. However small the store, the workers are started.
"""

import os
import sys
from pathlib import Path

from agentaudit.acquire import hands
from agentaudit.acquire.bundle import preserve_bundle
from agentaudit.acquire.progress import Silent
from agentaudit.acquire.request import PreserveBundle
from agentaudit.model.actors import Said
from agentaudit.model.local import true_name
from agentaudit.model.selection import BundleSelection
from tests.support.around import surroundings
from tests.support.storing import surrounding

if __name__ == "__main__":
    hands.ALONE_BYTES = 0
    asked = BundleSelection(agent="claude-code", roots=(true_name(os.fsencode(sys.argv[2])),), everything=True)
    preserve_bundle(
        PreserveBundle(Path(sys.argv[1]), asked, surrounding(), Said(), ("agentaudit",), int(sys.argv[3])),
        surroundings(),
        Silent(),
    )
