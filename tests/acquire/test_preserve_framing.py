"""Field cases A to C as a preserved exhibit: every byte is kept, and the broken lines are stated with it."""

import json
import os
from pathlib import Path

import pytest

from agentaudit.demo.store import StoreBuilder, Talk, lines, session_id
from tests.support.storing import Storing, copy_of, gaps, is_intact, kept, sessions, storing

S = session_id("one")
PROJECT = "projects/-w"
NAME = f"{PROJECT}/{S}.jsonl"
ROWS = [lines([row])[:-1] for row in Talk(S, turns=3).records()]
R1, R2, R3, R4 = ROWS[:4]
GIB = 1024**3


def preserved(tmp_path: Path, octets: bytes) -> tuple[Storing, dict[str, object]]:
    """A store with one transcript of these bytes, preserved; and the row of its copy."""
    store = StoreBuilder(tmp_path / "store", marked=False)
    store.put(NAME, octets)
    job = storing(tmp_path, store.root)
    job.preserve()
    assert copy_of(job.sealed, NAME) == octets
    assert is_intact(job.sealed)
    (row,) = kept(job.sealed, NAME)
    return job, row


def classes(row: dict[str, object]) -> dict[str, int]:
    """The findings of a copy, by class."""
    framing = row["framing"]
    assert isinstance(framing, dict)
    return dict(framing["findings_by_class"])


def notes(row: dict[str, object]) -> set[str]:
    """The notes of a copy."""
    framing = row["framing"]
    assert isinstance(framing, dict)
    return {note["note"] for note in framing["notes"]}


