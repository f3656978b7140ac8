"""What no selection decides: secrets, hard links to them, and what is no regular file."""

from typing import get_args

import pytest

from agentaudit.adapters.stores.ruling import Ruling, files_of, rule_by_nature, rule_on_kind
from agentaudit.adapters.stores.secret import Secret
from agentaudit.model.local import EntryKind
from agentaudit.model.survey import Look, Seen


def seen(kind: EntryKind = "file", inode: int = 7, *, looked_at: bool = True) -> Seen:
    """An entry of that kind on device 1."""
    look = Look(
        size=1, modified_ns=1, changed_ns=1, accessed_ns=1, born_ns=None, mode=0, user_id=0, group_id=0, device=1,
        inode=inode, links=1, allocated=None,
    )  # fmt: skip
    return Seen(root="r1", parts=(b"a",), kind=kind, look=look if looked_at else None)


@pytest.mark.parametrize(
    ("secret", "ruling"),
    [
        (Secret("name", "token"), Ruling("exclude", "credentials_name")),
        (Secret("location", "token"), Ruling("exclude", "credentials_location")),
        (Secret("location", "config"), Ruling("exclude", "credentials_location", digest=True)),
    ],
)
def test_a_secret_is_excluded_by_what_denies_it(secret: Secret, ruling: Ruling) -> None:
    """Only the account file and its copies may be read for a digest; a folder of secrets is listed."""
    assert rule_by_nature(seen(), secret, frozenset()) == ruling
    assert rule_by_nature(seen(looked_at=False), secret, frozenset()) == ruling
    assert rule_by_nature(seen("folder"), secret, frozenset()) == Ruling("list", "folder")


def test_a_hard_link_to_a_secret_is_excluded() -> None:
    """Its device and inode say so, whatever its name."""
    denied = files_of((seen(inode=9), seen("folder", inode=3), seen(inode=4, looked_at=False)))
    assert denied == frozenset({(1, 9)})
    assert rule_by_nature(seen(inode=9), None, denied) == Ruling("exclude", "credentials_inode")
    assert rule_by_nature(seen(inode=3), None, denied) is None


def test_what_was_not_looked_at_is_listed_as_that() -> None:
    """Nothing is decided about what nobody saw."""
    assert rule_by_nature(seen(looked_at=False), None, frozenset()) == Ruling("list", "not_seen")


def test_every_kind_but_a_file_is_listed_by_its_rule() -> None:
    """Folders and links by name, everything else as special."""
    for kind in get_args(EntryKind):
        if kind != "file":
            rule = rule_on_kind(kind)
            assert rule == (kind if kind in ("folder", "link") else "special")
            assert rule_by_nature(seen(kind), None, frozenset()) == Ruling("list", rule)
