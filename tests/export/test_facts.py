"""Any value as pairs, with names and without."""

from agentaudit.export.facts import facts_of
from agentaudit.model.base import Frozen
from agentaudit.model.text import Unencodable


class Inner(Frozen, frozen=True, kw_only=True):
    """A nested value."""

    name: str
    number: int


class Outer(Frozen, frozen=True, kw_only=True):
    """A value of every shape."""

    flag: bool
    headers: tuple[tuple[str, str], ...]
    inner: tuple[Inner, ...]
    nothing: None
    path: str | Unencodable
    role: str
    words: tuple[str, ...]
    digest: str = "sha256:" + "a" * 64
    session: str = "s000012"
    at: str = "2026-10-01T08:00:00.123456789Z"


VALUE = Outer(
    flag=True,
    headers=(("accept", "x"),),
    inner=(Inner(name="Alice", number=-3),),
    nothing=None,
    path="/home/alice",
    role="transcript",
    words=("secret", "plan"),
)


def test_a_value_is_told_by_dotted_keys() -> None:
    """Nesting is told by dots, places by numbers, pairs by their names, lists of texts as one text."""
    told = dict(facts_of(VALUE, skip=frozenset({"digest", "at", "session"})))
    assert told == {
        "flag": "true",
        "headers.accept": "x",
        "inner.0.name": "Alice",
        "inner.0.number": "-3",
        "nothing": "null",
        "path": "/home/alice",
        "role": "transcript",
        "words": "secret, plan",
    }


def test_without_names_only_what_is_no_name_is_told() -> None:
    """Numbers, truth values, digests, instants, session keys and coded words stay; texts go."""
    told = dict(facts_of(VALUE, names=False))
    assert set(told) == {"flag", "inner.0.number", "nothing", "role", "digest", "session", "at"}


def test_a_path_that_looks_coded_is_a_name_all_the_same() -> None:
    """A word under a key that may hold a name is left out however harmless it looks."""
    assert "path" not in dict(facts_of(Inner(name="salaries", number=1), names=False))
    assert dict(facts_of(Inner(name="salaries", number=1), names=False)) == {"number": "1"}
