"""The class of an endpoint: whether it can be the vendor's own.

- A demo exhibit never looks real: anything but the vendor's host heads every verdict.
"""

from urllib.parse import urlsplit, urlunsplit

from agentaudit.errors import UsageFault
from agentaudit.model.actors import EndpointClass

VENDOR_ROOT = "https://api.anthropic.com"
OPENAI_ROOT = "https://api.chatgpt.com"
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def endpoint_class(api_root: str) -> EndpointClass:
    """`vendor`, `loopback` or `other`; raises UsageFault (2) for a root that no key may be sent to."""
    parts = urlsplit(api_root)
    loopback = parts.hostname in _LOOPBACK
    if parts.scheme != "https" and not (parts.scheme == "http" and loopback):
        raise UsageFault("the API root must be https (plain http only on loopback)", f"for example {VENDOR_ROOT}")
    if parts.username or parts.password or parts.query or parts.fragment or not parts.hostname:
        raise UsageFault("the API root is a scheme and a host, without user, query or fragment", VENDOR_ROOT)
    if loopback:
        return "loopback"
    return "vendor" if api_root.rstrip("/") == VENDOR_ROOT else "other"


def openai_class(api_root: str) -> EndpointClass:
    """The same for OpenAI's compliance API."""
    known = endpoint_class(api_root)
    return "vendor" if api_root.rstrip("/") == OPENAI_ROOT else "other" if known == "vendor" else known


def local_service_class(root: str) -> EndpointClass:
    """The class of a service that has its place on the user's own machine: `local_service` there, `other` elsewhere.

    Who listens on a port of this machine is not known: the class claims no more. Raises as `endpoint_class` does.
    """
    return "local_service" if endpoint_class(root) == "loopback" else "other"


def without_credentials(url: str) -> str:
    """The URL as it may be recorded: without user and password."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
