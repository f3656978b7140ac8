"""The gaps of a store, from rows and reads alone."""

from typing import get_args

import msgspec
import pytest

from agentaudit.acquire.storegaps import decision_gaps, entry_gap, is_unstable, read_gap, survey_walk
from agentaudit.model.base import UNSET
from agentaudit.model.local import Change, EntryKind
from agentaudit.model.losses import Gap, GapCode
from agentaudit.model.storejournal import Entry
from agentaudit.sources.local.read import Read, Unread
from tests.support.openings import entry_row, file_state

WALK = "claude-code/r1/survey01"


def entry(
    rule: str, number: int = 1, *, kind: EntryKind = "file", problem: str | None = None, root: str = "r1"
) -> Entry:
    """An entry that this rule decided."""
    row = msgspec.structs.replace(entry_row(number), rule=rule, decision="list", kind=kind, root=root)
    return row if problem is None else msgspec.structs.replace(row, problem=problem)


def read(change: Change) -> Read:
    """A read across which the file became that."""
    return Read(
        before=file_state(), after=file_state(), change=change, taken=1, hole_bytes=0, runs=None, attributes=None,
        access_time_kept=True,
    )  # fmt: skip


def test_what_our_rules_leave_out_is_one_gap_a_root_and_code() -> None:
    """Three ways to be a credential are one count; other roots have their own."""
    rules = ("credentials_name", "credentials_location", "credentials_inode", "link", "special", "not_selected")
    rows = [entry(rule, number) for number, rule in enumerate(rules, 1)] + [entry("link", 7, root="r2")]
    assert [(gap.walk, gap.code, gap.count) for gap in decision_gaps("claude-code", rows)] == [
        (WALK, "credentials", 3),
        (WALK, "link", 1),
        (WALK, "not_selected", 1),
        (WALK, "special_file", 1),
        ("claude-code/r2/survey01", "link", 1),
    ]


@pytest.mark.parametrize("rule", ["selected", "included", "folder"])
def test_what_is_kept_and_what_is_a_folder_is_no_gap(rule: str) -> None:
    """Nothing is missing."""
    kind: EntryKind = "folder" if rule == "folder" else "file"
    assert list(decision_gaps("claude-code", [entry(rule, kind=kind)])) == []


@pytest.mark.parametrize(
    ("problem", "code"), [("vanished", "vanished"), ("replaced", "vanished"), ("unreadable", "unreadable"),
                          ("failed", "unreadable"), ("too_deep", "unreadable")],
)  # fmt: skip
@pytest.mark.parametrize(("rule", "kind"), [("not_seen", "unknown"), ("folder", "folder")])
def test_what_could_not_be_looked_at_is_a_gap_of_its_own(
    problem: str, code: GapCode, rule: str, kind: EntryKind
) -> None:
    """Named by survey and number, so that the entry can be found: an entry, and a folder that was not entered."""
    (gap,) = decision_gaps("claude-code", [entry(rule, 4, kind=kind, problem=problem)])
    assert gap == Gap(kind="not_obtained", code=code, basis="status", walk=WALK, index=4)


def test_a_file_whose_copy_is_what_it_was_is_no_gap() -> None:
    """Growth, a move and a deletion after the opening lose nothing; what may be a mix is a gap."""
    found = {change: read_gap("claude-code", entry("selected"), read(change)) for change in get_args(Change)}
    assert {change for change, gap in found.items() if gap is not None} == {"shrank", "rewritten", "replaced"}
    assert {change for change in get_args(Change) if is_unstable(change)} == {"shrank", "rewritten", "replaced"}
    assert {gap.code for gap in found.values() if gap is not None} == {"changed_while_read"}


@pytest.mark.parametrize(
    ("problem", "code", "kind"),
    [
        ("vanished", "vanished", "not_obtained"),
        ("replaced", "vanished", "not_obtained"),
        ("unreadable", "unreadable", "not_obtained"),
        ("failed", "unreadable", "not_obtained"),
        ("placeholder", "placeholder", "not_obtained"),
        ("sparse_over_limit", "sparse_over_limit", "not_obtained"),
        ("denied", "credentials", "excluded"),
    ],
)
def test_why_a_file_was_not_read_is_told_apart(problem: str, code: str, kind: str) -> None:
    """A credential that was met on the way is our rule, not our failure."""
    unread = msgspec.convert({"problem": problem}, Unread)
    gap = read_gap("codex", entry("selected", 9), unread)
    assert gap is not None
    assert (gap.code, gap.kind, gap.basis) == (code, kind, "rule" if kind == "excluded" else "status")
    assert (gap.walk, gap.index) == (survey_walk("codex", "r1", 1), 9)


def test_a_gap_of_an_entry_names_its_session_where_it_has_one() -> None:
    """And none where it has none."""
    one = msgspec.structs.replace(entry("selected"), session="s000007")
    assert entry_gap("claude-code", one, "interrupted").session == "s000007"
    assert entry_gap("claude-code", entry("selected"), "interrupted").session is UNSET
