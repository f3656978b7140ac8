"""JSON documents in a text: one a line, pretty-printed one behind the other, or glued; what is damaged is passed over.

- A document that does not fit on its line ends with the line that begins with its closing brace, and a line that
  begins with a brace begins a new one: no other line of a pretty-printed document begins so.
- What cannot be read is a fault with its offset, and reading goes on behind it. A document at the end that is not
  whole is `last_document_cut`: its writer was stopped, or the file was copied while it grew.
- A document longer than `DOCUMENT_MAX` is passed over; nothing else is held.
"""

from collections.abc import Callable
from typing import Final, Protocol

DOCUMENT_MAX: Final = 64 * 1024 * 1024
"""Bytes of one document."""

_MARK: Final = b"\xef\xbb\xbf"
_GLUE: Final = b"}{"
_TRIES_TIMES: Final = 8
_BEGINS: Final = (b'{"resourceLogs"', b'{"resourceMetrics"', b'{"resourceSpans"')

Fault = Callable[[str, int], None]
Take = Callable[[int, bytes], bool]
"""Takes the offset and the bytes of a document; false when they are no JSON object."""


class Framing(Protocol):
    """What finds documents in the bytes of a file, piece by piece."""

    def feed(self, octets: bytes) -> None:
        """Take the next bytes."""
        ...

    def finish(self) -> None:
        """The last byte was fed."""
        ...


class JsonText:
    """The documents of one text, given to `take`; faults to `fault`."""

    def __init__(self, take: Take, fault: Fault, document_max: int = DOCUMENT_MAX) -> None:
        """Begin at offset 0."""
        self.take = take
        self.fault = fault
        self.max = document_max
        self._at = 0
        self._tail: list[bytes] = []
        self._tail_bytes = 0
        self._over = False
        self._pretty: list[bytes] = []
        self._began = 0
        self._held = 0
        self._ending = False

    def feed(self, octets: bytes) -> None:
        """Take the next bytes."""
        begin, end = 0, octets.find(b"\n")
        if end >= 0 and (self._tail or self._over):
            self._long(octets[:end])
            begin, end = end + 1, octets.find(b"\n", end + 1)
        while end >= 0:
            at = self._at
            self._at = at + end + 1 - begin
            if end - begin > self.max:
                self.fault("document_over_limit", at)
            else:
                self._line(at, octets[begin:end])
            begin, end = end + 1, octets.find(b"\n", end + 1)
        self._keep(octets[begin:])

    def finish(self) -> None:
        """The last byte was fed: what is not whole now never will be."""
        self._ending = True
        if self._tail or self._over:
            self._long(b"")
        if self._pretty:
            self._ended()

    def _ended(self) -> None:
        """The text ended inside a document."""
        if self._held > self.max:
            self.fault("document_over_limit", self._began)
        elif not self.take(self._began, b"\n".join(self._pretty)):
            self.fault("last_document_cut", self._began)

    def _keep(self, octets: bytes) -> None:
        """Hold the beginning of a line, or forget it where it grew too long."""
        if not octets:
            return
        self._tail.append(octets)
        self._tail_bytes += len(octets)
        if self._tail_bytes > self.max:
            self._tail = [b""]
            self._over = True

    def _long(self, end: bytes) -> None:
        """The end of a line that began in an earlier piece."""
        at, length = self._at, self._tail_bytes + len(end)
        line, over = b"".join([*self._tail, end]), self._over
        self._tail, self._tail_bytes, self._over = [], 0, False
        self._at = at + length + 1
        if over or length > self.max:
            self.fault("document_over_limit", at)
        else:
            self._line(at, line)

    def _line(self, at: int, line: bytes) -> None:
        if self._pretty:
            self._inner(at, line)
        elif not self.take(at, line):
            self._other(at, line)

    def _inner(self, at: int, line: bytes) -> None:
        """A line of a document that began on an earlier one."""
        if line.startswith(b"{"):
            self._pretty = []
            self.fault("document_cut", self._began)
            self._line(at, line)
            return
        self._held += len(line) + 1
        closed = line.startswith(b"}")
        if self._held <= self.max:
            self._pretty.append(line[:1] if closed else line)
        if closed:
            self._closed()
            if line[1:].strip():
                self._line(at + 1, line[1:])

    def _closed(self) -> None:
        document = b"\n".join(self._pretty)
        self._pretty = []
        if self._held > self.max:
            self.fault("document_over_limit", self._began)
        elif not self.take(self._began, document):
            self.fault("document_unreadable", self._began)

    def _other(self, at: int, line: bytes) -> None:
        """A line that is no document: empty, the beginning of one, several of them, or damage."""
        text = line.strip().removeprefix(_MARK)
        if not text:
            return
        if text.startswith(b"{") and text[-1:] in b"{[,":
            self._began, self._held, self._pretty = at, len(line), [text]
        elif not self._glued(at, line):
            self._damaged(at, line)

    def _glued(self, at: int, line: bytes) -> bool:
        """True when the line was several documents without anything between them."""
        begin, budget, end = 0, _TRIES_TIMES * len(line), line.find(_GLUE)
        while end >= 0 and budget > 0:
            budget -= end + 1 - begin
            if self.take(at + begin, line[begin : end + 1]):
                begin = end + 1
            end = line.find(_GLUE, end + 1)
        return begin > 0 and (self.take(at + begin, line[begin:]) or self._damaged(at + begin, line[begin:]))

    def _damaged(self, at: int, line: bytes) -> bool:
        """State the damage; a whole document behind a broken one, as a restarted writer leaves it, is read."""
        again = max(line.rfind(word) for word in _BEGINS)
        if again > 0 and self.take(at + again, line[again:]):
            self.fault("line_cut", at)
        elif self._ending and line.lstrip().startswith(b"{"):
            self.fault("last_document_cut", at + max(again, 0))
        else:
            self.fault("line_unreadable", at)
        return True
