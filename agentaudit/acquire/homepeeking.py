"""What a few files of a Codex home say of it, read before anything is copied: ids, counts and switches alone.

- Each file is read once, within a bound; what does not fit it says nothing.
- A history names threads; a configuration sets switches. A rollout whose name has no id names its thread in its first
  line; the working folder that a first line states is read only when projects were selected, and is written nowhere.
- Of a compressed rollout the beginning is decompressed, within the bound of a line.
"""

import contextlib
import io
from collections.abc import Iterable, Mapping

from agentaudit.acquire.peeking import DOCUMENT_MAX_BYTES, PEEK_BYTES, Peeked, beginning
from agentaudit.adapters.codex.naming import PACKED_LINES_ROLES
from agentaudit.adapters.codex.roles import ROLLOUTS, Placed, place_of
from agentaudit.adapters.codex.rollout import Head, head_of
from agentaudit.adapters.codex.witnesses import HistoryReading
from agentaudit.adapters.settings.codex import switches_of
from agentaudit.adapters.stores.cutting import LineCutter
from agentaudit.adapters.stores.words import id_word
from agentaudit.encoding.foreign import NotJson, decode
from agentaudit.encoding.streams import Faulty, decompressed
from agentaudit.model.storejournal import HistoryCount, RootSwitch
from agentaudit.model.survey import Seen
from agentaudit.model.text import SourceText
from agentaudit.sources.local.read import Reader

_CONFIG = b"config.toml"


def peek_home(entries: Iterable[Seen], readers: Mapping[str, Reader], *, folders: bool) -> Peeked:
    """Read the files that explain the home; `readers` by root. `folders`: working folders of rollouts are wanted."""
    peeked = Peeked()
    for number, seen in enumerate(entries, 1):
        if seen.kind != "file" or seen.look is None:
            continue
        placed, reader = place_of(seen.parts), readers[seen.root]
        if placed.role == "history":
            _history(seen, reader, peeked)
        elif placed.role == "settings" and seen.parts[-1] == _CONFIG:
            for switch in switches_of(_document(seen, reader)):
                peeked.switches.append((seen.root, number, RootSwitch(root=seen.root, entry=number, switch=switch)))
        elif placed.role in ROLLOUTS and (folders or placed.session is None):
            _head(seen, placed, reader, peeked)
    return peeked


def _document(seen: Seen, reader: Reader) -> bytes:
    octets = beginning(seen, reader, DOCUMENT_MAX_BYTES + 1)
    return octets if len(octets) <= DOCUMENT_MAX_BYTES else b""


def _head(seen: Seen, placed: Placed, reader: Reader, peeked: Peeked) -> None:
    """The thread of a rollout whose name has none, and the folder that it worked in."""
    head = _head_in(seen, placed, reader)
    thread: SourceText | None = placed.session
    if thread is None and head is not None and head.thread:
        thread = peeked.owners[seen.root, seen.parts] = id_word(head.thread)
    if thread is not None and head is not None and head.folder is not None:
        peeked.folders.append((thread, head.folder))


def _head_in(seen: Seen, placed: Placed, reader: Reader) -> Head | None:
    octets = beginning(seen, reader, PEEK_BYTES)
    if placed.role in PACKED_LINES_ROLES:
        octets = _unpacked(octets)
    return head_of(octets.partition(b"\n")[0])


def _unpacked(octets: bytes) -> bytes:
    """The beginning of the text: its first line, or as much as the bound allows."""
    text = bytearray()
    with contextlib.suppress(Faulty):  # the end of what was read is seldom the end of the stream
        for piece in decompressed(io.BytesIO(octets), "zstd"):
            text += piece
            if b"\n" in piece or len(text) >= PEEK_BYTES:
                break
    return bytes(text)


def _history(seen: Seen, reader: Reader, peeked: Peeked) -> None:
    reading = HistoryReading()

    def line(octets: bytes) -> None:
        with contextlib.suppress(NotJson):
            reading.see(decode(octets))

    cutter = LineCutter(line)
    reader.read(seen, cutter.feed)
    cutter.finish()
    peeked.history_cut = peeked.history_cut or reading.cut
    peeked.history += [
        HistoryCount(root=seen.root, session=session, lines=lines)
        for session, lines in sorted(reading.sessions.items())
    ]
