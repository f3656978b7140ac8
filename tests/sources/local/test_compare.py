"""Comparison: what became of a file while it was read."""

import pytest
from msgspec.structs import replace

from agentaudit.model.local import Change
from agentaudit.model.survey import Look
from agentaudit.sources.local.compare import compare, is_stirred

BEFORE = Look(
    size=100, modified_ns=5, changed_ns=5, accessed_ns=5, born_ns=None, mode=0o100600, user_id=0, group_id=0, device=1,
    inode=2, links=1, allocated=None,
)  # fmt: skip
TOUCHED = replace(BEFORE, modified_ns=6, changed_ns=6)
GREW = replace(TOUCHED, size=120)
SHRANK = replace(TOUCHED, size=80)
OTHER = replace(BEFORE, inode=3)
RENAMED = replace(BEFORE, changed_ns=6)


@pytest.mark.parametrize(
    ("after", "name", "read", "change"),
    [
        (BEFORE, BEFORE, 100, "none"),
        (replace(BEFORE, accessed_ns=9), BEFORE, 100, "none"),
        (GREW, GREW, 100, "grew"),
        (SHRANK, SHRANK, 100, "shrank"),
        (BEFORE, BEFORE, 99, "shrank"),
        (GREW, GREW, 90, "shrank"),
        (TOUCHED, TOUCHED, 100, "rewritten"),
        (RENAMED, RENAMED, 100, "rewritten"),
        (TOUCHED, None, 100, "rewritten"),
        (replace(RENAMED, links=0), OTHER, 100, "replaced"),
        (replace(GREW, links=0), OTHER, 100, "replaced"),
        (BEFORE, replace(BEFORE, device=9), 100, "replaced"),
        (replace(RENAMED, links=0), None, 100, "vanished"),
        (RENAMED, None, 100, "moved"),
        (GREW, None, 100, "moved"),
    ],
)
def test_each_change_has_its_word(after: Look, name: Look | None, read: int, change: Change) -> None:
    """What says most against the bytes comes first; a name that changed says nothing against them."""
    assert compare(BEFORE, after, name, read) == change


@pytest.mark.parametrize(
    ("before", "now", "stirred"),
    [
        (BEFORE, replace(BEFORE, accessed_ns=9, links=3, size=4096), False),
        (BEFORE, replace(BEFORE, modified_ns=6), True),
        (BEFORE, RENAMED, True),
        (None, TOUCHED, False),
        (BEFORE, None, False),
    ],
)
def test_a_folder_is_stirred_when_its_times_moved(before: Look | None, now: Look | None, stirred: bool) -> None:
    """Its own times alone: what was not looked at twice says nothing."""
    assert is_stirred(before, now) is stirred
