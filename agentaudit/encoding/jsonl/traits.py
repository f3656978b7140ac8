"""What else is asked of bytes that the grammar accepts: are they UTF-8, and is something unusual in them.

- Nothing is converted: a number is compared digit by digit, a string is searched, not unescaped.
- Text of any length is looked at in slices, so that no second copy of a long line is made.
"""

import codecs
import re

from agentaudit.encoding.jsonl.grammar import Octets

_SLICE = 65_536
_ESCAPE = re.compile(rb"\\(?:u([0-9A-Fa-f]{4})|[^u])")
_SURROGATE = re.compile(rb"\\u[dD][89A-Fa-f]")
_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)
_SEPARATOR = re.compile(rb"\xe2(?=\x80[\xa8\xa9])")


def bad_utf8_at(text: Octets) -> int | None:
    """Where the first byte stands that is not UTF-8 (RFC 3629); None when all are."""
    if text.isascii():
        return None
    view, at = memoryview(text), 0
    while at < len(text):
        try:
            _, taken = codecs.utf_8_decode(view[at : at + _SLICE], "strict", at + _SLICE >= len(text))
        except UnicodeDecodeError as error:
            # The error holds the bytes: only the place leaves this function.
            return at + error.start
        at += taken
    return None


def has_line_separator(text: Octets) -> bool:
    """True when U+2028 or U+2029 stands in the text as itself."""
    return _SEPARATOR.search(text) is not None


def has_lone_surrogate(text: Octets) -> bool:
    """True when a grammatical text escapes one half of a surrogate pair alone (RFC 8259, section 8.2)."""
    if _SURROGATE.search(text) is None:
        return False
    high_ends: int | None = None
    for escape in _ESCAPE.finditer(text):
        unit = int(escape.group(1) or b"0", 16)
        low = unit in _LOW
        if low != (high_ends is not None) or (low and high_ends != escape.start()):
            return True
        high_ends = escape.end() if unit in _HIGH else None
    return high_ends is not None
