"""The exact reader of one JSON value: RFC 8259, iterative, over bytes, without converting anything.

- It tells a value that is complete, one that only breaks off, one that is wrong (and where), one that is too deep.
- Memory is one byte a level and, when asked, the places of the top-level members; no text is copied.
- Bytes of 0x80 and more are taken inside strings as they are: whether they are UTF-8 is asked elsewhere.
- A line feed is white space between tokens, so a document spread over lines can be read line by line.
"""

import re
from array import array
from enum import Enum

Octets = bytes | bytearray

DEPTH_MAX = 1_024
MEMBERS_MAX = 1_000_000


class Outcome(Enum):
    """How reading ended; `Reader.at` is where."""

    COMPLETE = "complete"
    PREFIX = "prefix"
    WRONG = "wrong"
    DEEP = "deep"


class _Want(Enum):
    """What may stand at the cursor."""

    VALUE = "value"
    FIRST_ITEM = "first item or ]"
    FIRST_KEY = "first key or }"
    KEY = "key"
    COLON = "colon"
    NEXT = "comma or close"
    NOTHING = "nothing"


_SPACE = re.compile(rb"[ \t\n\r]*")
# Groups are repeated a bounded number of times, so that a string of millions of escapes costs no memory.
_STRING = re.compile(rb'[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*){0,400}')
_ESCAPE_BEGUN = re.compile(rb"\\(?:u[0-9A-Fa-f]{0,3})?")
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NUMBER_BEGUN = re.compile(rb"-?(?:(?:0|[1-9][0-9]*)(?:\.|(?:\.[0-9]+)?[eE][+-]?))?\Z")
# Runs of simple members or items are taken at once; what does not fit (escapes, long integers) goes token by token.
_GAP = rb"[ \t\n\r]*"
_SIMPLE = (
    rb'(?:"[^"\\\x00-\x1f]*"'
    rb"|(?:-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?=[ \t\n\r,\]}]))"
)
_ITEMS = re.compile(rb"(?:" + _GAP + rb"," + _GAP + _SIMPLE + rb"){1,200}")
_PAIRS = re.compile(
    rb"(?:" + _GAP + rb"," + _GAP + rb'"[^"\\\x00-\x1f]*"' + _GAP + rb":" + _GAP + _SIMPLE + rb"){1,200}"
)
_SCALAR_LIKE = re.compile(rb"t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?|-?[0-9][-+.0-9eE]*|-?")
_WORDS = (b"true", b"false", b"null")
_WORD_BYTES_MAX = 5
_GLUE = frozenset(b"0123456789.+-_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

_GREATEST = b"18446744073709551615"
_LEAST = b"9223372036854775808"

_QUOTE, _COMMA, _COLON, _MINUS, _BACKSLASH, _OBJECT, _OBJECT_END, _ARRAY, _ARRAY_END = b'",:-\\{}[]'
_CLOSE = {_OBJECT: _OBJECT_END, _ARRAY: _ARRAY_END}


class Reader:
    """A cursor in one text, and the containers that are open at it.

    `huge` is true once a number was an integer beyond 64 bits. `members` holds, when asked
    for, three places of each of the first `MEMBERS_MAX` members of the outermost object: key, end of key, value.
    """

    __slots__ = ("_member", "_open", "_want", "at", "huge", "members")

    def __init__(self, *, members: bool = False) -> None:
        """Begin before a value."""
        self.at = 0
        self.huge = False
        self.members: array[int] | None = array("q") if members else None
        self._member: tuple[int, int] | None = None
        self._open = bytearray()
        self._want = _Want.VALUE

    def read(self, text: Octets, at: int) -> Outcome:
        """Read on from `at` until the value is complete, the text ends or it is wrong; tokens never span two texts.

        A text that ends between tokens is a PREFIX that a second call may go on from, with the text that follows.
        """
        self.at = at
        while True:
            self.at = space_end(text, self.at)
            if self.at == len(text):
                return Outcome.PREFIX
            outcome = self._step(text, text[self.at])
            if outcome is not None:
                return outcome
            if self._want is _Want.NOTHING:
                return Outcome.COMPLETE

    def _step(self, text: Octets, byte: int) -> Outcome | None:
        """Take one token; None while reading goes on."""
        want = self._want
        if want is _Want.NEXT:
            return self._next(text, byte)
        if want is _Want.COLON:
            return self._colon(byte)
        if want is _Want.KEY or (want is _Want.FIRST_KEY and byte != self._open[-1]):
            return self._key(text, byte)
        if want in (_Want.FIRST_KEY, _Want.FIRST_ITEM) and byte == self._open[-1]:
            self._shut()
            return None
        return self._value(text, byte)

    def _next(self, text: Octets, byte: int) -> Outcome | None:
        close = self._open[-1]
        if byte == close:
            self._shut()
        elif byte != _COMMA:
            return Outcome.WRONG
        elif not self._run(text, _PAIRS if close == _OBJECT_END else _ITEMS):
            self.at += 1
            self._want = _Want.KEY if close == _OBJECT_END else _Want.VALUE
        return None

    def _run(self, text: Octets, several: re.Pattern[bytes]) -> bool:
        """Take simple members or items at once; false when there are none, or when their places are asked for."""
        if self.members is not None and len(self._open) == 1:
            return False
        run = several.match(text, self.at)
        self.at = run.end() if run else self.at
        return run is not None

    def _colon(self, byte: int) -> Outcome | None:
        if byte != _COLON:
            return Outcome.WRONG
        self.at += 1
        self._want = _Want.VALUE
        return None

    def _key(self, text: Octets, byte: int) -> Outcome | None:
        if byte != _QUOTE:
            return Outcome.WRONG
        begin = self.at
        outcome = self._string(text)
        if outcome is None:
            self._want = _Want.COLON
            if self.members is not None and len(self._open) == 1:
                self._member = (begin, self.at)
        return outcome

    def _value(self, text: Octets, byte: int) -> Outcome | None:
        if self._member is not None:
            self._keep(self._member)
        if byte in _CLOSE:
            return self._enter(byte)
        outcome = self._string(text) if byte == _QUOTE else self._scalar(text)
        if outcome is None:
            self._want = _Want.NEXT if self._open else _Want.NOTHING
        return outcome

    def _keep(self, name: tuple[int, int]) -> None:
        """Keep the places of a member whose value begins here."""
        if self.members is not None and len(self.members) < 3 * MEMBERS_MAX:
            self.members.extend((*name, self.at))
        self._member = None

    def _enter(self, byte: int) -> Outcome | None:
        if len(self._open) == DEPTH_MAX:
            return Outcome.DEEP
        self._open.append(_CLOSE[byte])
        self._want = _Want.FIRST_KEY if byte == _OBJECT else _Want.FIRST_ITEM
        self.at += 1
        return None

    def _shut(self) -> None:
        self._open.pop()
        self._want = _Want.NEXT if self._open else _Want.NOTHING
        self.at += 1

    def _string(self, text: Octets) -> Outcome | None:
        begin, self.at = self.at, self.at + 1
        while True:
            run = _STRING.match(text, self.at)
            end = run.end() if run else self.at
            if end == len(text):
                self.at = begin
                return Outcome.PREFIX
            if text[end] == _QUOTE:
                self.at = end + 1
                return None
            if text[end] != _BACKSLASH or end == self.at:
                return self._broken_string(text, begin, end)
            self.at = end

    def _broken_string(self, text: Octets, begin: int, at: int) -> Outcome:
        """An escape that the end of the text cuts is no error yet."""
        escape = _ESCAPE_BEGUN.match(text, at)
        self.at = escape.end() if escape else at
        if self.at < len(text):
            return Outcome.WRONG
        self.at = begin
        return Outcome.PREFIX

    def _scalar(self, text: Octets) -> Outcome | None:
        """A number or a word; what touches it on the right must not be part of it."""
        begin = self.at
        end = _scalar_end(text, begin)
        if end is not None and (end == len(text) or text[end] not in _GLUE):
            self.huge = self.huge or _is_huge(text, begin, end)
            self.at = end
            return None
        if _scalar_begun(text, begin):
            return Outcome.PREFIX
        self.at = _scalar_wrong_at(text, begin)
        return Outcome.WRONG


def space_end(text: Octets, at: int) -> int:
    """Where the white space that begins there ends (RFC 8259, section 2)."""
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _scalar_end(text: Octets, at: int) -> int | None:
    number = _NUMBER.match(text, at)
    if number is not None:
        return number.end()
    return next((at + len(word) for word in _WORDS if text.startswith(word, at)), None)


def _scalar_begun(text: Octets, at: int) -> bool:
    """True when the text ends inside a number or a word that could still become one."""
    if at < len(text) and _NUMBER_BEGUN.match(text, at):
        return True
    left = bytes(text[at : at + _WORD_BYTES_MAX])
    return at + len(left) == len(text) and any(word.startswith(left) for word in _WORDS)


def _scalar_wrong_at(text: Octets, at: int) -> int:
    """Where what begins like a number or a word stops being like one."""
    like = _SCALAR_LIKE.match(text, at)
    return like.end() if like else at


def _is_huge(text: Octets, begin: int, end: int) -> bool:
    """True for an integer that neither a signed nor an unsigned word of 64 bits holds; digits are compared as text."""
    if end - begin < len(_LEAST) or any(text.find(mark, begin, end) >= 0 for mark in (b".", b"e", b"E")):
        return False
    if end - begin > len(_GREATEST):
        return True
    digits, limit = (text[begin + 1 : end], _LEAST) if text[begin] == _MINUS else (text[begin:end], _GREATEST)
    return (len(digits), bytes(digits)) > (len(limit), limit)
