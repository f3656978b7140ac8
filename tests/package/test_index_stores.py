"""The index of a store's journal: surveys follow each other, and a copy names an entry of the last one (J011)."""

import msgspec
import pytest

from agentaudit.format.chain import JOURNAL_CODEC, links
from agentaudit.model.base import UNSET, Instant, digest_of
from agentaudit.model.journal import Act, Closed, Counts, LossCounts, PayloadFile
from agentaudit.model.local import FileState, NanoInstant, Root
from agentaudit.model.storejournal import Entry, EntryChanged, EntrySeen, Kept, RootSeen, StoreLookedAgain
from agentaudit.package.index import JournalIndex, index_journal
from tests.forge import chained
from tests.support.openings import opened_row

STATE = FileState(
    size_bytes=1, modified_at=NanoInstant("@0.000000000"), changed_at=NanoInstant("@0.000000000"),
    accessed_at=NanoInstant("@0.000000000"), born_at=None, mode=0, user_id=0, group_id=0, owner=None, group=None,
    device="1", inode="1", links=1, allocated_bytes=None,
)  # fmt: skip
COUNTS = Counts(
    items=0, payload_bytes=0, walks=0, pages=0, sessions_seen=0, sessions_kept=0, sessions_excluded=0, messages=0,
    losses=LossCounts(),
)  # fmt: skip
AT = Instant("2026-03-02T09:00:00.000000Z")
CLOSED = Closed(outcome="all_given", counts=COUNTS)


def root(survey: int, name: str = "r1") -> RootSeen:
    """A root of that survey."""
    found = Root(
        root=name, path="/s", resolved="/s", found="named", device="1", file_system=None, mount_options=None,
        read_only=None, access_times_kept=None,
    )  # fmt: skip
    return RootSeen(survey=survey, root=found)


def entry(survey: int, number: int) -> EntrySeen:
    """An entry of that survey."""
    return EntrySeen(
        entry=Entry(
            survey=survey, root="r1", number=number, name="x", kind="file", state=STATE, decision="preserve",
            rule="selected", role="transcript", category="transcript", session=None, owner=UNSET,
        )
    )  # fmt: skip


def kept(survey: int, number: int) -> Kept:
    """The copy of an entry."""
    item = PayloadFile(path=f"data/x{number}", bytes=0, sha256=digest_of(b""))
    return Kept(
        survey=survey, root="r1", entry=number, role="transcript", session=None, item=item, before=STATE, after=STATE,
        change="none", complete=True, tries=1, access_time_kept=None,
    )  # fmt: skip


def changed(survey: int, number: int | None) -> EntryChanged:
    """What a second look found of an entry."""
    return EntryChanged(survey=survey, root="r1", entry=number, name="x", kind="file", change="changed", state=None)


def again(survey: int) -> StoreLookedAgain:
    """A second look."""
    return StoreLookedAgain(survey=survey, begun_at=AT, roots=(), facts=None)


def index(*rows: Act) -> JournalIndex:
    """The index of these rows between the first and the last."""
    stamped = [msgspec.structs.replace(row, at=AT) for row in (opened_row(), *rows, CLOSED)]
    lines = chained(stamped).splitlines(keepends=True)
    return index_journal(links(lines, JOURNAL_CODEC, Act))


@pytest.mark.parametrize(
    ("rows", "codes"),
    [
        ((root(1), entry(1, 1), entry(1, 2), kept(1, 1), kept(1, 2)), []),
        ((root(1), entry(1, 1), root(2), root(2, "r2"), entry(2, 1), kept(2, 1)), []),
        ((root(1), root(2), entry(2, 1)), []),
        ((root(1), entry(1, 2)), ["J011"]),
        ((root(1), entry(1, 1), entry(1, 3)), ["J011"]),
        ((root(1), entry(1, 1), entry(1, 1)), ["J011"]),
        ((entry(1, 1),), ["J011"]),
        ((root(2), entry(2, 1)), ["J011", "J011"]),
        ((root(1), entry(1, 1), root(1)), ["J011"]),
        ((root(1), entry(1, 1), kept(1, 2)), ["J011"]),
        ((root(1), entry(1, 1), kept(2, 1)), ["J011"]),
        ((root(1), entry(1, 1), root(2), entry(2, 1), kept(1, 1)), ["J011"]),
        ((root(1), entry(1, 1), changed(1, 1), changed(1, None), again(1)), []),
        ((root(1), entry(1, 1), changed(1, 2)), ["J011"]),
        ((root(1), entry(1, 1), changed(2, None), again(2)), ["J011", "J011"]),
    ],
)
def test_surveys_and_copies_follow_each_other(rows: tuple[Act, ...], codes: list[str]) -> None:
    """A survey begins with its roots and counts its entries; a copy is of an entry of the last survey before it."""
    assert [remark.code for remark in index(*rows).remarks] == codes


def test_the_roots_of_the_last_survey_count() -> None:
    """Those of a survey that was made anew are not stated twice."""
    found = index(root(1), root(1, "r2"), root(2))
    assert [one.root for one in found.roots] == ["r1"]


def test_the_last_copy_of_an_entry_counts() -> None:
    """Earlier copies of a file that was read again are superseded; those of another survey have other entries."""
    assert index(root(1), entry(1, 1), entry(1, 2), kept(1, 2), kept(1, 1)).superseded == set()
    again = index(root(1), entry(1, 1), entry(1, 2), kept(1, 2), kept(1, 1), kept(1, 2), kept(1, 2))
    offsets = [mark.offset for mark in again.items if mark.path == "data/x2"]
    assert again.superseded == set(sorted(offsets)[:2])
    anew = index(root(1), entry(1, 1), kept(1, 1), root(2), entry(2, 1), kept(2, 1))
    assert anew.superseded == set()
    assert index(root(1), entry(1, 1), kept(1, 1), kept(1, 2), kept(1, 2)).superseded == set()
