"""One kept file, fed piece by piece: expanded where it is compressed, its form told by its bytes, its documents read.

- What cannot be read is a fault with its offset, and the rest is read where the framing allows it.
- A file that begins like documents of which none could be read is `unreadable`.
- Forms that are not OTLP are named, their documents counted, and nothing of them is looked at; but an index of raw
  bodies, and settings, of which known switches are read.
"""

from collections.abc import Callable
from typing import Final

from agentaudit.adapters.otlp.bodies import index_row, is_failed, named_files
from agentaudit.adapters.otlp.filetally import FileTally
from agentaudit.adapters.otlp.forms import HEAD_BYTES, json_form, named_form, shape_of
from agentaudit.adapters.otlp.frames import Framed, Whole
from agentaudit.adapters.otlp.jsontext import DOCUMENT_MAX, Framing, JsonText
from agentaudit.adapters.otlp.ledger import Ledger
from agentaudit.adapters.otlp.protobuf import read_document
from agentaudit.adapters.otlp.tolerant import document_of
from agentaudit.adapters.otlp.values import Document
from agentaudit.adapters.otlp.wire import BadWire
from agentaudit.adapters.settings.claude_code import switches_of as claude_switches
from agentaudit.adapters.settings.codex import switches_of as codex_switches
from agentaudit.encoding.envelope import Envelopes
from agentaudit.encoding.expanding import Expanding
from agentaudit.encoding.foreign import Json, NotJson, decode, mapping
from agentaudit.encoding.nesting import DEPTH_MAX, nests_beyond
from agentaudit.encoding.streams import Faulty, compression_of
from agentaudit.model.bundle import SwitchSetting
from agentaudit.model.stream import Place

SETTINGS_MAX: Final = 1024 * 1024

_DOCUMENTS: Final = Envelopes(Document, lax=True)


