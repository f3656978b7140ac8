"""Certificates as text: the PEM form of DER bytes (RFC 7468, section 5)."""

from base64 import b64encode

LINE_CHARS = 64


def pem_of(der: bytes) -> bytes:
    """The bytes between BEGIN and END lines, base64 in lines of 64 characters, LF at each end."""
    text = b64encode(der)
    lines = [text[at : at + LINE_CHARS] for at in range(0, len(text), LINE_CHARS)]
    return b"\n".join((b"-----BEGIN CERTIFICATE-----", *lines, b"-----END CERTIFICATE-----")) + b"\n"
