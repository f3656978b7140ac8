"""Rows of named members, and what probes see in them."""

from itertools import permutations

import pytest

from agentaudit.encoding.jsonl import looking
from agentaudit.encoding.jsonl.asked import Asked, Probe, Probed
from agentaudit.encoding.jsonl.looking import SHAPE_NAMES_MAX
from agentaudit.encoding.jsonl.rows import LONG, WORD_MAX, Row, short
from tests.encoding.jsonl.records import framed, lines


def test_a_member_is_a_string_an_integer_a_row_or_nothing() -> None:
    """Nothing else is converted."""
    numbers = b'"i":12,"m":-7,"f":1.5,"e":1e3,"h":99999999999999999999'
    text = b' {"s":"\\u00e9\\n",' + numbers + b',"b":true,"n":null,"l":[1],"o":{"k":"v"}}'
    row = Row(text, 1)
    assert (row["s"], row["i"], row["m"]) == ("é\n", 12, -7)
    assert [row[name] for name in ("f", "e", "h", "b", "n", "l")] == [None] * 6
    inner = row["o"]
    assert isinstance(inner, Row)
    assert (inner["k"], list(inner)) == ("v", ["k"])
    assert list(row) == ["s", "i", "m", "f", "e", "h", "b", "n", "l", "o"]
    with pytest.raises(KeyError):
        row["x"]


def test_an_empty_object_has_no_members() -> None:
    """It is a row all the same."""
    assert list(Row(b"{}", 0)) == []


def test_a_word_that_is_too_long_is_like_any_other_such_word() -> None:
    """It is neither copied nor told apart."""
    for length in (WORD_MAX + 1, 100_000):
        row = Row(b'{"' + b"k" * length + b'":"' + b"v" * length + b'"}', 0)
        assert list(row) == [LONG]
        assert row[LONG] == LONG
    assert short("v" * WORD_MAX) == "v" * WORD_MAX


TEXT = lines(
    b'{"type":"a","v":"2.1","t":"2026-01-02","o":{"p":"x"},"n":3}',
    b' {"type":"b","v":"2.0","t":"2026-01-01","o":{"p":"y"},"n":-1}',
    b'{"type":"a","v":"2.1","o":{"p":["no"]},"n":2}',
    b'{"type":7,"v":{"no":1},"o":"no","n":"3"}',
    b'{"v":"' + b"z" * 5_000 + b'","n":2.5,"o":{"q":1}}',
    b"[]",
    b'{"v":"lost',
)


def probed(*probes: Probe) -> tuple[Probed, ...]:
    """What the probes see in the text."""
    return framed(TEXT, Asked(probes=probes), slot_bytes=90).probed


def test_a_probe_counts_words_in_their_order() -> None:
    """Strings and integers below its names; anything else, and what is not a good line, is passed over."""
    (versions,) = probed(Probe(("v",)))
    assert versions.words == (("2.1", 2), ("2.0", 1))
    assert (versions.first, versions.last, versions.least, versions.greatest) == ("2.1", "2.1", "2.0", "2.1")


def test_a_probe_keeps_the_first_words_and_the_number_of_the_rest() -> None:
    """The bound is on different words."""
    (versions,) = probed(Probe(("v",), 1))
    assert (versions.words, versions.beyond) == ((("2.1", 2),), 1)


def test_a_probe_for_bounds_keeps_no_words() -> None:
    """First and last in the order of the text, least and greatest by value."""
    times, numbers = probed(Probe(("t",), 0), Probe(("n",), 0))
    assert (times.words, times.beyond) == ((), 0)
    assert (times.first, times.last, times.least, times.greatest) == (
        "2026-01-02", "2026-01-01", "2026-01-01", "2026-01-02",
    )  # fmt: skip
    assert (numbers.first, numbers.last, numbers.least, numbers.greatest) == (3, "3", "3", "3")


def test_a_probe_goes_below_names() -> None:
    """A string, a list or nothing on the way is no word."""
    inner, nothing = probed(Probe(("o", "p")), Probe(("x", "y", "z")))
    assert inner.words == (("x", 1), ("y", 1))
    assert (nothing.words, nothing.first, nothing.least) == ((), None, None)


def test_a_key_set_of_too_many_names_is_only_counted() -> None:
    """The line is good, and the set is one of those beyond."""
    names = b",".join(b'"k%d":0' % number for number in range(SHAPE_NAMES_MAX + 1))
    found = framed(lines(b"{" + names + b"}", b"{}"), Asked(keys=True)).facts
    assert isinstance(found.key_sets, tuple)
    assert ([one.keys for one in found.key_sets], found.key_sets_beyond) == ([()], 1)


def test_key_sets_are_the_same_however_many_orders_of_names_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered of orders is bounded, and is only a shortcut."""
    monkeypatch.setattr(looking, "_MEMO_MAX", 2)
    rows = [b"{" + b",".join(b'"%c":0' % name for name in names) + b"}" for names in permutations(b"abc")]
    found = framed(lines(*rows, *rows), Asked(keys=True)).facts
    assert isinstance(found.key_sets, tuple)
    assert [one.lines for one in found.key_sets] == [12]
