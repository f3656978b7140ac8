"""Synthetic Codex homes: rollouts, databases whose content lies in the `-wal`, secrets; and how they are preserved."""

import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable
from pathlib import Path

import zstandard

from agentaudit.model.local import true_name
from agentaudit.model.selection import BundleSelection
from tests.support.storing import Rows, Storing, storing

A = "01a2298b-c9f5-7e01-a8cd-5a9b03b68d0b"
B = "5973b6c0-94b8-487b-a530-2aeb6098ae0e"
C = "0c3a7ab1-1111-4222-8333-444455556666"
CANARY = "-".join(("canary", "of", "a", "home"))
SECRET = "-".join(("secret", "of", "a", "home"))

_STATE = (
    "CREATE TABLE threads (id TEXT PRIMARY KEY, rollout_path TEXT, title TEXT, archived INTEGER)",
    "CREATE TABLE thread_spawn_edges (parent_thread_id TEXT, child_thread_id TEXT)",
)
_HISTORY = (
    (
        "CREATE TABLE thread_history_projection_state"
        " (thread_id TEXT, next_rollout_byte_offset INTEGER, next_rollout_ordinal INTEGER)"
    ),
    "CREATE TABLE thread_turns (thread_id TEXT, rollout_end_byte_offset INTEGER, rollout_end_ordinal INTEGER)",
)


class Home:
    """A home that a test writes."""

    def __init__(self, root: Path) -> None:
        """An empty home."""
        self.root = root
        root.mkdir(parents=True)

    def put(self, name: str, octets: bytes) -> Path:
        """Write a file."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(octets)
        return path

    def rollout(
        self, thread: str = A, octets: bytes | None = None, *, packed: bool = False, archived: bool = False
    ) -> str:
        """Write the rollout of a thread; its name."""
        name = path_of(thread, packed=packed, archived=archived)
        text = lines(thread) if octets is None else octets
        self.put(name, zstandard.ZstdCompressor().compress(text) if packed else text)
        return name

    def database(self, name: str, statements: Iterable[str], rows: Iterable[tuple[str, tuple[object, ...]]]) -> None:
        """Write a database and its `-wal` and `-shm`, with everything in the `-wal` as a living one has it."""
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / name
            connection = sqlite3.connect(place)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA wal_autocheckpoint=0")
            for statement in statements:
                connection.execute(statement)
            for statement, values in rows:
                connection.execute(statement, values)
            connection.commit()
            for end in ("", "-wal", "-shm"):
                shutil.copyfile(f"{place}{end}", self.root / f"{name}{end}")
            connection.close()

    def state(self, *threads: tuple[str, str], edges: tuple[tuple[str, str], ...] = ()) -> None:
        """The state database: threads with the path of their rollout, and who spawned whom."""
        rows: list[tuple[str, tuple[object, ...]]] = [
            ("INSERT INTO threads VALUES (?, ?, ?, 0)", (thread, f"/somewhere/.codex/{path}", CANARY))
            for thread, path in threads
        ]
        rows += [("INSERT INTO thread_spawn_edges VALUES (?, ?)", edge) for edge in edges]
        self.database("state_5.sqlite", _STATE, rows)

    def projection(self, *threads: tuple[str, int, int]) -> None:
        """The projection: thread, next byte offset, next ordinal."""
        sentence = "INSERT INTO thread_history_projection_state VALUES (?, ?, ?)"
        self.database("thread_history_1.sqlite", _HISTORY, [(sentence, one) for one in threads])


def path_of(thread: str = A, *, packed: bool = False, archived: bool = False) -> str:
    """The path of a rollout."""
    folder = "archived_sessions" if archived else "sessions/2026/11/29"
    return f"{folder}/rollout-2026-11-29T23-02-36-{thread}.jsonl{'.zst' if packed else ''}"


def line(ordinal: int, kind: str, payload: dict[str, object]) -> bytes:
    """One record."""
    row = {"timestamp": "2026-11-29T23:02:36.810Z", "type": kind, "ordinal": ordinal, "payload": payload}
    return json.dumps(row).encode() + b"\n"


def lines(thread: str = A, count: int = 5, *, cwd: str = "/w/project", **head: object) -> bytes:
    """A rollout: its head, then messages; ordinals count from 0."""
    meta: dict[str, object] = {"id": thread, "cwd": cwd, "cli_version": "0.171.0", "source": "exec", **head}
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": CANARY}]}
    return line(0, "session_meta", meta) + b"".join(line(n, "response_item", dict(said)) for n in range(1, count))


def homing(folder: Path, *roots: Path) -> Storing:
    """A new case for these homes."""
    return storing(folder, *roots)


def asked(
    *roots: Path, sessions: tuple[str, ...] = (), projects: tuple[str, ...] = (), included: tuple[str, ...] = ()
) -> BundleSelection:
    """Everything in these homes, unless sessions or projects are named."""
    return BundleSelection(
        agent="codex",
        roots=tuple(true_name(os.fsencode(root)) for root in roots),
        sessions=sessions,
        projects=projects,
        everything=not sessions and not projects,
        included=included,
    )


def found_in(exhibit: Path, word: str) -> list[str]:
    """The files of an exhibit in which a word stands."""
    octets = word.encode()
    return sorted(
        path.relative_to(exhibit).as_posix()
        for path in exhibit.rglob("*")
        if path.is_file() and octets in path.read_bytes()
    )


def only(rows: Rows) -> dict[str, object]:
    """The one row."""
    (row,) = rows
    return row
