"""Words of the documents: attention to what is not the vendor's; codes, names and values as people write them."""

from collections.abc import Mapping
from types import MappingProxyType

_ATTENTION: Mapping[str, str] = MappingProxyType({
    "loopback": "DEMONSTRATION. The source was a loopback address, not the vendor's. This is not evidence.",
    "local_service": "The source was a service on the machine that collected. Who listened there was not verified.",
    "synthetic": "DEMONSTRATION. The source was made for it. This is not evidence.",
    "other": "DEMONSTRATION, unless somebody shows otherwise. The source was another address than the vendor's own.",
})  # fmt: skip

_LABELS: Mapping[str, str] = MappingProxyType({
    "tool_input_max_bytes": "Bytes of a tool input, at most",
    "tool_result_max_bytes": "Bytes of one text of a tool result, at most",
    "answer_ms": "Milliseconds for a whole answer",
    "attempts": "Attempts at one question",
    "body_max_bytes": "Bytes of an answer, at most",
    "connect_ms": "Milliseconds to connect",
    "read_ms": "Milliseconds between two reads",
    "api_root": "Root of the API",
    "ca_file_digest": "Authorities given in a file",
    "connections": "Connections at once",
    "key_fingerprint": "Fingerprint of the key",
    "proxy": "Proxy",
    "requests_per_minute": "Requests a minute, at most",
    "tls_verified": "TLS certificate verified",
})  # fmt: skip


def attention(endpoint_class: str | None) -> str | None:
    """The sentence that heads every document about an exhibit; None for the vendor's own API and a real local store."""
    if endpoint_class in ("vendor", "store"):
        return None
    return _ATTENTION.get(endpoint_class or "", _ATTENTION["other"])


def sentence(words: Mapping[str, str], code: str | None) -> str:
    """The sentence of a code, or the code itself with spaces."""
    return "not stated" if code is None else words.get(code, plainly(code))


def plainly(code: str) -> str:
    """A coded word as people write it."""
    return code.replace("_", " ")


def label(key: str) -> str:
    """The name of a limit or of a fact of the machine, as people write it."""
    name = key.removeprefix("request_headers.")
    return _LABELS.get(key, plainly(key)) if name == key else f"Request header {name}"


def value(text: str) -> str:
    """A value that `facts` gave, as people write it."""
    return {"null": "none", "true": "yes", "false": "no"}.get(text, text)


def number(text: str) -> str:
    """Digits in groups of three; any other text as it is."""
    return f"{int(text):,}" if text.isascii() and text.isdigit() else text
