"""A synthetic local session store: what releases leave behind, with the usual damage, made anew for each use.

Laws:
    - Everything is invented, and the same on every run but for file times.
    - The store says of itself that it is a demonstration, so that an exhibit of it never looks real.
    - Nothing in it is a secret; what stands where secrets stand is a word that says so.
"""

from __future__ import annotations

import json
import os
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

MARKER = "agentaudit-demonstration"
_BEGIN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_SPACE = uuid.UUID(int=0x5EED)


def session_id(name: str) -> str:
    """A session id of the usual form, the same for the same name."""
    return str(uuid.uuid5(_SPACE, name))


@dataclass(frozen=True)
class Talk:
    """A conversation as its records: `turns` questions with a tool call, its result and an answer each."""

    session: str
    cwd: str = "/w/harbour"
    version: str = "2.1.332"
    turns: int = 2
    mark: str = ""
    agent: str | None = None
    spilled: str | None = None
    subagent: str | None = None

    def records(self) -> list[dict[str, object]]:
        """Each record, in file order."""
        rows: list[dict[str, object]] = []
        for turn in range(self.turns):
            call = f"toolu_{self.session[:8]}{turn:04d}"
            rows += [
                self._row(turn, 0, "user", {"role": "user", "content": f"{self.mark}What is in the ledger?"}),
                self._row(turn, 1, "assistant", _uses(call, self.mark)),
                self._result(turn, call),
                self._row(turn, 3, "assistant", _says(f"{self.mark}It is balanced.")),
            ]
        return rows

    def _row(self, turn: int, step: int, kind: str, message: dict[str, object]) -> dict[str, object]:
        number = turn * 4 + step
        row: dict[str, object] = {
            "parentUuid": None if number == 0 else self._uuid(number - 1),
            "isSidechain": self.agent is not None,
            "userType": "external",
            "cwd": f"{self.cwd}{self.mark}",
            "sessionId": self.session,
            "version": self.version,
            "gitBranch": "main",
            "type": kind,
            "message": message,
            "uuid": self._uuid(number),
            "timestamp": f"{(_BEGIN + timedelta(minutes=turn, seconds=step)).isoformat()[:19]}.000Z",
        }
        if self.agent is not None:
            row["agentId"] = self.agent
        return row

    def _result(self, turn: int, call: str) -> dict[str, object]:
        content = [{"type": "tool_result", "tool_use_id": call, "content": f"{self.mark}42 lines", "is_error": False}]
        row = self._row(turn, 2, "user", {"role": "user", "content": content})
        result: dict[str, object] = {"stdout": f"{self.mark}42 lines", "stderr": ""}
        if turn == 0 and self.spilled is not None:
            path = f"/home/u/.claude/projects/-w-harbour/{self.session}/tool-results/{self.spilled}"
            result |= {"persistedOutputPath": path, "persistedOutputSize": 120_000}
        if turn == 0 and self.subagent is not None:
            result["agentId"] = self.subagent
        row["toolUseResult"] = result
        return row

    def _uuid(self, number: int) -> str:
        return str(uuid.uuid5(_SPACE, f"{self.session} {self.agent} {number}"))


def _uses(call: str, mark: str) -> dict[str, object]:
    block = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": f"wc -l ledger.csv {mark}".strip()}}
    return {"role": "assistant", "model": "synthetic-model", "content": [block], "stop_reason": "tool_use"}


def _says(text: str) -> dict[str, object]:
    block = {"type": "text", "text": text}
    return {"role": "assistant", "model": "synthetic-model", "content": [block], "stop_reason": "end_turn"}


def lines(records: list[dict[str, object]]) -> bytes:
    """Records as the product writes them: one object a line, non-ASCII raw, LF after each."""
    return b"".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for row in records)


class StoreBuilder:
    """Writes a store below a new folder."""

    def __init__(self, root: Path, *, marked: bool = True) -> None:
        """Make the root, and say that it is a demonstration, unless a test wants an ordinary one."""
        self.root = root
        root.mkdir(parents=True, mode=0o700)
        if marked:
            self.put(MARKER, b"Made by agentaudit for its demonstration. Nothing here is real.\n")

    def put(self, path: str, octets: bytes, *, days_ago: float | None = None) -> Path:
        """Write a file below the root, its folders too; `days_ago` sets its times."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        place.write_bytes(octets)
        place.chmod(0o600)
        if days_ago is not None:
            moment = (datetime.now(UTC) - timedelta(days=days_ago)).timestamp()
            os.utime(place, (moment, moment))
        return place

    def transcript(self, project: str, talk: Talk, *, days_ago: float = 1) -> Path:
        """A session's transcript in a project folder."""
        return self.put(f"projects/{project}/{talk.session}.jsonl", lines(talk.records()), days_ago=days_ago)

    def subagent(self, project: str, talk: Talk, *, days_ago: float = 1) -> Path:
        """A subagent's transcript and its sidecar, below its session's folder."""
        stem = f"projects/{project}/{talk.session}/subagents/agent-{talk.agent}"
        self.put(f"{stem}.meta.json", b'{"agentType":"general-purpose","spawnDepth":1}', days_ago=days_ago)
        return self.put(f"{stem}.jsonl", lines(talk.records()), days_ago=days_ago)


def demo_store(root: Path) -> Path:
    """The store that the demo preserves: several sessions, a subagent, spilled results, and the usual damage."""
    store = StoreBuilder(root)
    first, second, third = (session_id(name) for name in ("first", "second", "third"))
    store.transcript("-w-harbour", Talk(first, spilled="b1f3.txt", subagent="a1b2c3"), days_ago=2)
    store.subagent("-w-harbour", Talk(first, agent="a1b2c3", turns=1), days_ago=2)
    store.put(f"projects/-w-harbour/{first}/tool-results/b1f3.txt", b"42 lines\n" * 200, days_ago=2)
    whole = lines(Talk(second, turns=3, version="2.1.239").records())
    rows = whole.splitlines(keepends=True)
    cut = rows[1][: len(rows[1]) * 6 // 10] + rows[2]
    damaged = b"".join((rows[0], cut, *rows[3:6], rows[6].rstrip(b"\n") + rows[7], b"\0" * 512 + b"\n", *rows[8:11]))
    store.put(f"projects/-w-harbour/{second}.jsonl", damaged + rows[11][:80], days_ago=12)
    store.transcript("-w-harbour-cargo", Talk(third, spilled="gone.txt", subagent="ffee00"), days_ago=20)
    store.put(f"projects/-w-lost/{session_id('husk')}/subagents/agent-0a0b.jsonl", b"", days_ago=40)
    store.put("history.jsonl", _history(first, second, session_id("removed")), days_ago=1)
    store.put("settings.json", b'{"cleanupPeriodDays":30,"env":{"CLAUDE_CODE_ENABLE_TELEMETRY":"1"}}')
    store.put(".credentials.json", b'{"note":"a real store holds tokens here"}')
    store.put(f"todos/{first}-agent-{first}.json", b"[]")
    (store.root / "projects" / "-w-linked").symlink_to("-w-harbour")
    return store.root


def _history(*sessions: str) -> bytes:
    rows: list[dict[str, object]] = [
        {"display": "What is in the ledger?", "timestamp": 1_772_442_000_000, "project": "/w/harbour", "sessionId": one}
        for one in sessions
    ]
    return lines(rows)
