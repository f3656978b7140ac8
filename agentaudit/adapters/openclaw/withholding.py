"""What of a Gateway's files is never packed as it is: told by its bytes, and by the name of its configuration.

- What the Gateway's command saves is text. What is no text cannot be looked into for keys (a database, its log, an
  archive, a packed file), and stays out under whatever name it goes.
- A text stays out where something in it is named like a credential and has a value, or where a key or a database was
  written out in it.
- The one database that is let through is an extract, and it is known by being the extract of itself: not a byte of it
  can be anything but the rows that an extract may hold.
"""

import codecs
import re
from typing import Final

from agentaudit.adapters.handed_over.places import is_secret_name
from agentaudit.adapters.handed_over.withheld import Withheld
from agentaudit.adapters.openclaw.extract import EVERY_ASKED, Asked, is_extract
from agentaudit.encoding.sqliteimage import IMAGE_MAX_BYTES, MAGIC

EXTRACT_PREFIX: Final = "agentaudit-extract-"
_CONFIGURATION: Final = b"openclaw.json"
_UTF_16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# A mark may lie across two pieces: so many characters of the one before are looked at again.
_OVERLAP: Final = 256
_NAMED: Final = r"(?:token|pass(?:word|wd|phrase)|secret|(?:api|private|access)[_-]?key(?:[_-]?pem)?|credentials?)"
_VALUE: Final = r"""["']?\s{0,64}[:=]\s{0,64}["']?(?![\s"',}\]{\[]|null\b|true\b|false\b|undefined\b)(?=.{10})"""
_MARKS: Final = re.compile(
    _NAMED + _VALUE + r"|bearer\s{1,8}[A-Za-z0-9._~+/=-]{8}"
    r"|PRIVATE KEY-----"
    r"|INSERT\s{1,8}INTO\s{1,8}\W?audit_identity_keys"
    r"""|"key_id"\s{0,64}:[^{}]{0,128}"key"\s{0,64}:"""
    # `SQLite format 3` in hexadecimal digits and in base64.
    r"|53514c69746520666f726d61742033|(?-i:U1FMaXRlIGZvcm1hdCAz)",
    re.IGNORECASE | re.DOTALL,
)
# What a value is shows in ten characters: so much is looked at, and held back, before a piece is given out.
_HELD_BACK: Final = 64


def is_withheld_name(name: bytes) -> bool:
    """True for a credential, and for the Gateway's configuration or a backup of it."""
    return is_secret_name(name) or name.lower().startswith(_CONFIGURATION)


class LedgerSieve:
    """One file on its way into a package: `feed` gives back what may be written, before the rest is seen.

    Raises Withheld before it gives out the first piece that may not be packed. A database is given out at the end.
    """

    needs_all: Final = True
    """A hole is zeros, and zeros are no text."""
    settled: Final = False
    """It judges to the last byte."""

    def __init__(self, asked: tuple[Asked, ...] = EVERY_ASKED) -> None:
        """`asked`: what a database may be an extract of."""
        self._asked = asked
        self._head: bytearray | None = bytearray()
        self._database: bytearray | None = None
        self._decoder: codecs.IncrementalDecoder = codecs.getincrementaldecoder("utf-8")("strict")
        self._tail = ""
        self._held = b""

    def feed(self, chunk: bytes | memoryview) -> bytes:
        """Take the next bytes; gives those that may be packed, in order."""
        if self._head is not None:
            self._head += chunk
            if len(self._head) < len(MAGIC):
                return b""
            return self._begin()
        return self._let_through(bytes(chunk))

    def finish(self) -> bytes:
        """The last byte was fed: the rest of what may be packed."""
        rest = b"" if self._head is None else self._begin()
        if self._database is not None:
            return self._judged(bytes(self._database))
        self._read(b"", final=True)
        return rest + self._held

    def _begin(self) -> bytes:
        """The first bytes say what it is."""
        octets, self._head = bytes(self._head or b""), None
        if octets.startswith(MAGIC):
            self._database = bytearray()
        elif octets.startswith(_UTF_16):
            self._decoder = codecs.getincrementaldecoder("utf-16")("strict")
        return self._let_through(octets)

    def _let_through(self, octets: bytes) -> bytes:
        if self._database is not None:
            if len(self._database) + len(octets) > IMAGE_MAX_BYTES:
                raise Withheld
            self._database += octets
            return b""
        self._read(octets, final=False)
        held = self._held + octets
        self._held = held[-_HELD_BACK:]
        return held[:-_HELD_BACK]

    def _judged(self, octets: bytes) -> bytes:
        if not any(is_extract(octets, asked) for asked in self._asked):
            raise Withheld
        return octets

    def _read(self, octets: bytes, *, final: bool) -> None:
        try:
            text = self._decoder.decode(octets, final)
        except UnicodeDecodeError:
            raise Withheld from None
        window = self._tail + text
        if "\0" in text or _MARKS.search(window + 10 * " " if final else window) is not None:
            raise Withheld
        self._tail = window[-_OVERLAP:]
