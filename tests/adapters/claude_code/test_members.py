"""Entries as members: where they lie is their true name, part by part."""

from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.claude_code.members import member_at, member_of
from agentaudit.model.local import true_name


@given(st.lists(st.binary(max_size=3).map(lambda part: part.replace(b"/", b"x")), min_size=1, max_size=5))
def test_a_member_lies_where_its_name_says(parts: list[bytes]) -> None:
    """However the name is taken apart, and whatever was taken apart before."""
    name = b"/".join(parts)
    found = member_of("r1", true_name(name), "file", None)
    assert found == member_at("r1", tuple(parts), "file", None)
    assert found.parts == tuple(name.split(b"/"))
