"""The directory entries of a local store, as an export tells them."""

import msgspec
import pytest

from agentaudit.export.dossier import Part
from agentaudit.export.entries import entry_line, entry_totals, total_words
from agentaudit.export.render.blocks import Grid
from agentaudit.export.render.storechapter import store_blocks
from agentaudit.model.local import Decision, EntryKind, FileState, NanoInstant
from agentaudit.model.storejournal import Entry
from tests.export.dossiers import AT, DIGEST, MemoryRows, entry, facts

STATE = FileState(
    size_bytes=5, modified_at=NanoInstant(AT), changed_at=NanoInstant(AT), accessed_at=NanoInstant(AT), born_at=None,
    mode=0o600, user_id=501, group_id=20, owner="alice", group=None, device="1", inode="2", links=1,
    allocated_bytes=None,
)  # fmt: skip


def seen(
    rule: str = "category_opt_in",
    *,
    decision: Decision = "exclude",
    kind: EntryKind = "file",
    state: FileState | None = STATE,
    **more: object,
) -> Entry:
    """A row of entries.jsonl."""
    row = Entry(
        survey=1, root="r1", number=4, name="projects/secret-client/x", kind=kind, state=state, decision=decision,
        rule=rule, role="settings", category="settings", session=None,
    )  # fmt: skip
    return msgspec.structs.replace(row, **more)


def test_a_row_tells_what_was_seen_and_decided() -> None:
    """With names everything of it; its state stands beside the common facts."""
    line = entry_line("EX-0001", seen(target="/elsewhere", owner="u1", sha256=DIGEST, problem="EACCES"), names=True)
    assert (line.name, line.target, line.owner) == ("projects/secret-client/x", "/elsewhere", "u1")
    assert (line.rule, line.sha256, line.problem, line.size_bytes) == ("category_opt_in", DIGEST, "EACCES", 5)
    assert {("mode", "384"), ("owner", "alice"), ("inode", "2")} <= set(line.more)


def test_without_names_no_path_leaves() -> None:
    """True name, target and owners stay in the exhibit; root, survey and number lead to them."""
    line = entry_line("EX-0001", seen(target="/secret-client", owner="u1"), names=False)
    assert (line.name, line.target, line.owner) == (None, None, None)
    assert (line.root, line.survey, line.number) == ("r1", 1, 4)
    assert "secret-client" not in str(line)
    assert "alice" not in str(line)


def test_what_the_system_refused_is_a_row() -> None:
    """It has no state, and the reason."""
    line = entry_line("EX-0001", seen("not_seen", decision="list", state=None, problem="EACCES"), names=False)
    assert (line.size_bytes, line.modified_at, line.more, line.problem) == (None, None, (), "EACCES")


@pytest.mark.parametrize(
    ("given", "left_out"),
    [
        (seen("selected", decision="preserve"), False),
        (seen("folder", decision="list", kind="folder"), False),
        (seen(), True),
        (seen("link", decision="list", kind="link"), True),
        (seen("special", decision="list", kind="fifo"), True),
        (seen("metadata_only", decision="list"), True),
        (seen("folder", decision="list", kind="folder", problem="EACCES"), True),
    ],
)
def test_what_is_left_out(given: Entry, *, left_out: bool) -> None:
    """Whatever is not in the payload by a decision, and whatever could not be looked at; folders lie in no payload."""
    assert entry_line("EX-0001", given, names=False).is_left_out is left_out


def test_totals_count_every_entry() -> None:
    """By survey, decision, rule and kind; bytes are those of files."""
    rows = (seen(), seen(), seen("link", decision="list", kind="link"), seen("not_seen", decision="list", state=None))
    totals = entry_totals(rows)
    assert sum(one.entries for one in totals) == len(rows)
    assert [(one.decision, one.rule, one.kind, one.entries, one.bytes) for one in totals] == [
        ("exclude", "category_opt_in", "file", 2, 10),
        ("list", "link", "link", 1, 0),
        ("list", "not_seen", "file", 1, 0),
    ]
    assert entry_totals(()) == ()


def test_a_total_has_words() -> None:
    """A rule in a sentence; a rule that this version does not know as its own word."""
    known, new = facts().entry_totals
    assert total_words(known).startswith("exclude, file, of a category that is copied only when it is asked for: 1 ent")
    assert "brand_new_rule: 2 entries, 0 bytes (survey 1)" in total_words(new)


def test_the_page_sums_all_and_lists_what_is_left_out() -> None:
    """Preserved files are counted; what stays out has a row of its own."""
    rows = MemoryRows(held_entries=(entry(1), entry(2, decision="preserve"), entry(3, problem="EACCES", target=None)))
    grids = [block for block in store_blocks(Part(facts(), rows)) if isinstance(block, Grid)]
    assert [grid.caption for grid in grids] == [
        "Entries of EX-0001 by decision and rule",
        "Left out of EX-0001, one by one",
    ]
    told = [str(row) for row in grids[1].rows]
    assert len(told) == 2
    assert "could not be looked at: EACCES" in told[1]
    assert "leads to sessions/a.jsonl" in told[0]


def test_an_api_has_no_entries() -> None:
    """Then there is no such section."""
    assert list(store_blocks(Part(facts(entry_totals=()), MemoryRows()))) == []
