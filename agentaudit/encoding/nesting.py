"""How deep a JSON text nests, told from its signs alone.

- How deep a parser goes depends, for some, on the interpreter and on who calls it. What is made of a text may not: so
  whoever uses such a parser asks here first, with a bound that all of them reach.
"""

import re

# Every parser that is used reads this deep, whatever calls it: the least of them has room for a thousand calls in all.
DEPTH_MAX = 256

# A string that does not end goes to the end of the text: else each quote in it would be tried as the first of another.
_STRING_OR_SIGN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[{}\[\]]', re.DOTALL)


def nests_beyond(text: bytes, depth_max: int) -> bool:
    """Whether objects and arrays of a grammatical text stand in each other more than so many deep (RFC 8259).

    Of a text that is no JSON the answer says nothing, but there is one.
    """
    if text.count(b"{") + text.count(b"[") <= depth_max:
        return False
    depth = 0
    for found in _STRING_OR_SIGN.finditer(text):
        sign = found[0]
        if sign in (b"{", b"["):
            depth += 1
            if depth > depth_max:
                return True
        elif sign in (b"}", b"]"):
            depth -= 1
    return False
