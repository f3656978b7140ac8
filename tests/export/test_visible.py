"""Foreign text: what cannot be seen is written out."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from agentaudit.export.visible import visible, visible_lines


def test_plain_text_stays_as_it_is() -> None:
    """A text of seen characters is not touched, whatever its script."""
    assert visible("Größe 漢字 a") == "Größe 漢字 a"


def test_what_steers_is_written_out() -> None:
    """Control, bidi, zero-width and surrogate characters become escapes."""
    assert visible("a\x1b[2J\u202e\u200b\ud800\n") == "a\\x1b[2J\\u202e\\u200b\\ud800\\n"


@given(st.text(st.characters()))
def test_the_result_is_seen_whole_and_is_utf8(text: str) -> None:
    """Nothing that `visible` gives is of an unseen category, and UTF-8 has it."""
    shown = visible(text)
    shown.encode()
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def test_lines_break_where_any_reader_might_break_them() -> None:
    """Every line separator of Unicode ends a line, and a tab stays."""
    assert list(visible_lines("a\tb\rc\x85d\u2028e\x1b")) == ["a\tb", "c", "d", "e\\x1b"]
