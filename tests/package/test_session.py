"""One session of an exhibit: what is its own, whatever the source."""

import json
from pathlib import Path

import pytest

from agentaudit.encoding.canonical import encode_line
from agentaudit.errors import PackageFault, UsageFault
from agentaudit.format import layout
from agentaudit.model.base import Frozen, Instant, digest_of
from agentaudit.model.bundle import SessionBundle
from agentaudit.model.local import FileState, NanoInstant
from agentaudit.model.losses import Gap
from agentaudit.model.sessionrow import BundleRow
from agentaudit.model.tagfiles import FileFacts, FileProvenance, ItemRow, WalkRow
from agentaudit.package.session import held_session, sealed_rows, still_sealed
from agentaudit.package.tree import Tree

MOMENT = NanoInstant("2026-01-01T00:00:00.000000000Z")
STATE = FileState(
    size_bytes=0, modified_at=MOMENT, changed_at=MOMENT, accessed_at=MOMENT, born_at=None, mode=0, user_id=0,
    group_id=0, owner=None, group=None, device="1", inode="1", links=1, allocated_bytes=None,
)  # fmt: skip


def bundle(key: str, identifier: str) -> BundleRow:
    """A session bundle of a local store."""
    return BundleRow(
        session=key,
        decision="kept",
        rule=None,
        bundle=SessionBundle(
            key=key, root="r1", project="p", session=identifier, transcript="present", folder=False, bytes=0,
            modified_at=None, roles=(), newer_siblings=0, also_in=(), witnesses=(), running=(),
        ),
        preserved_files=1,
        preserved_bytes=1,
        versions=(),
        first_record_at=None,
        last_record_at=None,
        framing=(),
        gaps=0,
        outcome="all_given",
    )  # fmt: skip


def preserved(path: str, row: int, session: str | None) -> ItemRow:
    """A preserved file, or the value of an extended attribute where no session is given."""
    return ItemRow(
        path=path,
        bytes=1,
        sha256=digest_of(b""),
        role="preserved" if session else "attribute",
        media_type=None,
        content_encoding=None,
        provenance=FileProvenance(
            row=row, survey=1, root="r1", entry=row, kept_at=Instant("2026-01-01T00:00:00.000000Z"), before=STATE,
            change="none",
        ),
        facts=None
        if session is None
        else FileFacts(role="transcript", session=session, media_type_from=None, framing=None, transcript=None),
    )  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """The tag files of a preserved store with two bundles that have the same id, and one of another."""
    rows: dict[str, list[Frozen]] = {
        layout.SESSIONS: [bundle("s000001", "u-1"), bundle("s000002", "u-2"), bundle("s000003", "u-2")],
        layout.WALKS: [
            WalkRow(walk="claude-code/r1", kind="survey", session=None, parameters=(), limits=None, cursors=(),
                    pages=0, records=None, ended="exhausted"),
        ],
        layout.GAPS: [
            Gap(kind="excluded", code="metadata_only", basis="rule", session="s000001"),
            Gap(kind="excluded", code="metadata_only", basis="rule"),
        ],
        layout.ITEMS: [
            preserved("data/claude-code/r1/s000001/transcript.jsonl", 5, "s000001"),
            preserved("data/claude-code/r1/s000001/transcript.jsonl.x01", 5, None),
            preserved("data/claude-code/r1/s000002/transcript.jsonl", 6, "s000002"),
            preserved("data/claude-code/r1/s000002/transcript.jsonl.x01", 6, None),
        ],
    }  # fmt: skip
    (tmp_path / layout.TAGS).mkdir()
    for name, lines in rows.items():
        (tmp_path / name).write_bytes(b"".join(map(encode_line, lines)))
    return tmp_path


@pytest.mark.parametrize("word", ["s000001", "u-1"])
def test_a_bundle_is_found_with_its_files_and_their_attributes(store: Path, word: str) -> None:
    """The files of its key, the attribute values behind them, the gaps that name it; nothing of its neighbour."""
    with Tree(store) as tree:
        held = held_session(tree, word)
    assert (held.key, held.walks, len(held.gaps)) == ("s000001", (), 1)
    assert [item.path.rpartition("/")[2] for item in held.items] == ["transcript.jsonl", "transcript.jsonl.x01"]


@pytest.mark.parametrize(("word", "why"), [("u-2", "more than one"), ("u-9", "no such"), ("", "no such")])
def test_a_name_that_is_not_one_session_is_refused(store: Path, word: str, why: str) -> None:
    """Two bundles with one id are not chosen between; a name of none is said to be one."""
    with Tree(store) as tree, pytest.raises(UsageFault, match=why):
        held_session(tree, word)


@pytest.mark.parametrize("line", [b'{"canary": 1}\n', b"\xff\n", b"{}\n"])
def test_a_row_of_another_kind_is_a_fault_without_its_words(store: Path, line: bytes) -> None:
    """A tag file that changed after its check ends the reading with 4."""
    (store / layout.ITEMS).write_bytes(line)
    with Tree(store) as tree, pytest.raises(PackageFault) as caught:
        list(sealed_rows(tree, layout.ITEMS, ItemRow))
    assert "canary" not in str(caught.value)


def test_a_row_of_another_type_is_a_fault_too(store: Path) -> None:
    """Rows are of the kind that was asked for, or the package is not what it was."""
    with Tree(store) as tree, pytest.raises(PackageFault):
        list(sealed_rows(tree, layout.WALKS, ItemRow))


def test_a_folder_without_a_seal_is_not_still_sealed(store: Path) -> None:
    """Neither a missing tag manifest nor a missing tag file is the sealed exhibit."""
    with Tree(store) as tree:
        assert not still_sealed(tree, digest_of(b""))
        (store / layout.TAG_MANIFEST).write_bytes(b"")
        assert not still_sealed(tree, digest_of(b""))


def test_rows_come_in_their_order(store: Path) -> None:
    """Every row of the file is given, as it stands."""
    with Tree(store) as tree:
        found = [row.path for row in sealed_rows(tree, layout.ITEMS, ItemRow)]
    assert found == [json.loads(line)["path"] for line in (store / layout.ITEMS).read_bytes().splitlines()]
