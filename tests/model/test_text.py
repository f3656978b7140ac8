"""Foreign text as it may be written."""

from hypothesis import given
from hypothesis import strategies as st

from agentaudit.model.text import Unencodable, display, source_text

ANY = st.text(st.characters(exclude_categories=()), max_size=8)


@given(ANY)
def test_a_word_is_kept_verbatim_or_as_hex_beside_a_display_form(word: str) -> None:
    """Its code units come back from the hex; what is written is always UTF-8."""
    kept = source_text(word)
    if isinstance(kept, Unencodable):
        assert bytes.fromhex(kept.hex).decode("utf-8", "surrogatepass") == word
        assert any(0xD800 <= ord(character) <= 0xDFFF for character in word)
    else:
        assert kept == word
    assert display(kept).encode().decode() == display(kept)


def test_a_lone_surrogate_is_told_from_the_mark_that_stands_for_it() -> None:
    """The display form of one word is never taken for another word."""
    lone, mark = source_text("a\ud800"), source_text("a?")
    assert display(lone) == display(mark) == "a?"
    assert lone != mark
