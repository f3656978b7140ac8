"""Asking a time-stamping authority over HTTP (RFC 3161, section 3.4): one POST, bounded, to one address.

- Only the digest of the tag manifest, or of a signature, leaves the machine: never a name, never a key.
- Plain http is allowed: what comes back is signed, and is checked. Redirects and proxies are not followed.
"""

from urllib.parse import urlsplit

import httpx

from agentaudit.errors import SourceRefused, SourceUnreachable, UsageFault

ANSWER_MAX = 256 * 1024
SECONDS = 30.0

_QUERY, _REPLY = "application/timestamp-query", "application/timestamp-reply"
_OK = 200


def ask_authority(url: str, query: bytes) -> bytes:
    """The body of the authority's answer.

    Raises UsageFault (2) for what is no address, SourceUnreachable (6), and SourceRefused (5) for any status but 200.
    """
    _check(url)
    try:
        return _post(url, query)
    except (httpx.HTTPError, httpx.InvalidURL):
        raise SourceUnreachable(
            f"the authority at {_host(url)} could not be reached",
            "try again, or carry a request there by hand: --request-only, then --response",
        ) from None


def _post(url: str, query: bytes) -> bytes:
    headers = {"content-type": _QUERY, "accept": _REPLY}
    with (
        httpx.Client(timeout=SECONDS, follow_redirects=False, trust_env=False) as client,
        client.stream("POST", url, content=query, headers=headers) as answer,
    ):
        if answer.status_code != _OK:
            raise SourceRefused(
                f"the authority at {_host(url)} answered with status {answer.status_code}",
                "look at its address and its terms of use",
            )
        body = bytearray()
        for block in answer.iter_raw():
            body += block
            if len(body) > ANSWER_MAX:
                raise SourceRefused(f"the authority at {_host(url)} answered with too much", "ask another authority")
        return bytes(body)


def _check(url: str) -> None:
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.username is None
    except ValueError:
        known = False
    if not known:
        raise UsageFault("--tsa is not the address of an authority", "an address begins with https:// or http://")


def _host(url: str) -> str:
    return urlsplit(url).hostname or "that address"
