"""The row of an entry and back: what was seen is drawn from its row."""

import pytest

from agentaudit.adapters.stores.planned import Described, entry_of, seen_of
from agentaudit.adapters.stores.ruling import Ruling
from agentaudit.model.base import UNSET
from agentaudit.model.survey import Parts, Seen, look_from
from tests.support.openings import file_state


@pytest.mark.parametrize("parts", [(b"a", b"b c"), (b"\xff", b"\n")])
def test_what_was_seen_is_drawn_from_its_row(parts: Parts) -> None:
    """Also where the name is not UTF-8; a link's text is told by the row alone."""
    seen = Seen(root="r2", parts=parts, kind="file", look=look_from(file_state()), state=file_state())
    entry = entry_of(3, 4, seen, Ruling("preserve", "selected"), Described("log", "logs", "s000001", "owner"))
    assert (entry.survey, entry.number, entry.role, entry.session, entry.owner) == (3, 4, "log", "s000001", "owner")
    assert seen_of(entry) == seen


def test_what_was_not_seen_leaves_no_member_behind() -> None:
    """An entry without a look has no state, and what nobody stated is absent from its row."""
    seen = Seen(root="r1", parts=(b"a",), kind="unknown", problem="unreadable")
    entry = entry_of(1, 1, seen, Ruling("list", "not_seen"), Described("unknown", "other"))
    assert (entry.state, entry.owner, entry.target, entry.problem) == (None, UNSET, UNSET, "unreadable")
    assert seen_of(entry) == seen


def test_a_root_that_could_not_be_listed_has_no_parts() -> None:
    """Its row has the empty name, which is no entry of the root."""
    seen = Seen(root="r1", parts=(), kind="folder", problem="unreadable")
    entry = entry_of(1, 1, seen, Ruling("list", "not_seen"), Described("unknown", "other"))
    assert entry.name == ""
    assert seen_of(entry) == seen