CASES: dict[str, tuple[bytes, dict[str, int], set[str]]] = {
    "a01": (R1 + b"\n" + R2[: len(R2) * 6 // 10] + R3 + b"\n" + R4 + b"\n", {"cut+object": 1}, set()),
    "a02": (R1 + b"\n" + R2 + R3 + b"\n" + R4 + b"\n", {"glued": 1}, set()),
    "a03": (R1 + b"\n" + R2 + b'{"type":"summary","leafUuid":"x"}\n', {"glued": 1}, set()),
    "a04": (R1 + b"\n" + bytes(512) + b"\n" + R2 + b"\n", {"nul_run": 1}, set()),
    "a07": (b"".join(row + b"\n" for row in ROWS[:6]) + ROWS[6][:80], {"incomplete_tail": 1}, set()),
    "a08": (R1 + b"\n" + R2[:40] + b"\n" + R3 + b"\n" + R4[:50] + b"\n" + R1 + b"\n", {"cut": 2}, set()),
    "a09": (R1 + b"\n\n[]\nnull\n" + R2 + b"\n", {"non_object": 2}, {"empty_line"}),
    "a11": (R2[: len(R2) // 2] + b"\n\n" + R2 + b"\n", {"cut": 1}, {"empty_line"}),
    "a13": (json.dumps({"a": [1, 2, {"b": None}]}, indent=2).encode(), {"not_json_lines": 1}, set()),
    "a14": (b"", {}, {"empty_file"}),
    "a15": (R1 + b"\n" + R2, {}, {"no_final_lf"}),
    "a16": (b"\xef\xbb\xbf" + R1 + b"\n" + R2 + b"\n", {}, {"bom"}),
    "a17": (R1 + b"\r\n" + R2 + b"\n" + R3 + b"\r\n", {}, {"crlf"}),
    "a18": (R1.replace(b"ledger", "a\u2028b\u2029".encode()) + b"\n" + R2 + b"\n", {}, set()),
    "b01": (R1.replace(b"ledger", b"\\ud83d\xe2\x80\xa6") + b"\n", {}, {"lone_surrogate"}),
    "b04": (R1.replace(b"ledger", b"\\u0000" * 1_000) + b"\n", {}, set()),
    "b06": (R1.replace(b"ledger", b"caf\xe9") + b"\n" + R2.replace(b"wc", b"\xed\xa0\xbd\xed\xb8\x80") + b"\n",
            {"invalid_utf8": 2}, set()),
    "b08": (b'{"a":1,"a":2}\n{"a":NaN}\n{"n":' + b"9" * 5_000 + b"}\n" + b'{"d":' + b"[" * 100_000 + b"]" * 100_000
            + b"}\n", {"bad_json": 1, "depth": 1}, {"huge_integer"}),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_and_b_cases_are_kept_as_they_are_and_told(case: str, tmp_path: Path) -> None:
    """The copy is the file; findings and notes are those of the case; nothing is repaired, and no session is lost."""
    octets, findings, expected = CASES[case]
    job, row = preserved(tmp_path, octets)
    assert classes(row) == findings
    assert expected <= notes(row)
    assert gaps(job.sealed) == {}
    (session,) = sessions(job.sealed)
    assert session["framing"] == sorted([fault, count] for fault, count in findings.items())
    assert session["outcome"] == "all_given"


def test_a07_a_cut_tail_is_a_state_while_a_process_says_that_it_writes(tmp_path: Path) -> None:
    """The same bytes: whether somebody writes them is a fact beside the finding, from the file of the process."""
    store = StoreBuilder(tmp_path / "store", marked=False)
    store.put(NAME, R1 + b"\n" + R2[:80])
    store.put("sessions/4711.json", json.dumps({"pid": 4711, "sessionId": S}).encode())
    job = storing(tmp_path, store.root)
    job.preserve()
    (row,) = kept(job.sealed, NAME)
    (session,) = sessions(job.sealed)
    assert classes(row) == {"incomplete_tail": 1}
    assert isinstance(session["bundle"], dict)
    assert session["bundle"]["running"] == [4711]


def test_a14_a_file_with_snapshots_alone_is_no_conversation(tmp_path: Path) -> None:
    """Framing is good; that nobody speaks in it is a number."""
    snapshot = b'{"type":"file-history-snapshot","messageId":"m","snapshot":{}}\n'
    _, row = preserved(tmp_path, snapshot * 2)
    assert isinstance(row["transcript"], dict)
    assert (row["transcript"]["records"], row["transcript"]["conversation_records"]) == (2, 0)


def test_b05_bytes_that_other_codecs_refuse_are_text(tmp_path: Path) -> None:
    """Bytes 0x8F and 0x9D inside UTF-8 are nothing special."""
    _, row = preserved(tmp_path, R1.replace(b"ledger", "\u275d\u090f".encode()) + b"\n")
    assert classes(row) == {}


def test_c04_a_line_of_ten_megabytes_is_read_and_its_neighbours_are_fine(tmp_path: Path) -> None:
    """A pasted image makes a long line; it is framed, and the facts count it."""
    _, row = preserved(tmp_path, R1 + b"\n" + R2.replace(b"wc", b"A" * 10_000_000) + b"\n" + R3 + b"\n")
    framing, facts = row["framing"], row["transcript"]
    assert isinstance(framing, dict)
    assert isinstance(facts, dict)
    assert (framing["ok_lines"], facts["records"]) == (3, 3)
    assert framing["longest_line_bytes"] > 10_000_000


def test_c07_a_file_of_65_mebibytes_is_copied(tmp_path: Path) -> None:
    """No size is left out silently: what is large is copied like the rest."""
    octets = (R1 + b"\n") * (65 * 1024**2 // (len(R1) + 1) + 1)
    _, row = preserved(tmp_path, octets)
    assert isinstance(row["item"], dict)
    assert row["item"]["bytes"] == len(octets) > 65 * 1024**2


def test_c08_near_twins_are_both_kept(tmp_path: Path) -> None:
    """Evidence is not taken for the same because it looks alike, nor where it is the same."""
    store = StoreBuilder(tmp_path / "store", marked=False)
    other = session_id("two")
    for session in (S, other):
        store.put(f"{PROJECT}/{session}.jsonl", R1 + b"\n")
    job = storing(tmp_path, store.root)
    job.preserve()
    assert [copy_of(job.sealed, f"{PROJECT}/{one}.jsonl") for one in (S, other)] == [R1 + b"\n"] * 2


def test_c09_thousands_of_subagents_in_one_folder(tmp_path: Path) -> None:
    """2,500 files are all copied, numbered in the order of their names."""
    store = StoreBuilder(tmp_path / "store", marked=False)
    store.put(NAME, R1 + b"\n")
    folder = store.root / PROJECT / S / "subagents"
    folder.mkdir(parents=True)
    for number in range(2_500):
        (folder / f"agent-{number:06x}.jsonl").write_bytes(b'{"n":%d}\n' % number)
    job = storing(tmp_path, store.root)
    result = job.preserve()
    assert result.counts.items == 2_501
    found = sorted((job.sealed / "data/claude-code/r1/s000001/subagents").iterdir())
    assert [path.read_bytes() for path in found] == [b'{"n":%d}\n' % number for number in range(2_500)]


def test_a_sparse_file_of_a_tebibyte_takes_no_room(tmp_path: Path) -> None:
    """Only its data runs are copied; the row says where they lie, and that all the rest is zeros."""
    store = StoreBuilder(tmp_path / "store", marked=False)
    place = store.put(f"{PROJECT}/{S}/tool-results/huge.txt", b"")
    with place.open("r+b") as stream:
        stream.seek(512 * GIB)
        stream.write(b"in the middle")
        stream.truncate(1024 * GIB)
    if place.stat().st_blocks * 512 > GIB:
        pytest.skip("this file system has no holes")
    job = storing(tmp_path, store.root)
    job.preserve()
    (row,) = kept(job.sealed, f"{PROJECT}/{S}/tool-results/huge.txt")
    assert isinstance(row["runs"], list)
    assert sum(length for _, length in row["runs"]) == len(copy_of(job.sealed, f"{PROJECT}/{S}/tool-results/huge.txt"))
    assert isinstance(row["before"], dict)
    assert row["before"]["size_bytes"] == 1024 * GIB
    assert b"in the middle" in copy_of(job.sealed, f"{PROJECT}/{S}/tool-results/huge.txt")
    assert is_intact(job.sealed)


def test_holes_of_an_ordinary_sparse_file_stay_holes(tmp_path: Path) -> None:
    """The copy has the same bytes and about the same blocks."""
    store = StoreBuilder(tmp_path / "store", marked=False)
    place = store.put(f"{PROJECT}/{S}/tool-results/holed.txt", b"begin")
    os.truncate(place, 64 * 1024**2)
    job = storing(tmp_path, store.root)
    job.preserve()
    (row,) = kept(job.sealed, f"{PROJECT}/{S}/tool-results/holed.txt")
    assert isinstance(row["item"], dict)
    copied = job.sealed / str(row["item"]["path"])
    assert copied.stat().st_size == 64 * 1024**2
    assert copied.stat().st_blocks <= place.stat().st_blocks + 8
