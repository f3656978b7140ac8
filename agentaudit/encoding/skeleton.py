"""The last reader of foreign JSON: iterative, so that no depth ends it.

- It accepts what RFC 8259 accepts, and lone surrogate escapes with it; of duplicate keys the last counts.
- It keeps no stack frame per level: memory is bounded by the text, not by the nesting.
- Whatever nests deeper than `DEPTH_MAX` becomes `ELIDED`; its text is still checked token by token.
"""

import re
from enum import Enum
from json.decoder import JSONDecodeError, JSONDecoder
from typing import TypeAlias

from agentaudit.encoding.nesting import DEPTH_MAX


class Elided(Enum):
    """The mark in the place of a value that nests too deep to be carried."""

    ELIDED = "elided"


ELIDED = Elided.ELIDED

Json: TypeAlias = bool | int | float | str | Elided | list["Json"] | dict[str, "Json"] | None

_DECODER = JSONDecoder(strict=True)
_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORDS: dict[str, bool | None] = {"null": None, "true": True, "false": False}
_INTEGER_DIGITS_MAX = 4_000


class NotJson(ValueError):
    """Bytes that are no JSON to any reader; the text holds an offset, never content."""


class _Open:
    """One open container: a list or a dict under construction, or neither when it lies too deep."""

    __slots__ = ("close", "into", "key")

    def __init__(self, close: str, into: list[Json] | dict[str, Json] | None) -> None:
        self.close = close
        self.into = into
        self.key = ""

    def put(self, item: Json) -> None:
        if isinstance(self.into, dict):
            self.into[self.key] = item
        elif self.into is not None:
            self.into.append(item)


def read_skeleton(text: str) -> Json:
    """The value of a JSON text, deep parts elided; raises `NotJson` (RFC 8259)."""
    scanner = _Scanner(text)
    return scanner.read()


class _Scanner:
    """A cursor over the text and the stack of containers that are open at it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.stack: list[_Open] = []
        self.root: Json = None

    def fail(self) -> NotJson:
        return NotJson(f"no JSON at character {self.at}")

    def space(self) -> None:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def read(self) -> Json:
        while self.value():
            pass
        self.space()
        if self.at != len(self.text):
            raise self.fail()
        return self.root

    def value(self) -> bool:
        """Take one value, or the opening of one; true while another value must follow."""
        self.space()
        mark = self.text[self.at : self.at + 1]
        if mark in ("{", "["):
            if self.open(mark):
                return True
        elif mark == '"':
            self.put(self.string())
        else:
            self.put(self.scalar())
        return self.after()

    def after(self) -> bool:
        """Close what ends here; true when a comma announces another value."""
        while self.stack:
            top = self.stack[-1]
            self.space()
            mark = self.text[self.at : self.at + 1]
            self.at += 1
            if mark == ",":
                self.name(top)
                return True
            if mark != top.close:
                raise self.fail()
            self.stack.pop()
        return False

    def name(self, top: _Open) -> None:
        """In an object, take the member's name and its colon."""
        if top.close != "}":
            return
        self.space()
        top.key = self.string()
        self.space()
        if self.text[self.at : self.at + 1] != ":":
            raise self.fail()
        self.at += 1

    def put(self, item: Json) -> None:
        if self.stack:
            self.stack[-1].put(item)
        else:
            self.root = item

    def open(self, mark: str) -> bool:
        """Open a container; false when it is empty and so closed again."""
        into: list[Json] | dict[str, Json] | None = None
        if len(self.stack) < DEPTH_MAX:
            into = {} if mark == "{" else []
            self.put(into)
        elif len(self.stack) == DEPTH_MAX:
            self.put(ELIDED)
        top = _Open("}" if mark == "{" else "]", into)
        self.at += 1
        self.space()
        if self.text[self.at : self.at + 1] == top.close:
            self.at += 1
            return False
        self.stack.append(top)
        self.name(top)
        return True

    def string(self) -> str:
        if self.text[self.at : self.at + 1] != '"':
            raise self.fail()
        try:
            word, self.at = _DECODER.raw_decode(self.text, self.at)
        except JSONDecodeError:
            raise self.fail() from None
        return str(word)

    def scalar(self) -> Json:
        for word, item in _WORDS.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return item
        match = _NUMBER.match(self.text, self.at)
        if match is None:
            raise self.fail()
        self.at = match.end()
        digits = match.group()
        if match.group(1) or match.group(2) or len(digits) > _INTEGER_DIGITS_MAX:
            return float(digits)
        return int(digits)
