"""Session keys: by order first seen, the same for plan and reading."""

from agentaudit.adapters.compliance.numbering import Numbering, session_key
from agentaudit.model.selection import NamedSession, SessionSelection


def test_selected_sessions_come_first_in_the_order_given() -> None:
    """Then whatever is seen, each family for itself, once."""
    selection = SessionSelection(
        families=("local", "remote"),
        sessions=(
            NamedSession(family="remote", id="b"),
            NamedSession(family="local", id="a"),
            NamedSession(family="remote", id="b"),
        ),
    )
    numbering = Numbering(selection)
    assert len(numbering) == 2
    assert [numbering.number("local", "c"), numbering.number("remote", "a"), numbering.number("remote", "b")] == [
        3,
        4,
        1,
    ]
    assert (numbering.identifier(4), numbering.family(4)) == ("a", "remote")
    assert (numbering.identifier(2), numbering.family(2)) == ("a", "local")


def test_trap_19_identifiers_that_differ_in_case_alone_are_two_sessions() -> None:
    """Identifiers are opaque and case-sensitive; the names in the package are counters."""
    numbering = Numbering(SessionSelection(families=("local",)))
    assert [numbering.number("local", "clls_a"), numbering.number("local", "clls_A")] == [1, 2]


def test_a_key_is_a_padded_counter() -> None:
    """A neutral counter, padded, so that keys sort as texts."""
    assert [session_key(number) for number in (1, 12, 1_234_567)] == ["s000001", "s000012", "s1234567"]
