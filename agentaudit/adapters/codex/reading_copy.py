"""The records of one preserved thread with their content, from its rollouts, for a working copy.

- Every record is a piece: what is said, called, given back, recorded by the program, in force. Only counts of tokens
  are named and not shown. A type that nobody here knows is shown as it stands.
- A compressed rollout is read through bounded decompression; lines and bytes are those of its text.
- Files of one thread repeat each other (a compressed twin, a second read): a record that stood in an earlier file at
  the same place with the same bytes is marked as repeated.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import msgspec

from agentaudit.adapters.codex.copied_records import Rollout
from agentaudit.adapters.codex.unpacked import LINE_MAX, Unpacked
from agentaudit.adapters.wholelines import whole_lines
from agentaudit.encoding.envelope import Envelopes, Raw
from agentaudit.model.tagfiles import ItemRow, WalkRow
from agentaudit.model.workingcopy import Aside, Message, NotRead, Way

READER = "codex-copy/1"

_DOCUMENT = "old_rollout"
_RANKS = {
    "rollout": 0, "rollout_zst": 1, "archived_rollout": 2, "archived_rollout_zst": 3, _DOCUMENT: 4, "rollout_copy": 5,
}  # fmt: skip

_Place = tuple[int, bytes | None, Way]


class _Document(msgspec.Struct, frozen=True, kw_only=True):
    session: Raw = Raw()
    items: list[Raw] = []


_DOCUMENTS = Envelopes(_Document, shallow=True)


@dataclass(frozen=True, slots=True)
class CodexCopyReader:
    """This adapter, as a working copy knows it."""

    @property
    def name(self) -> str:
        """`codex-copy/1`."""
        return READER

    def reads(self, adapter: str) -> bool:
        """True for preserved homes of this agent."""
        return adapter.startswith("codex/")

    def rank(self, item: ItemRow) -> int | None:
        """The rollout first, then its twins and copies; None for every other file of a thread."""
        return None if item.facts is None else _RANKS.get(item.facts.role)

    def open(self, session: str, walks: tuple[WalkRow, ...]) -> "CodexCopy":
        """Begin; a preserved thread needs no more than its files."""
        del session, walks
        return CodexCopy()


class CodexCopy:
    """One pass over the rollouts of one thread."""

    def __init__(self) -> None:
        self._earlier: set[int] = set()

    def feed(self, item: ItemRow, lines: Iterable[bytes]) -> Iterator[Message | NotRead | Aside]:
        """The records of one file, in its order."""
        row = item.provenance.row if item.provenance is not None else None
        file = Way(item=item.path, sha256=item.sha256, pointer="", request_id=None, row=row)
        text, rollout = Unpacked(lines), Rollout(item.path)
        is_document = item.facts is not None and item.facts.role == _DOCUMENT
        here: set[int] = set()
        for place, octets, way in _items(text, file) if is_document else _lines(text, file):
            if octets is None:
                yield NotRead(part=item.path, reason="over_limit", way=way)
            elif octets.strip(b" \t\r\n"):
                seen = hash((place, octets))
                here.add(seen)
                yield rollout.read(octets, way, index=place, repeated=seen in self._earlier)
        self._earlier |= here
        if text.fault is not None:
            yield NotRead(part=item.path, reason=text.fault, way=file)


def _lines(text: Unpacked, file: Way) -> Iterator[_Place]:
    for number, offset, line in whole_lines(text.lines()):
        yield number - 1, line, msgspec.structs.replace(file, line=number, offset_bytes=offset)


def _items(text: Unpacked, file: Way) -> Iterator[_Place]:
    """The session and the items of the one document that the oldest releases wrote; else the document as a whole."""
    parts, size = [], 0
    for piece in text.lines():
        size += len(piece)
        if size <= LINE_MAX:
            parts.append(piece)
    octets = b"".join(parts)
    found = _DOCUMENTS.read(octets) if size <= LINE_MAX else None
    if found is None or not found.session:
        yield 0, octets if size <= LINE_MAX else None, file
        return
    yield 0, bytes(found.session), msgspec.structs.replace(file, pointer="/session")
    for number, item in enumerate(found.items):
        yield number + 1, bytes(item), msgspec.structs.replace(file, pointer=f"/items/{number}")
