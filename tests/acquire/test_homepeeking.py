"""Looking into a Codex home: threads of rollouts without an id, working folders when they are asked for, switches."""

import os
from pathlib import Path

import pytest
import zstandard

from agentaudit.acquire.homepeeking import peek_home
from agentaudit.acquire.peeking import DOCUMENT_MAX_BYTES, PEEK_BYTES, Peeked
from agentaudit.sources.local.handles import Handles
from agentaudit.sources.local.owners import Owners
from agentaudit.sources.local.read import Reader
from tests.sources.local.places import put, surveyed
from tests.support.homing import A, B, line, lines, path_of

NAMELESS = "sessions/2025/04/01/rollout-2025-04-01.jsonl"


def peeked(root: Path, *, folders: bool = False) -> Peeked:
    """What a home says of itself."""
    entries = surveyed(root)
    with Handles(os.fsencode(root)) as handles:
        return peek_home(entries, {"r1": Reader(handles, Owners())}, folders=folders)


def squeezed(text: bytes) -> bytes:
    """The text, compressed."""
    return zstandard.ZstdCompressor().compress(text)


@pytest.mark.parametrize(
    ("octets", "thread"),
    [
        (lines(A), A),
        (lines(A)[:-1], A),
        (b"{broken\n" + lines(A), None),
        (line(0, "response_item", {"id": A}), None),
        (b"", None),
        (b" " * PEEK_BYTES + lines(A), None),
    ],
)
def test_a_rollout_whose_name_has_no_id_names_its_thread_in_its_first_line(
    tmp_path: Path, octets: bytes, thread: str | None
) -> None:
    """In no other line, and not beyond the bound."""
    put(tmp_path, NAMELESS, octets)
    assert list(peeked(tmp_path).owners.values()) == ([] if thread is None else [thread])


def test_working_folders_are_read_only_when_projects_were_asked_for(tmp_path: Path) -> None:
    """Of plain and of compressed rollouts; the thread is the one of the name."""
    put(tmp_path, path_of(A), lines(A, cwd="/w/a"))
    put(tmp_path, path_of(B, packed=True), squeezed(lines(B, cwd="/w/b")))
    assert peeked(tmp_path).folders == []
    assert sorted(peeked(tmp_path, folders=True).folders) == sorted([(A, "/w/a"), (B, "/w/b")])
    assert peeked(tmp_path, folders=True).owners == {}


@pytest.mark.parametrize(
    "octets",
    [
        squeezed(lines(A))[:8],
        b"no frame at all",
        b"",
        squeezed(b" " * (2 * PEEK_BYTES) + lines(A)),
    ],
)
def test_a_compressed_rollout_that_cannot_be_looked_into_says_nothing(tmp_path: Path, octets: bytes) -> None:
    """Cut, no frame, empty, or with a first line beyond the bound: never an error, and bounded."""
    put(tmp_path, path_of(A, packed=True), octets)
    assert peeked(tmp_path, folders=True).folders == []


def test_a_large_compressed_rollout_is_looked_into_at_its_beginning(tmp_path: Path) -> None:
    """Its end is not read, and that the frame goes on is no fault."""
    noise = b"".join(line(number, "event_msg", {"x": os.urandom(600).hex()}) for number in range(1, 3_000))
    octets = squeezed(lines(A, 1, cwd="/w/a") + noise)
    assert len(octets) > PEEK_BYTES
    put(tmp_path, path_of(A, packed=True), octets)
    assert peeked(tmp_path, folders=True).folders == [(A, "/w/a")]


def test_a_configuration_beyond_the_bound_or_of_another_name_sets_nothing(tmp_path: Path) -> None:
    """Half of a document is no document, and a profile is not the configuration."""
    setting = b'[history]\npersistence = "none"\n'
    put(tmp_path, "config.toml", setting)
    assert [one.switch.name for _, _, one in peeked(tmp_path).switches] == ["history.persistence"]
    put(tmp_path, "config.toml", setting + b"#" * DOCUMENT_MAX_BYTES)
    put(tmp_path, "work.config.toml", setting)
    assert peeked(tmp_path).switches == []


def test_a_history_names_threads_and_broken_lines_name_none(tmp_path: Path) -> None:
    """Prompts are not touched; lines are counted by thread."""
    text = b'{"session_id":"%s","ts":1,"text":"x"}\n' % A.encode()
    put(tmp_path, "history.jsonl", text + b"{broken\n" + text + b'{"session_id":7}\n')
    found = peeked(tmp_path)
    assert [(one.session, one.lines) for one in found.history] == [(A, 2)]
    assert not found.history_cut


def test_a_rollout_that_is_no_file_is_not_opened(tmp_path: Path) -> None:
    """A pipe under its name would wait for ever."""
    place = tmp_path / NAMELESS
    place.parent.mkdir(parents=True)
    os.mkfifo(place)
    assert peeked(tmp_path, folders=True) == Peeked()
