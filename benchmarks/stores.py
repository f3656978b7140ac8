"""Synthetic local stores of a size: the shape of real ones (many lines of a kilobyte, a few of a hundred).

- Nothing of the product is imported: whoever measures has to stay small.
- The same numbers give the same bytes.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

_PIECE = 1024 * 1024
_WORDS = "the ledger of the harbour was balanced after a long look at every single line of it"


@dataclass(frozen=True, slots=True)
class StoreSpec:
    """How many sessions, subagents and spilled results, and about how many bytes each has."""

    sessions: int
    session_bytes: int
    subagents: int
    subagent_bytes: int
    spilled: int
    spilled_bytes: int

    @property
    def files(self) -> int:
        """How many files it has."""
        return self.sessions + self.subagents + self.spilled

    @property
    def bytes(self) -> int:
        """About how many bytes it has."""
        return (
            self.sessions * self.session_bytes
            + self.subagents * self.subagent_bytes
            + self.spilled * self.spilled_bytes
        )


def make_store(root: Path, spec: StoreSpec) -> None:
    """Write a store below a new folder."""
    chance = random.Random(7)  # noqa: S311 - bytes for a benchmark
    sessions = [str(UUID(int=chance.getrandbits(128), version=4)) for _ in range(spec.sessions)]
    for number, session in enumerate(sessions):
        _write(root / f"projects/-w-{number % 20}" / f"{session}.jsonl", spec.session_bytes, session, None)
    for number in range(spec.subagents):
        session = sessions[number % spec.sessions]
        folder = root / f"projects/-w-{number % spec.sessions % 20}" / session / "subagents"
        _write(folder / f"agent-{number:08x}.jsonl", spec.subagent_bytes, session, f"{number:08x}")
    for number in range(spec.spilled):
        session = sessions[number % spec.sessions]
        folder = root / f"projects/-w-{number % spec.sessions % 20}" / session / "tool-results"
        folder.mkdir(parents=True, exist_ok=True)
        text = f"{number} {_WORDS}\n".encode()
        (folder / f"{number:06d}.txt").write_bytes((text * (spec.spilled_bytes // len(text) + 1))[: spec.spilled_bytes])


def _write(path: Path, size: int, session: str, agent: str | None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as stream:
        piece, left = bytearray(), size
        for line in _lines(session, agent):
            piece += line
            left -= len(line)
            if len(piece) >= _PIECE or left <= 0:
                stream.write(piece)
                piece.clear()
            if left <= 0:
                return


def _lines(session: str, agent: str | None) -> Iterator[bytes]:
    """Records of about 1.1 KB; every two hundredth has a hundred."""
    number = 0
    while True:
        words = _WORDS * (1_200 if number % 200 == 199 else 8)
        record = {
            "parentUuid": None if number == 0 else f"{session[:23]}-{number - 1:012d}",
            "isSidechain": agent is not None,
            "userType": "external",
            "cwd": "/w/harbour",
            "sessionId": session,
            "version": "2.1.332",
            "gitBranch": "main",
            "type": "assistant" if number % 2 else "user",
            "message": {"role": "user", "content": [{"type": "text", "text": words}]},
            "uuid": f"{session[:23]}-{number:012d}",
            "timestamp": f"2026-03-02T{number // 3600 % 24:02d}:{number // 60 % 60:02d}:{number % 60:02d}.000Z",
        }
        if agent is not None:
            record["agentId"] = agent
        yield json.dumps(record, separators=(",", ":")).encode() + b"\n"
        number += 1
