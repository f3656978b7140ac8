"""The lines of a text in pieces of any size, and what is measured on the way."""

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.openai_logs.lines import Line, LineCutter, Measured


def _cut(text: bytes, size: int, limit: int = 1_000) -> list[Line]:
    cutter = LineCutter(limit)
    found = [line for at in range(0, len(text), size) for line in cutter.feed(text[at : at + size])]
    return [*found, *cutter.finish()]


@given(st.binary(max_size=60).map(lambda octets: octets.replace(b"\x01", b"\n")), st.integers(1, 20))
def test_lines_are_the_text_whatever_the_pieces(text: bytes, size: int) -> None:
    """Joined they are the text again, each at its offset, each ended by its line feed but the last."""
    found = _cut(text, size)
    assert b"".join(line.octets or b"" for line in found) == text
    assert [line.number for line in found] == list(range(1, len(found) + 1))
    for line in found:
        assert text[line.offset :].startswith(line.octets or b"")
        assert line.is_ended is (line.octets or b"").endswith(b"\n")


def test_a_line_over_the_limit_is_counted_and_not_held() -> None:
    """The next one is where it should be."""
    found = _cut(b"ab\n" + b"x" * 50 + b"\ncd", 7, limit=10)
    assert [(line.number, line.offset, line.octets) for line in found] == [
        (1, 0, b"ab\n"),
        (2, 3, None),
        (3, 54, b"cd"),
    ]


def test_bytes_are_counted_and_hashed() -> None:
    """The digest is that of all that came."""
    measured = Measured()
    measured.take(b"ab")
    measured.take(b"c")
    assert (measured.bytes, measured.sha256) == (3, f"sha256:{sha256(b'abc').hexdigest()}")
