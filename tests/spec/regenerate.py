"""`python -m tests.spec.regenerate` writes anew what is generated: the shipped schemas, and two sections of FORMAT.md.

- Section 13 is the catalogue of findings, section 14 the keys of every type, drawn from the schemas.
"""

import json
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from agentaudit.encoding.schemas import schema_of
from agentaudit.format.codes import CATALOGUE
from agentaudit.format.schemas import schema, schema_file, schema_names
from agentaudit.model.custody import CaseFile, CustodyEvent
from agentaudit.model.event import Event
from agentaudit.model.losses import Gap, Truncation
from agentaudit.model.readings import RecordRow, SessionRow
from agentaudit.model.tagfiles import CoverageFile, ItemRow, PackageFile, WalkRow

FORMAT = Path(str(resources.files("agentaudit.format")))
SHIPPED = FORMAT / "schemas"
TEXT = FORMAT / "FORMAT.md"

FINDINGS = "## 13. Findings"
KEYS = "## 14. Keys"

_KINDS = (
    Event, PackageFile, ItemRow, WalkRow, Gap, SessionRow, RecordRow, Truncation, CoverageFile, CaseFile, CustodyEvent,
)  # fmt: skip

Node = dict[str, object]


def text() -> str:
    """FORMAT.md as it should be: what stands before section 13 is written by hand."""
    written = TEXT.read_text(encoding="utf-8").partition(FINDINGS)[0]
    return written + "\n".join((*_findings(), "", *_keys())) + "\n"


def _findings() -> Iterator[str]:
    yield from (FINDINGS, "", "Only an error touches integrity. Codes are never reused.", "")
    yield from ("| code | severity | what | section |", "|---|---|---|---|")
    for one in CATALOGUE.values():
        yield f"| {one.code} | {one.severity} | {one.title} | {one.clause} |"


def _keys() -> Iterator[str]:
    yield from (KEYS, "")
    yield "Every object of the tag files and of a case, and its keys. `?` marks a key that may be absent; any other"
    yield "is there, and no key is there that is not named here. `[x]` is an array of x, `(x, y)` one of these two."
    yield "`text` is any text; one in quotation marks stands for itself. A row of a log is told by its `event`."
    for name, node in sorted(_definitions().items()):
        yield from ("", f"**{name}**")
        yield "; ".join(_pairs(node)) + "."


def _pairs(node: Node) -> Iterator[str]:
    required, properties = node.get("required", []), node["properties"]
    assert isinstance(required, list)
    assert isinstance(properties, dict)
    for key, value in sorted(properties.items()):
        mark = "" if key in required or "default" in value else "?"
        yield f"`{key}`{mark} {_shape(value)}"


def _definitions() -> dict[str, Node]:
    found: dict[str, Node] = {}
    for kind in _KINDS:
        found.update(json.loads(schema_of(kind, ""))["$defs"])
    return found


def _shape(node: Node) -> str:
    """A value in few words."""
    if "$ref" in node:
        return str(node["$ref"]).rpartition("/")[2]
    for several in ("anyOf", "oneOf"):
        if several in node:
            return " or ".join(_shape(one) for one in _nodes(node[several]))
    if "enum" in node:
        words = node["enum"]
        assert isinstance(words, list)
        return " or ".join("null" if word is None else f'"{word}"' for word in words)
    if "const" in node:
        return f'"{node["const"]}"'
    if node.get("type") == "array":
        return _array(node)
    plain = {"string": "text", "integer": "integer", "boolean": "true or false", "null": "null"}
    return plain[str(node["type"])]


def _array(node: Node) -> str:
    if "prefixItems" in node:
        return f"({', '.join(_shape(one) for one in _nodes(node['prefixItems']))})"
    items = node["items"]
    assert isinstance(items, dict)
    return f"[{_shape(items)}]"


def _nodes(value: object) -> list[Node]:
    assert isinstance(value, list)
    return [one for one in value if isinstance(one, dict)]


def main() -> None:
    """Write each schema to its file, and the text."""
    for name in schema_names():
        (SHIPPED / schema_file(name)).write_bytes(schema(name))
    TEXT.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
