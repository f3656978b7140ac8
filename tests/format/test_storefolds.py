"""The items of a preserved file."""

from agentaudit.format.storefolds import kept_files, kept_items
from agentaudit.model.base import digest_of
from agentaudit.model.journal import PayloadFile
from agentaudit.model.local import Attribute, FileState, NanoInstant
from agentaudit.model.storejournal import Kept

STATE = FileState(
    size_bytes=1, modified_at=NanoInstant("@0.000000000"), changed_at=NanoInstant("@0.000000000"),
    accessed_at=NanoInstant("@0.000000000"), born_at=None, mode=0, user_id=0, group_id=0, owner=None, group=None,
    device="1", inode="1", links=1, allocated_bytes=None,
)  # fmt: skip


def test_a_file_and_the_values_of_its_attributes_are_its_items() -> None:
    """The file first; an attribute whose value was not kept is none; the short form names the same files."""
    attributes = (
        Attribute(name="user.kept", bytes=2, sha256=digest_of(b"ab"), path="data/x.x01"),
        Attribute(name="user.bare", bytes=3, sha256=digest_of(b"abc")),
    )
    row = Kept(
        survey=1, root="r1", entry=1, role="transcript", session=None, before=STATE, after=STATE, change="none",
        item=PayloadFile(path="data/x", bytes=1, sha256=digest_of(b"a")), complete=True, tries=1,
        access_time_kept=None, attributes=attributes,
    )  # fmt: skip
    items = kept_items(row)
    assert [(item.path, item.role) for item in items] == [("data/x", "preserved"), ("data/x.x01", "attribute")]
    assert list(kept_files(row)) == [(item.path, item.bytes, item.sha256) for item in items]
