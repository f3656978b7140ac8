"""What of handed-over files is a stranger by its form: a private key, a database, settings; told by the bytes.

- A form is named only where nothing that an agent, a Collector or a platform writes as evidence begins so. What is in
  a file that begins otherwise is evidence and is not searched: a key that somebody pasted stays where it is.
- A file is judged by its first bytes. A text of armoured blocks, and one that is named like settings, is judged as a
  whole; one of more than `WHOLE_MAX` bytes by its beginning, and it is not settings.
- Packed files are not unpacked to be judged.
"""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Collection
from typing import Final, TypeAlias

from agentaudit.adapters.handed_over.withheld import Form, Withheld

IsSettings: TypeAlias = Callable[[bytes], bool]

HEAD_BYTES: Final = 1024
WHOLE_MAX: Final = 1024 * 1024

# A length in DER (X.690, section 8.1.3), short or long.
_LENGTH: Final = rb"(?:[\x00-\x80]|\x81.|\x82.{2}|\x83.{3})"
# Main file, write-ahead log, rollback journal and the log's index (SQLite's file format, and its document on WAL).
_DATABASE: Final = re.compile(
    rb"SQLite format 3\x00|\x37\x7f\x06[\x82\x83]\x00\x2d\xe2\x18|\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
    rb"|(?:\x18\xe2\x2d\x00|\x00\x2d\xe2\x18)\x00{4}",
    re.DOTALL,
)
# In DER: PKCS#12 (RFC 7292), PKCS#8 (RFC 5208), RSA and DSA (RFC 8017, A.1.2), EC (RFC 5915), encrypted PKCS#8; then
# Java's stores (JKS, JCEKS) and KeePass.
_BINARY_KEY: Final = re.compile(
    rb"\x30%(n)s\x02\x01\x03\x30%(n)s\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07[\x01\x02]"
    rb"|\x30%(n)s\x02\x01[\x00\x01]\x30%(n)s\x06[\x03-\x10]"
    rb"|\x30[\x81\x82].{1,2}\x02\x01\x00\x02[\x81\x82]"
    rb"|\x30%(n)s\x02\x01\x01\x04[\x1c\x20\x30\x42]"
    rb"|\x30%(n)s\x30%(n)s\x06[\x09\x0a]\x2a\x86\x48\x86\xf7\x0d\x01(?:\x05|\x0c\x01)[\x01-\x0e]"
    rb"|(?:\xfe\xed\xfe\xed|\xce\xce\xce\xce)\x00{3}[\x01\x02]"
    rb"|\x03\xd9\xa2\x9a[\x65-\x67]\xfb\x4b\xb5" % {b"n": _LENGTH},
    re.DOTALL,
)
_ARMOURED_KEY: Final = rb"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
# RFC 7468 and OpenPGP's armour; ssh.com, SSH 1, PuTTY, age; OpenSSL's words for people; a Google service account.
_TEXT_KEY: Final = re.compile(
    _ARMOURED_KEY + rb"|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----|SSH PRIVATE KEY FILE FORMAT 1\.[0-9]"
    rb"|PuTTY-User-Key-File-[0-9]: |AGE-SECRET-KEY-1|# created: [^\n]{1,64}\n# public key: age1"
    rb"|(?:[A-Z0-9]{1,20} )?Private-Key: \([0-9]{1,6} bit|(?:ED|X)(?:25519|448) Private-Key:\r?\n"
    rb'|\{\s{0,16}"type"\s{0,16}:\s{0,16}"service_account"[^{}]{0,512}"private_key"\s{0,16}:\s{0,16}"-----BEGIN '
)
# A text of armoured blocks, or what OpenSSL writes in front of those of a PKCS#12 file.
_ARMOUR: Final = re.compile(rb"-----BEGIN [A-Z0-9 ]{1,64}-----|(?:Bag|Key) Attributes(?::|\r?\n)")
_ARMOURED_LINE: Final = re.compile(rb"^" + _ARMOURED_KEY, re.MULTILINE)


def plain(octets: bytes) -> bytes:
    """A text without its mark and the space before it; of UTF-16 what ASCII it has. Other bytes as they are."""
    if octets.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        octets = octets[2:].translate(None, b"\0")
    return octets.removeprefix(BOM_UTF8).lstrip()


def key_or_database(octets: bytes) -> Form | None:
    """What a file is, by its first `HEAD_BYTES` or more; of a text of armoured blocks all that is given counts."""
    head = octets[:HEAD_BYTES]
    if _DATABASE.match(head) is not None:
        return "databases"
    text = plain(head)
    if _BINARY_KEY.match(head) is not None or _TEXT_KEY.match(text) is not None:
        return "credentials"
    armoured = _ARMOUR.match(text) is not None and _ARMOURED_LINE.search(plain(octets[:WHOLE_MAX])) is not None
    return "credentials" if armoured else None


class FormSieve:
    """One file on its way into a package: nothing is given out before it is judged, then all of it.

    Raises `Withheld` for a file of a form that is not among those that are let through.
    """

    needs_all: Final = False
    """Once it is judged nothing more of it has to be seen."""

    def __init__(self, lets: Collection[str] = (), is_settings: IsSettings | None = None) -> None:
        """`is_settings` judges a whole text; None for a file that is not named like settings."""
        self._lets = frozenset(lets) - {"credentials"}
        self._is_settings = is_settings
        self._wants = HEAD_BYTES
        self._held: bytearray | None = bytearray()

    @property
    def settled(self) -> bool:
        """Whether it was judged: what follows may be written as it comes."""
        return self._held is None

    def feed(self, chunk: bytes | memoryview) -> bytes:
        """Take the next bytes; gives those that may be packed, in order."""
        if self._held is None:
            return bytes(chunk)
        self._held += chunk
        if len(self._held) >= HEAD_BYTES == self._wants and self._counts_whole(bytes(self._held[:HEAD_BYTES])):
            self._wants = WHOLE_MAX + 1
        return self._judged() if len(self._held) >= self._wants else b""

    def finish(self) -> bytes:
        """The last byte was fed: the rest of what may be packed."""
        return b"" if self._held is None else self._judged()

    def _counts_whole(self, head: bytes) -> bool:
        return self._is_settings is not None or _ARMOUR.match(plain(head)) is not None

    def _judged(self) -> bytes:
        octets, self._held = bytes(self._held or b""), None
        form = key_or_database(octets)
        if form is None and self._is_settings is not None and len(octets) <= WHOLE_MAX and self._is_settings(octets):
            form = "settings"
        if form is not None and form not in self._lets:
            raise Withheld(form)
        return octets
