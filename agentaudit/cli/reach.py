"""How the source is reached: its root, the rate, the connections, a private authority, a proxy.

- https only; plain http on this machine's loopback only, and never through a proxy: that would read the key.
- No address holds a user, a password, a query or a fragment: each of them would be recorded or sent.
- A loopback root may be asked faster than the vendor's: it is a synthetic one.
"""

import os
import ssl
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from agentaudit.acquire.endpoint import endpoint_class
from agentaudit.acquire.request import Reach
from agentaudit.errors import UsageFault
from agentaudit.sources.compliance.keys import Key

RATE_MAX = 600
LOOPBACK_RATE_MAX = 600_000
CONNECTIONS_MAX = 16


def reach(api_root: str, *, rate: int, connections: int, ca_file: Path | None, proxy: str | None) -> Reach:
    """The validated way to the source, its key still empty; raises `UsageFault` (2) for what cannot be meant."""
    _address("--api-root", api_root)
    local = endpoint_class(api_root) == "loopback"
    _within("--requests-per-minute", rate, LOOPBACK_RATE_MAX if local else RATE_MAX)
    _within("--connections", connections, CONNECTIONS_MAX)
    if proxy is not None:
        _proxy(proxy)
        if urlsplit(api_root).scheme == "http":
            raise UsageFault(
                "--proxy would be given the key in the clear, for --api-root is plain http", "leave --proxy out"
            )
    if ca_file is not None:
        _authorities(ca_file)
    return Reach(
        api_root=api_root.rstrip("/"),
        key=Key(""),
        requests_per_minute=rate,
        connections=connections,
        ca_file=ca_file,
        proxy=proxy,
    )


def _address(option: str, text: str) -> SplitResult:
    """The parts of an address that is nothing but scheme, host, port and path."""
    try:
        parts = urlsplit(text)
        host, _port = parts.hostname, parts.port
    except ValueError:
        raise UsageFault(f"{option} is no address", "give https://HOST") from None
    if not host or not text.isascii() or not text.isprintable() or " " in text:
        raise UsageFault(f"{option} is no address", "give https://HOST")
    if parts.username is not None or parts.password is not None:
        raise UsageFault(f"{option} holds a user or a password: a command line is no place for either", "leave it out")
    if "?" in text or "#" in text:
        raise UsageFault(f"{option} holds a query or a fragment", "give scheme, host, port and path only")
    return parts


def _within(option: str, number: int, most: int) -> None:
    if not 1 <= number <= most:
        raise UsageFault(f"{option} is {number}; it goes from 1 to {most}", f"give a number up to {most}")


def _proxy(text: str) -> None:
    parts = _address("--proxy", text)
    if parts.scheme not in ("http", "https") or parts.path not in ("", "/"):
        raise UsageFault("--proxy is no address of a proxy", "give http://HOST:PORT or https://HOST:PORT")


def _authorities(path: Path) -> None:
    """Refuse a file that holds no certificates, before anything is asked with it."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=str(path))
    except ssl.SSLError:
        raise UsageFault(f"--ca-file {path} holds no certificate in PEM", "give a file of PEM certificates") from None
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise UsageFault(f"cannot read --ca-file {path}: {reason}", "give a file of PEM certificates") from None
