"""Reading copies, load files and extracts of a preserved Codex home, end to end, with everything hostile."""

import json
import shutil
from pathlib import Path

import pytest

from agentaudit.demo.jsontext import Json
from tests.cli.terminal import Terminal
from tests.export.test_browser import BROWSER, opened, overflow, violations
from tests.support.homing import A, B, Home, line
from tests.transcript.odd import FENCES, HOSTILE, STEERING

WIDE = "w" * 4_000
INPUT = json.dumps({"a": WIDE})


def records() -> bytes:
    """A rollout in which everything may be hostile, the types and names of members too."""
    said: dict[str, object] = {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": HOSTILE + STEERING}],
    }
    rows: tuple[tuple[str, dict[str, object]], ...] = (
        ("session_meta", {"id": A, "cwd": "/w/project", "cli_version": "0.171.0", "source": "exec"}),
        ("turn_context", {"turn_id": "t1", "approval_policy": "on-request", "cwd": HOSTILE}),
        ("response_item", said),
        ("response_item", {"type": "reasoning", "summary": [], "encrypted_content": "g" * 900}),
        ("response_item", {"type": "function_call", "name": HOSTILE, "call_id": "c1", "arguments": INPUT}),
        ("event_msg", {"type": "item_completed", "item": {"type": "CommandExecution", "id": "c1", "command": ["ls"],
                                                          "aggregated_output": FENCES, "status": "failed"}}),
        ("response_item", {"type": "function_call_output", "call_id": "c1", "output": f"{WIDE}…9 chars truncated…"}),
        ("response_item", {"type": "function_call", "name": "lost", "call_id": "c2", "arguments": "{}"}),
        ("turn_context", {"turn_id": "t2", "approval_policy": "never", "cwd": HOSTILE}),
        ("compacted", {"message": FENCES, "replacement_history": [said]}),
        (HOSTILE, {"type": WIDE, HOSTILE: WIDE}),
        ("event_msg", {"type": "token_count", "info": None}),
    )  # fmt: skip
    return b"".join(line(number, kind, payload) for number, (kind, payload) in enumerate(rows))


@pytest.fixture
def preserved(empty_case: Path, tmp_path: Path) -> Path:
    """A preserved home of two threads: the second belongs to somebody else and is compressed."""
    home = Home(tmp_path / "home" / ".codex")
    home.rollout(A, records())
    home.rollout(B, packed=True)
    given = ("--agent", "codex", "--root", str(home.root), "--all")
    terminal = Terminal()
    assert terminal.run("preserve-local-bundle", str(empty_case), *given) in (0, 3), terminal.err
    return empty_case / "EX-0001"


def copied(exhibit: Path, session: str) -> Path:
    """The folder of a copy in every format."""
    terminal = Terminal()
    given = ("--format", "jsonl", "--format", "html", "--format", "md")
    assert terminal.run("transcript", str(exhibit), "--session", session, *given) == 0, terminal.err
    assert "ww" not in terminal.both
    return max((exhibit.parent / "reports").iterdir())


def rows(folder: Path) -> list[dict[str, Json]]:
    """The lines of the copy for programs."""
    (copy,) = folder.glob("*.jsonl")
    return [json.loads(row) for row in copy.read_bytes().splitlines()]


def test_every_record_of_a_rollout_is_in_the_copy(preserved: Path) -> None:
    """In its order, with line and byte; calls joined by id alone; the half that is missing stays missing."""
    head, *pieces = rows(copied(preserved, A))
    assert [row["kind"] for row in pieces] == ["message"] * 11 + ["aside"]
    text = records()
    for number, row in enumerate(pieces, 1):
        way = row["way"]
        assert isinstance(way, dict)
        assert (way["line"], way["offset_bytes"]) == (
            number,
            sum(map(len, text.splitlines(keepends=True)[: number - 1])),
        )
    totals = head["totals"]
    assert isinstance(totals, dict)
    assert (totals["joins"], totals["clips"]) == ([["joined", 3], ["missing", 1]], [["said_in_text", 1]])
    assert [row.get("note") for row in pieces if row.get("note")] == ["settings_changed", "compaction"]
    assert head["read_by"] == "codex-copy/1"


def test_the_copy_says_what_cannot_be_read_and_what_changed(preserved: Path) -> None:
    """Encrypted reasoning, changed settings, a compaction and an unknown record are marked in the copies for people."""
    folder = copied(preserved, A)
    (page,) = folder.glob("*.html")
    (text,) = folder.glob("*.md")
    for mark in (
        "NOT READABLE: stored encrypted", "SETTINGS CHANGED HERE", "COMPACTED HERE", "OF A TYPE THAT THIS PROGRAM",
        "NO RESULT WITH THIS ID", "what the program recorded of it:", "CLIPPED HERE: its own text says",
    ):  # fmt: skip
        assert mark in page.read_text()
        assert mark.split(":")[0] in text.read_text().replace("\\", "")
    assert "<script>" not in page.read_text()


def test_a_compressed_thread_is_read_too(preserved: Path) -> None:
    """Its text is what is read: five records of it."""
    pieces = rows(copied(preserved, B))[1:]
    assert [row.get("type") for row in pieces] == ["session_meta", *["response_item/message"] * 4]


def test_load_files_have_a_text_for_each_thread(preserved: Path, tmp_path: Path) -> None:
    """`export-manifest --format dat` writes what was said, called and recorded."""
    terminal, out = Terminal(), tmp_path / "out"
    assert terminal.run("export-manifest", str(preserved), "--format", "dat", "--out", str(out)) == 0, terminal.err
    texts = "".join(path.read_text() for path in sorted((out / "texts").rglob("*.txt")))
    for words in ("function_call_output c1 [shortened]", "here, and encrypted", "event_msg/item_completed/CommandEx"):
        assert words in texts


def test_one_thread_is_handed_over_alone(preserved: Path, tmp_path: Path) -> None:
    """Its rollout, its entries and nothing of the other thread; the extract verifies."""
    terminal, to = Terminal(), tmp_path / "out"
    assert terminal.run("extract", str(preserved), "--session", A, "--to", str(to)) == 0, terminal.err
    everything = b"".join(path.read_bytes() for path in to.rglob("*") if path.is_file())
    assert B.encode() not in everything
    (rollout,) = to.rglob("rollout.jsonl")
    assert rollout.read_bytes() == records()
    assert terminal.run("verify", str(to)) == 0


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here to open the page")
def test_the_page_stays_inside_the_window(preserved: Path, tmp_path: Path) -> None:
    """Hostile texts, names and types of any width do nothing, and push nothing beyond the window of a small screen."""
    (page,) = copied(preserved, A).glob("*.html")
    place = tmp_path / "page.html"
    shutil.copyfile(page, place)
    done = opened(place, "--dump-dom")
    assert violations(done) == 0
    assert "<title>taken" not in done.stdout
    assert overflow(place, 600) == 0
