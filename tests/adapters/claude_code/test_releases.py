"""Releases that lie on a machine: numbers are told, everything else is passed over."""

import pytest

from agentaudit.adapters.claude_code.releases import linked_release, releases_among, version_of
from agentaudit.encoding.foreign import Json
from agentaudit.model.text import Unencodable


def test_a_package_file_states_its_release() -> None:
    """One key is read."""
    assert version_of({"name": "x", "version": "2.0.14"}) == "2.0.14"


@pytest.mark.parametrize("package", [None, [], {}, {"version": 2}, {"version": "the secret"}, {"version": ""}])
def test_what_states_no_release_is_none(package: Json) -> None:
    """A word of another form is not even labelled: it may be anything."""
    assert version_of(package) is None


def test_names_that_are_numbers_are_releases() -> None:
    """Half-loaded files, names of another form and bytes that are no text are passed over."""
    names = (b"2.1.9", b"2.0.14", b".2.1.9.tmp", b"latest", b"2.1.9-beta.1", b"\xff2.1.9", b"2.1.9\n")
    assert releases_among(names) == ("2.0.14", "2.1.9", "2.1.9-beta.1")


def test_the_command_leads_to_a_release() -> None:
    """The last component of its link's text, where that is a number."""
    assert linked_release("/home/u/.local/share/claude/versions/2.1.332") == "2.1.332"
    assert linked_release("2.1.332") == "2.1.332"
    for target in (None, "", "/usr/bin/node", "/a/2.1.332/cli.js", Unencodable(hex="ff", display="x")):
        assert linked_release(target) is None
