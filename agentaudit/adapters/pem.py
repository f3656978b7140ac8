"""Certificates as text: the PEM form of DER bytes (RFC 7468, section 5)."""

import re
from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Iterator

LINE_CHARS = 64

_CERTIFICATE = re.compile(rb"-----BEGIN CERTIFICATE-----(.*?)-----END CERTIFICATE-----", re.DOTALL)


def pem_of(der: bytes) -> bytes:
    """The bytes between BEGIN and END lines, base64 in lines of 64 characters, LF at each end."""
    text = b64encode(der)
    lines = [text[at : at + LINE_CHARS] for at in range(0, len(text), LINE_CHARS)]
    return b"\n".join((b"-----BEGIN CERTIFICATE-----", *lines, b"-----END CERTIFICATE-----")) + b"\n"


def ders_of(pem: bytes) -> Iterator[bytes]:
    """The DER bytes of each certificate in a text; one whose base64 is none is passed over."""
    for found in _CERTIFICATE.finditer(pem):
        try:
            yield b64decode(found[1])
        except Error:
            continue