class FileFeed:
    """Takes the bytes of one file; `document_max` bounds a document."""

    def __init__(self, ledger: Ledger, tally: FileTally, document_max: int = DOCUMENT_MAX) -> None:
        """Begin before the first byte."""
        self.ledger = ledger
        self.tally = tally
        self.max = document_max
        self._raw = bytearray()
        self._raw_known = False
        self._expanding: Expanding | None = None
        self._lost = False
        self._head = bytearray()
        self._framing: Framing | None = None
        self._text_bytes = 0

    def feed(self, chunk: memoryview) -> None:
        """Take the next bytes."""
        if self._raw_known:
            self._take(bytes(chunk))
            return
        self._raw += chunk
        if len(self._raw) >= HEAD_BYTES:
            self._begin()

    def finish(self) -> None:
        """The last byte was fed."""
        if not self._raw_known:
            self._begin()
        if self._expanding is not None and not self._lost:
            self._guarded(self._expanding.finish)
        framing = self._shaped() if self._framing is None else self._framing
        framing.finish()
        if isinstance(framing, Framed):
            self.tally.counts["bytes_not_read"] += framing.unread
        if self.tally.form is None:
            self.tally.name("unreadable")
        self.tally.counts["text_bytes"] += self._text_bytes

    def _begin(self) -> None:
        self._raw_known = True
        octets, self._raw = bytes(self._raw), bytearray()
        self.tally.compression = compression_of(octets)
        if self.tally.compression is not None:
            self._expanding = Expanding(self.tally.compression, self._text)
        self._take(octets)

    def _take(self, octets: bytes) -> None:
        expanding = self._expanding
        if expanding is None:
            self._text(octets)
        elif self._lost:
            self.tally.counts["bytes_not_read"] += len(octets)
        else:
            self._guarded(lambda: expanding.feed(octets))

    def _guarded(self, step: Callable[[], None]) -> None:
        try:
            step()
        except Faulty as faulty:
            self._lost = True
            self.tally.fault(f"stream_{faulty.fault}", self._text_bytes)

    def _text(self, octets: bytes) -> None:
        self._text_bytes += len(octets)
        if self._framing is not None:
            self._framing.feed(octets)
            return
        self._head += octets
        if len(self._head) >= HEAD_BYTES:
            self._shaped()

    def _shaped(self) -> Framing:
        """The framing that the head asks for, fed with it."""
        octets, self._head = bytes(self._head), bytearray()
        match shape_of(octets[:HEAD_BYTES]):
            case "json_text":
                framing: Framing = JsonText(self._json, self.tally.fault, self.max)
            case "framed":
                framing = Framed(self._frame, self.tally.fault, self.max)
            case "protobuf":
                framing = Whole(self._body, self.tally.fault, self.max)
            case "console":
                self.tally.name("console_text")
                framing = _Unread()
            case _:
                framing = Whole(self._other, lambda _code, _at: self.tally.name("unknown"), SETTINGS_MAX)
        self._framing = framing
        framing.feed(octets)
        return framing

    def _json(self, offset: int, octets: bytes) -> bool:
        """A document of a text; false when it is no JSON object."""
        document = _DOCUMENTS.read(octets)
        if document is not None and document.is_known:
            self._read(offset, octets, document)
            return True
        try:
            members = mapping(decode(octets))
        except NotJson:
            return False
        if members is None:
            return False
        document = document_of(members)
        if document.is_known:
            # Which reader takes what nests deep is the interpreter's own: that is not told, and it makes no difference.
            if not nests_beyond(octets, DEPTH_MAX):
                self.tally.counts["documents_read_tolerantly"] += 1
            self._read(offset, octets, document)
        else:
            self._foreign(offset, members)
        return True

    def _read(self, offset: int, octets: bytes, document: Document) -> None:
        if self.tally.form is None or b"\n" in octets[:2]:
            self.tally.name(json_form(octets, pretty=b"\n" in octets.strip()))
        self.ledger.document(self.tally, offset, document)

    def _frame(self, offset: int, octets: bytes, packed: bool) -> None:
        suffix = "_zstd" if packed else ""
        if octets.startswith(b"{"):
            self.tally.name(f"otlp_framed_json{suffix}")
            if not self._json(offset, octets):
                self.tally.fault("frame_unreadable", offset)
        else:
            self.tally.name(f"otlp_framed_proto{suffix}")
            self._message(offset, octets, "frame_unreadable")

    def _body(self, offset: int, octets: bytes, packed: bool) -> None:
        del packed
        self.tally.name("otlp_proto")
        self._message(offset, octets, "document_unreadable")

    def _message(self, offset: int, octets: bytes, code: str) -> None:
        try:
            document = read_document(memoryview(octets))
        except BadWire:
            self.tally.fault(code, offset)
        else:
            self.ledger.document(self.tally, offset, document)

    def _foreign(self, offset: int, members: dict[str, Json]) -> None:
        """A document that is not OTLP."""
        switches = claude_switches(members)
        form = named_form(members) or ("claude_settings" if switches else "json")
        self.tally.name(form)
        self.tally.counts["documents"] += 1
        if form == "raw_body_index":
            self._index(offset, members)
        elif form == "claude_settings":
            self._configured(switches)

    def _index(self, offset: int, members: dict[str, Json]) -> None:
        tally = self.tally
        states = {tally.refer(name, offset, folder=tally.folder) for name in named_files(members)}
        marks = {f"body_{state}" for state in states - {"resolved"}}
        if is_failed(members):
            tally.fault("request_without_response", offset)
            marks.add("request_without_response")
        self.ledger.add(index_row(members, tally.key, Place(item=tally.item, offset=offset), tuple(sorted(marks))))

    def _other(self, offset: int, octets: bytes, packed: bool) -> None:
        """A short file of no known form: settings of Codex are told by the switches in them."""
        del offset, packed
        switches = codex_switches(octets)
        self.tally.name("codex_settings" if switches else "unknown")
        self._configured(switches)

    def _configured(self, switches: tuple[SwitchSetting, ...]) -> None:
        self.tally.configured.update({one.name: _said(one.value) for one in switches})


class _Unread:
    """A form that is kept as it is."""

    def feed(self, octets: bytes) -> None:
        """Pass over it."""

    def finish(self) -> None:
        """There is nothing to end."""


def _said(value: bool | int | str | None) -> str:
    """The value of a switch; `unreadable` for one that has none of the known forms."""
    return "unreadable" if value is None else str(value).lower()
