"""Derived lines against the tag files that lie there, line by line, without holding either.

- A comparison is a sink: it takes the lines in order and keeps the number of the first that differs.
- Tag files that are not derived again are read for their form and recounted.
"""

from agentaudit.encoding.canonical import NotCanonical
from agentaudit.format import layout
from agentaudit.format.codecs import LINE_CODECS
from agentaudit.format.tally import Tally
from agentaudit.model.losses import Truncation
from agentaudit.model.readings import RecordRow, SessionRow
from agentaudit.model.sessionrow import BundleRow
from agentaudit.package.derive import ROW_MAX
from agentaudit.package.tree import Tree

READINGS = (
    layout.SESSIONS, layout.RECORDS, layout.TRUNCATIONS, layout.EVENTS, layout.STREAMS, layout.COVERAGE,
)  # fmt: skip


class Comparison:
    """One tag file, compared as its lines come; close it by asking `differs_at`."""

    def __init__(self, tree: Tree, name: str) -> None:
        """Open the file as it lies there; OSError when it cannot be."""
        self._stream = tree.stream(name)
        self._lines = 0
        self._differs = 0

    def __call__(self, line: bytes) -> None:
        """Compare the next line."""
        self._lines += 1
        if not self._differs and self._stream.read(len(line)) != line:
            self._differs = self._lines

    def differs_at(self) -> int:
        """The first line that differs, from 1; 0 when none does. What lies behind the last line differs too."""
        if not self._differs and self._stream.read(1):
            self._differs = self._lines + 1
        self._stream.close()
        return self._differs


def read_form(tree: Tree, name: str, tally: Tally) -> int:
    """The first line of a tag file that is not canonical, from 1, or 0; readings are added to the tally."""
    codec = LINE_CODECS[name]
    number = 0
    for number, line in enumerate(tree.lines(name, ROW_MAX), 1):
        try:
            row = codec.decode(line[:-1] if line.endswith(b"\n") else b"")
        except NotCanonical:
            return number
        match row:
            case SessionRow() | BundleRow():
                tally.session(row)
            case RecordRow():
                tally.record(row)
            case Truncation():
                tally.truncation(row)
            case _:
                pass
    whole = name not in (layout.COVERAGE, layout.PACKAGE) or number == 1
    return 0 if whole else number + 1
