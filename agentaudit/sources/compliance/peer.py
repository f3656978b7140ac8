"""What a connection shows of its other end: address, TLS session, certificate, clock.

- Each is taken while the socket is still there; what it does not give stays unknown.
"""

import ssl
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from hashlib import sha256
from pathlib import Path
from typing import Protocol, runtime_checkable

import httpcore

from agentaudit.model.base import digest_of
from agentaudit.model.journal import Clock, Tls


def ssl_context(ca_file: Path | None) -> ssl.SSLContext:
    """TLS verification against the authorities of certifi, or against the given ones only; TLS 1.2 at least."""
    context = ssl.create_default_context(cafile=str(ca_file)) if ca_file else httpcore.default_ssl_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # The interpreter takes SSLKEYLOGFILE from the environment; with such a log the key can be read in the traffic.
    context.keylog_filename = None  # type: ignore[assignment] # the stubs know no None; the interpreter does
    return context


def clock_of(date: str | None, asked_at: datetime, round_trip_ms: int) -> Clock | None:
    """Server time minus ours: Date plus half its unit, less the midpoint (forensics reference, section 5).

    The bound is half the round trip plus half a second; no Date, or one that is no date, gives None.
    """
    if date is None:
        return None
    try:
        stated = parsedate_to_datetime(date)
    except (ValueError, OverflowError):
        return None
    if stated.tzinfo is None:
        return None
    midpoint = asked_at + timedelta(milliseconds=round_trip_ms / 2)
    offset = stated + timedelta(milliseconds=500) - midpoint
    return Clock(offset_ms=round(offset.total_seconds() * 1000), bound_ms=round_trip_ms // 2 + 500)


@runtime_checkable
class _Wrapped(Protocol):
    """The interpreter's TLS object, whichever of its classes the library hands out."""

    def getpeercert(self, binary_form: bool, /) -> bytes | None: ...
    def version(self) -> str | None: ...
    def cipher(self) -> tuple[str, str, int] | None: ...


@runtime_checkable
class _Stream(Protocol):
    """The engine's network stream."""

    def get_extra_info(self, info: str) -> object: ...


def peer_of(response: httpcore.Response) -> str | None:
    """`address:port` of the other end."""
    address = _extra(response, "server_addr")
    return f"{address[0]}:{address[1]}" if isinstance(address, tuple) else None


def tls_of(response: httpcore.Response) -> tuple[Tls | None, bytes | None]:
    """The TLS session and the peer's certificate in DER; None for a connection without TLS."""
    wrapped = _extra(response, "ssl_object")
    if not isinstance(wrapped, _Wrapped):
        return None, None
    certificate = wrapped.getpeercert(True)  # noqa: FBT003 - positional in the interpreter's API
    cipher = wrapped.cipher()
    facts = Tls(
        version=wrapped.version() or "",
        cipher=cipher[0] if cipher else "",
        certificate_sha256=digest_of(certificate or b""),
    )
    return facts, certificate


def _extra(response: httpcore.Response, name: str) -> object:
    stream = response.extensions.get("network_stream")
    return stream.get_extra_info(name) if isinstance(stream, _Stream) else None


def file_digest(path: Path) -> str:
    """`sha256:<hex>` of a certificate file."""
    return "sha256:" + sha256(path.read_bytes()).hexdigest()
