"""Words: what has the form of a version, an id or a name is kept; anything else is a label."""

from agentaudit.adapters.stores.words import Tally, id_word, name_word, version_word
from agentaudit.model.framing import label_of


def test_a_word_of_the_expected_form_is_kept() -> None:
    """Releases, ids and file names are themselves."""
    assert version_word("2.1.332") == "2.1.332"
    assert version_word("2.0.0-beta.1") == "2.0.0-beta.1"
    assert id_word("1c27c64e-5bd8-4142-9770-6171b4866689") == "1c27c64e-5bd8-4142-9770-6171b4866689"
    assert id_word("researcher@team") == "researcher@team"
    assert name_word("toolu_01.txt") == "toolu_01.txt"


def test_any_other_word_is_a_label() -> None:
    """A sentence in the place of a word never stands in an inventory."""
    sentence = "the secret is in the attic"
    for form in (version_word, id_word, name_word):
        assert form(sentence) == label_of(sentence)
    assert id_word("\ud83d").startswith("#")
    assert id_word("") == label_of("")
    assert version_word("2.1.332\n") == label_of("2.1.332\n")


def test_a_tally_is_bounded_and_says_so() -> None:
    """Words beyond the limit are cut; those that are known go on counting."""
    tally = Tally(2)
    for word in ("b", "a", "b", "c"):
        tally.add(word)
    assert tally.cut
    assert len(tally) == 2
    assert "a" in tally
    assert "c" not in tally
    assert tally.counts(str) == (("a", 1), ("b", 2))
    assert tally.first(str) == "b"
    assert tally.words(str) == ("a", "b")
    assert Tally(1).first(str) is None


def test_a_very_long_word_is_held_as_its_label() -> None:
    """Memory holds a label, and words of one written form are one row."""
    tally = Tally(3)
    long = "x" * 1000
    tally.add(long)
    tally.add("y")
    tally.add(long)
    assert tally.words(str) == (label_of(long), "y")
    assert tally.counts(str) == ((label_of(long), 2), ("y", 1))
    assert long in tally
    assert "x" * 999 not in tally
    assert tally.counts(lambda _word: "same") == (("same", 3),)
