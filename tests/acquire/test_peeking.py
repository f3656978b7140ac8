"""Looking into the few files that explain a store: bounded, and ids, counts and switches alone."""

import json
import os
from pathlib import Path

import pytest

from agentaudit.acquire.peeking import DOCUMENT_MAX_BYTES, PEEK_BYTES, Peeked, beginning, peek, peek_managed
from agentaudit.model.survey import Seen
from agentaudit.sources.local.handles import Handles
from agentaudit.sources.local.owners import Owners
from agentaudit.sources.local.read import Reader
from tests.sources.local.places import put, surveyed

S, T = "1c27c64e-5bd8-4142-9770-6171b4866689", "2c27c64e-5bd8-4142-9770-6171b4866689"
OLD = "projects/-w/agent-0a1b2c3d.jsonl"


def peeked(root: Path, *, denied: str | None = None) -> Peeked:
    """What a store says of itself; of one denied file nobody may read a byte."""
    entries = surveyed(root)
    with Handles(os.fsencode(root)) as handles:
        reader = Reader(handles, Owners())
        looks = [seen.look for seen in entries if denied is not None and seen.path == denied]
        reader.deny(frozenset((look.device, look.inode) for look in looks if look is not None))
        return peek(entries, {"r1": reader})


def rows(*records: object) -> bytes:
    """Records as lines."""
    return b"".join(json.dumps(one).encode() + b"\n" for one in records)


def padded(document: dict[str, object], size: int) -> bytes:
    """The document in exactly so many bytes."""
    text = json.dumps(document).encode()
    return text + b" " * (size - len(text))


@pytest.mark.parametrize(
    ("octets", "owner"),
    [
        (rows({"type": "summary"}, {"sessionId": S}, {"sessionId": T}), S),
        (b"{broken\n\n[1]\nnull\n" + rows({"sessionId": 7}, {"sessionId": ""}, {"sessionId": S}), S),
        (rows({"sessionId": S})[:-1], S),
        (rows({"type": "user"}), None),
        (b"", None),
        (b" " * PEEK_BYTES + b"\n" + rows({"sessionId": S}), None),
    ],
)
def test_an_old_agent_file_names_its_session_in_its_first_row_that_has_one(
    tmp_path: Path, octets: bytes, owner: str | None
) -> None:
    """Broken rows are passed over; beyond the bound nothing is looked for."""
    put(tmp_path, OLD, octets)
    assert list(peeked(tmp_path).owners.values()) == ([] if owner is None else [owner])


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_a_document_at_its_bound_is_read_and_one_beyond_it_says_nothing(tmp_path: Path, name: str) -> None:
    """Half of a document is no document."""
    for size, count in ((DOCUMENT_MAX_BYTES, 1), (DOCUMENT_MAX_BYTES + 1, 0)):
        put(tmp_path, name, padded({"cleanupPeriodDays": 7}, size))
        assert len(peeked(tmp_path).switches) == count


@pytest.mark.parametrize("octets", [b"", b"{", b"[]", b"null", b'{"pid":1}', b'{"sessionId":"s"}', b"\xff\xfe"])
def test_what_is_no_such_document_says_nothing(tmp_path: Path, octets: bytes) -> None:
    """Never an error, whatever lies there."""
    for name in ("sessions/1.json", "settings.json", "local/node_modules/@anthropic-ai/claude-code/package.json"):
        put(tmp_path, name, octets)
    found = peeked(tmp_path)
    assert (found.running, found.switches, found.installed) == ([], [], [])


def test_a_history_is_counted_line_by_line_whatever_its_size(tmp_path: Path) -> None:
    """Longer than the bound of documents, with broken lines and without a last line feed."""
    octets = b"{broken\n" + rows(*[{"sessionId": S, "display": "x" * 200}] * 8_000, {"sessionId": T})[:-1]
    assert len(octets) > DOCUMENT_MAX_BYTES
    put(tmp_path, "history.jsonl", octets)
    assert [(one.session, one.lines) for one in peeked(tmp_path).history] == [(S, 8_000), (T, 1)]


def test_what_is_denied_or_no_file_is_not_looked_into(tmp_path: Path) -> None:
    """A history that is a hard link to a secret says nothing; nor does one that is a pipe, a folder or a link."""
    put(tmp_path, "history.jsonl", rows({"sessionId": S}))
    assert len(peeked(tmp_path).history) == 1
    assert peeked(tmp_path, denied="history.jsonl").history == []
    for make in (os.mkfifo, Path.mkdir, lambda path: path.symlink_to(tmp_path / "elsewhere")):
        (tmp_path / "elsewhere").write_bytes(rows({"sessionId": S}))
        place = tmp_path / "history.jsonl"
        place.rmdir() if place.is_dir() else place.unlink()
        make(place)
        assert peeked(tmp_path).history == []


def test_only_the_beginning_of_a_file_is_handed_over(tmp_path: Path) -> None:
    """Exactly as much as was asked for, or all of it; nothing of one that is gone."""
    place = put(tmp_path, "a", b"x" * 300_000)
    (seen,) = surveyed(tmp_path)
    with Handles(os.fsencode(tmp_path)) as handles:
        reader = Reader(handles, Owners())
        assert [len(beginning(seen, reader, most)) for most in (1, 299_999, 300_000, 300_001)] == [
            1,
            299_999,
            300_000,
            300_000,
        ]
        place.unlink()
        assert beginning(seen, reader, 10) == b""


def test_the_folder_of_an_administrator_that_is_no_folder_sets_nothing(tmp_path: Path) -> None:
    """Absent, a file, empty: none of them is an error."""
    put(tmp_path, "file", b"{}")
    (tmp_path / "empty").mkdir()
    for name in ("none", "file", "empty"):
        assert peek_managed(os.fsencode(tmp_path / name)) == ()


def test_entries_that_could_not_be_looked_at_are_passed_over() -> None:
    """They have no look to open them by."""
    unseen = Seen(root="r1", parts=(b"history.jsonl",), kind="file", problem="unreadable", error="EACCES")
    assert peek([unseen], {}) == Peeked()
