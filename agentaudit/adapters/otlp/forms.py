"""What the bytes of a file say of its form; a name says nothing.

- The letters are those of the reference: A to F are read, G to K are kept as they are, and named.
- Only the names of a document's members are looked at to tell a form, never what they hold.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from agentaudit.encoding.foreign import Json, mapping
from agentaudit.encoding.zstdframes import MAGIC

HEAD_BYTES: Final = 512

Shape: TypeAlias = Literal["json_text", "framed", "protobuf", "console", "other"]

_MARK: Final = b"\xef\xbb\xbf"
_CONSOLE: Final = re.compile(rb"(?:\A|\n)\{\s*\n\s+(?:resource|descriptor|traceId|instrumentationScope): ")
_LENGTH_BYTES: Final = 4
_RESOURCE, _SCOPES = 0x0A, 0x12
_VARINT: Final = re.compile(rb"\x0a[\x80-\xff]{0,4}[\x00-\x7f]", re.DOTALL)


def shape_of(head: bytes) -> Shape:
    """How the documents of a file are found, by its first `HEAD_BYTES` (all of it, where it is shorter)."""
    if _CONSOLE.search(head):
        return "console"
    if head.removeprefix(_MARK).lstrip()[:1] == b"{":
        return "json_text"
    if _is_framed(head):
        return "framed"
    return "protobuf" if _begins_message(head) else "other"


def _is_framed(head: bytes) -> bool:
    """A length, whatever it says, and behind it what a document can begin with."""
    inner = head[_LENGTH_BYTES:]
    return inner.startswith((MAGIC, b'{"resource')) or _begins_message(inner)


def _begins_message(head: bytes) -> bool:
    """The first field of an export request is a resource's group, whose first field is a resource or a scope."""
    found = _VARINT.match(head)
    return found is not None and head[found.end() : found.end() + 1] in {bytes([_RESOURCE]), bytes([_SCOPES])}


def json_form(document: bytes, *, pretty: bool) -> str:
    """A, B or C: who wrote this OTLP document, told by how it spells numbers and zeros."""
    if pretty:
        return "otlp_http_json_pretty"
    if b'"intValue":"' in document:
        return "otlp_collector_json"
    if b'"intValue":' in document or b'"droppedAttributesCount":0' in document:
        return "otlp_http_json"
    # Both write a count that is not zero alike: without an integer beside it, nothing tells.
    return "otlp_json" if b'"droppedAttributesCount":' in document else "otlp_collector_json"


_NAMED: Final[tuple[tuple[str, frozenset[str]], ...]] = (
    ("raw_body_index", frozenset({"request_file"})),
    ("raw_body_index", frozenset({"response_file"})),
    ("elasticsearch", frozenset({"_index", "_source"})),
    ("elasticsearch", frozenset({"@timestamp"})),
    ("loki", frozenset({"streams"})),
    ("loki", frozenset({"stream", "values"})),
    ("splunk_hec", frozenset({"event", "fields"})),
    ("splunk_hec", frozenset({"event", "sourcetype"})),
    ("splunk_hec", frozenset({"event", "time"})),
    ("better_stack", frozenset({"dt", "message"})),
    ("raw_body", frozenset({"messages", "model"})),
    ("raw_body", frozenset({"content", "role", "type"})),
)


def named_form(members: Mapping[str, Json]) -> str | None:
    """The form of a document that is not OTLP, by the names of its members; None for one that is not known."""
    for form, names in _NAMED:
        if names <= members.keys():
            return form
    found = mapping(members.get("data"))
    return "loki" if found is not None and {"resultType", "result"} & found.keys() else None
