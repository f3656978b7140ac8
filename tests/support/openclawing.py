"""A stand-in for the Gateway's command: an executable in a test's own folder, with the documented forms and faults.

- It reads what it is to say from a file beside it, and writes down how it was called.
- What is collected of it conforms to the documented contract; the product is not run.
"""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from agentaudit.encoding.foreign import Json
from tests.support.gatewaying import Event, explanation, failure, usual
from tests.support.scripts import first_line

_SCRIPT = """{first}import json, os, sys, time
from pathlib import Path
here = Path(__file__).parent
world = json.loads((here / "world.json").read_text())
words = sys.argv[1:]
with (here / "calls.jsonl").open("a") as log:
    log.write(json.dumps({{"words": words, "environ": dict(os.environ), "cwd": os.getcwd()}}) + "\\n")
number = sum(1 for _ in (here / "calls.jsonl").open())
if words == ["--version"]:
    sys.stdout.write(world["version"])
    sys.exit(world["version_status"])
options = dict(word.lstrip("-").split("=", 1) for word in words if "=" in word)
fault = world["faults"].get(str(number))
if fault is not None:
    sys.stdout.write(fault.get("out", ""))
    sys.stderr.write(fault.get("err", ""))
    sys.stdout.flush()
    while fault.get("flood"):
        sys.stdout.write("x" * 65536)
    time.sleep(fault.get("sleep", 0))
    sys.exit(fault.get("status", 1))
def fail(text):
    sys.stdout.write(json.dumps({{"ok": False, "error": {{"type": "cli_error", "message": text}}}}))
    sys.exit(1)
cursor = options.get("cursor")
if cursor in world["retired"]:
    fail("This cursor is no longer retained.")
if "--explain" in words:
    subject = options.get("run") or options.get("execution")
    found = world["explanations"].get(subject + ("" if cursor is None else "@" + cursor))
    if found is None:
        fail("Nothing is known of it.")
    sys.stdout.write(json.dumps(found))
    sys.exit(0)
if "kind" in options and not world["newer"]:
    fail("Unknown kind.")
kind = options.get("kind")
events = [one for one in world["events"] if (one["kind"] == "skill_selection") == (kind is not None)]
events.sort(key=lambda one: -one["sequence"])
left = [one for one in events if cursor is None or one["sequence"] < int(cursor.partition(":")[2] or cursor)]
most = min(int(options["limit"]), world["most"])
page = {{"events": left[:most]}}
if len(left) > most:
    page["nextCursor"] = world["cursor"] or str(left[most - 1]["sequence"])
sys.stdout.write(json.dumps(page))
"""


@dataclass
class StandIn:
    """One command in a folder; change it, then `write` it. `faults` are by the number of the call, the version's 1."""

    folder: Path
    events: tuple[Event, ...] = field(default_factory=usual)
    most: int = 2
    newer: bool = True
    version: str = "openclaw 2026.9.6\n"
    version_status: int = 0
    cursor: str = ""
    retired: tuple[str, ...] = ()
    explanations: dict[str, dict[str, object]] = field(default_factory=lambda: {"run-1": explanation()})
    faults: dict[int, dict[str, Json]] = field(default_factory=dict)

    @property
    def place(self) -> Path:
        """The executable."""
        return self.folder / "openclaw"

    def write(self) -> Path:
        """Lay it out; its place."""
        self.folder.mkdir(exist_ok=True)
        world = {
            "events": self.events, "most": self.most, "newer": self.newer, "version": self.version,
            "version_status": self.version_status, "cursor": self.cursor, "retired": self.retired,
            "explanations": self.explanations, "faults": self.faults,
        }  # fmt: skip
        (self.folder / "world.json").write_text(json.dumps(world))
        self.place.write_text(_SCRIPT.format(first=first_line(self.folder)))
        self.place.chmod(0o700)
        return self.place

    def calls(self) -> list[list[str]]:
        """The words of each call."""
        return [list(call["words"]) for call in self._log()]

    def environs(self) -> list[dict[str, str]]:
        """The environment of each call."""
        return [dict(call["environ"]) for call in self._log()]

    def path(self) -> dict[str, str]:
        """An environment in which it is found by its name."""
        return {"PATH": f"{self.folder}{os.pathsep}{os.environ['PATH']}"}

    def _log(self) -> list[dict[str, dict[str, str]]]:
        lines = (self.folder / "calls.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]


def dead() -> dict[str, Json]:
    """A call that finds no Gateway."""
    return {"out": failure().decode(), "status": 1}
