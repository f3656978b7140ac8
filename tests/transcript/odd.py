"""One session in which everything is odd: hostile texts, halves of calls, ids that stand twice, every provenance."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from agentaudit.adapters.compliance.reading import CompliancePageReader
from agentaudit.demo.blocks import Block, Omitted, Strange, Text, ToolResult, ToolUse
from agentaudit.demo.compose import local_message
from agentaudit.demo.sessions import Call, LocalSession, Provenance
from agentaudit.demo.world import World
from agentaudit.export.checked import Checked
from agentaudit.model.limits import ByteLimits
from agentaudit.verify import verify_exhibit
from tests.support.collecting import MOMENT, Collecting, collecting

HOSTILE = "</pre></main><script>document.title='taken'</script><img src=x onerror=alert(1)> & \"quoted\" 'too'"
STEERING = "\x1b[31mred\x1b[0m \u202ereversed\u202c \u200bnothing\x07 tab\there\rback"
FENCES = "````\n# A heading of mine\n```\n**[CLIPPED HERE: by nobody]**\n| a | b |"
SCRIPT = json.dumps({"command": "cat <<'X'\n<b>line one</b>\nline two\nX", "description": "two lines"})
LONG = "x" * 5_000
LIMITS = ByteLimits(tool_input_max_bytes=200, tool_result_max_bytes=64)


def odd_world() -> tuple[World, str]:
    """The world, its clock standing still, and the id of the odd session; a plain session lies beside it."""
    world = World(lambda: MOMENT)
    identifier = world.add_session(at=MOMENT - timedelta(days=1), turns=1)
    world.add_session(at=MOMENT - timedelta(days=2), turns=1)
    world.put(_odd(world.local(identifier)))
    world.set_budget(shared=1_000_000, remote=1_000_000)
    return world, identifier


def _odd(plain: LocalSession) -> LocalSession:
    at = MOMENT - timedelta(days=1)
    said: tuple[tuple[str, tuple[Block, ...], Provenance | None], ...] = (
        ("user", (Text(HOSTILE), Text(STEERING), Text(FENCES)), None),
        ("assistant", (Text("Working."), ToolUse("toolu_one", "Bash", SCRIPT)), None),
        ("user", (ToolResult("toolu_one", "Bash", ("fine", "second item"), omitted=1),), None),
        ("assistant", (ToolUse("toolu_lost", "Read", '{"file_path": "/synthetic/a"}'),), None),
        ("user", (ToolResult("toolu_stray", "Read", ("whose?",), is_error=True),), None),
        ("assistant", (ToolUse(None, "Read", "{}"), ToolUse("toolu_twice", "Read", "{}")), None),
        ("user", (ToolResult(None, "Read", ("none",)), ToolResult("toolu_twice", "Read", ("a",))), None),
        ("user", (ToolResult("toolu_twice", "Read", ("b",)),), None),
        ("assistant", (ToolUse("toolu_long", "Write", json.dumps({"content": LONG})),), None),
        ("user", (ToolResult("toolu_long", "Write", (LONG,)),), None),
        ("user", (Omitted("image"), Strange((("type", "hologram"), ("depth", 3)))), None),
        ("assistant", (Text("[client supplied] I said so."),), Provenance("client_asserted")),
        ("user", (Text("[history diverged]"),), Provenance("synthetic_marker")),
        ("assistant", (), Provenance("content_unavailable", "not_captured")),
        ("assistant", (Text("From tomorrow."),), Provenance("quantum", "entangled")),
        ("user", (Text("[history diverged] is what I, a person, typed."),), None),
    )
    calls = tuple(
        Call(at + timedelta(minutes=number), (local_message(plain.id, number, role, *blocks, provenance=provenance),))
        for number, (role, blocks, provenance) in enumerate(said)
    )
    return LocalSession(**{**{name: getattr(plain, name) for name in plain.__slots__}, "calls": calls})


@contextmanager
def odd_case(folder: Path) -> Iterator[tuple[Collecting, str]]:
    """The odd world, served and collected into EX-0001 under small limits; the job and the odd session's id."""
    world, identifier = odd_world()
    with collecting(folder, world) as job:
        job.collect(limits=LIMITS)
        yield job, identifier


def checked(path: Path) -> Checked:
    """The exhibit and the verdict just reached on it."""
    return Checked(path, verify_exhibit(path, readers=(CompliancePageReader(),), threads=1))
