"""A store on a read-only mount: surveyed and read as any other, and its mount says so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sources.local.places import put

_CHILD = """
import os, sys
from pathlib import Path
from agentaudit.sources.local.roots import Surrounding, find_roots
from tests.sources.local.places import read, surveyed
root = Path(sys.argv[1])
around = Surrounding(None, None, os.geteuid(), Path("/proc/self/mountinfo").read_bytes)
facts = find_roots([os.fsencode(root)], around).chosen[0].facts
result, octets = read(root, surveyed(root)[1])
print(facts.read_only, facts.access_times_kept, result.change, octets.decode())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux") or os.geteuid() != 0, reason="only root may mount")
def test_a_read_only_mount_is_read_and_said(tmp_path: Path) -> None:
    """Nothing has to be written in a store to preserve it."""
    put(tmp_path, "p/x", b"evidence")
    mounted = f'mount --bind "{tmp_path}" "{tmp_path}" && mount -o remount,bind,ro "{tmp_path}"'
    ready = subprocess.run(["unshare", "-m", "sh", "-c", mounted], check=False, capture_output=True)
    if ready.returncode != 0:
        pytest.skip("this system gives no mount of one's own")
    work = ["unshare", "-m", "sh", "-c", f'{mounted} && exec "$0" -c "$1" "$2"', sys.executable, _CHILD, str(tmp_path)]
    done = subprocess.run(work, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["True", "True", "none", "evidence"]
