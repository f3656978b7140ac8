"""The JSON Schemas of what an export says in JSON: generated from the types, shipped as files beside this module."""

from collections.abc import Mapping
from types import MappingProxyType

from agentaudit.encoding.schemas import schema_of
from agentaudit.export.document import ManifestFile
from agentaudit.export.request import ExportedResult, ExportFile

_KINDS: Mapping[str, object] = MappingProxyType(
    {"manifest.json": ManifestFile, "export.json": ExportFile, "exported.json": ExportedResult}
)


def schema_names() -> tuple[str, ...]:
    """The documents that have a schema: two files of an export, and what the command prints with `--json`."""
    return tuple(_KINDS)


def schema_file(name: str) -> str:
    """The name of the shipped file: `manifest.schema.json` for `manifest.json`."""
    return f"{name.removesuffix('.json')}.schema.json"


def schema(name: str) -> bytes:
    """The schema of a document; KeyError for a name that has none."""
    return schema_of(_KINDS[name], name)
