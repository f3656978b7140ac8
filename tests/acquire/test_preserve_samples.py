"""Genuine stores of released agents, where they are at hand: the facts that their description states."""

import json
import shutil
from pathlib import Path

import pytest

from agentaudit.format import layout
from tests.support.storing import dict_of, entries, gaps, is_intact, is_kept, list_of, rows, sessions, storing

SAMPLES = Path(__file__).parents[3] / "shared" / "samples" / "claude-code-2.1.332"

pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the samples are not here")


@pytest.mark.parametrize("sample", ["default-gates", "all-gates"])
def test_a_store_that_the_released_agent_left(tmp_path: Path, sample: str) -> None:
    """Every line is one object; one subagent; one spilled result of 108,894 bytes, named in a subagent's transcript."""
    root = tmp_path / "home" / ".claude"
    shutil.copytree(SAMPLES / sample / "claude-home" / ".claude", root, symlinks=True)
    job = storing(tmp_path, root)
    result = job.preserve()
    assert is_intact(job.sealed)
    assert result.preserved is not None
    assert result.preserved.framing == ()
    (session,) = [one for one in sessions(job.sealed) if dict_of(one["bundle"])["transcript"] == "present"]
    assert session["framing"] == []
    assert '[["2.1.332", ' in json.dumps(session["versions"])
    roles = {str(row["role"]) for row in list_of(dict_of(session["bundle"])["roles"])}
    assert {"transcript", "subagent", "subagent_sidecar"} <= roles
    spilled = [row for row in rows(job.sealed, layout.ITEMS) if dict_of(row["facts"])["role"] == "tool_result"]
    if sample == "default-gates":
        assert [row["bytes"] for row in spilled] == [108_894]
    assert "spilled_result_absent" not in gaps(job.sealed)
    assert "subagent_absent" not in gaps(job.sealed)
    assert not any(is_kept(job.sealed, name[3:]) for name in entries(job.sealed) if "credentials" in name)
    assert json.loads((job.sealed / layout.PACKAGE).read_bytes())["endpoint_class"] == "store"
