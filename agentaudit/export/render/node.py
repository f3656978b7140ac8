"""The nodes of a CASE/UCO graph, as frozen values whose keys are terms of the ontologies.

- A key that a node does not use is absent. Instants are typed, as the shapes of the ontology ask.
- An identifier is a `urn:uuid:` that is derived from what the node stands for, so that it is the same on every run.
"""

from uuid import NAMESPACE_URL, uuid5

import msgspec

from agentaudit.model.base import UNSET, Frozen, Unset


class Reference(Frozen, frozen=True, kw_only=True):
    """A node that stands elsewhere in the graph."""

    id: str = msgspec.field(name="@id")


class Typed(Frozen, frozen=True, kw_only=True):
    """A literal with its datatype."""

    type: str = msgspec.field(name="@type")
    value: str = msgspec.field(name="@value")


class Context(Frozen, frozen=True, kw_only=True):
    """The prefixes of the terms."""

    case_investigation: str = msgspec.field(
        name="case-investigation", default="https://ontology.caseontology.org/case/investigation/"
    )
    uco_action: str = msgspec.field(name="uco-action", default="https://ontology.unifiedcyberontology.org/uco/action/")
    uco_core: str = msgspec.field(name="uco-core", default="https://ontology.unifiedcyberontology.org/uco/core/")
    uco_identity: str = msgspec.field(
        name="uco-identity", default="https://ontology.unifiedcyberontology.org/uco/identity/"
    )
    uco_observable: str = msgspec.field(
        name="uco-observable", default="https://ontology.unifiedcyberontology.org/uco/observable/"
    )
    uco_tool: str = msgspec.field(name="uco-tool", default="https://ontology.unifiedcyberontology.org/uco/tool/")
    uco_types: str = msgspec.field(name="uco-types", default="https://ontology.unifiedcyberontology.org/uco/types/")
    xsd: str = "http://www.w3.org/2001/XMLSchema#"


References = tuple[Reference, ...]


class Node(Frozen, frozen=True, kw_only=True):
    """One node; its type says which of the keys it may have."""

    id: str = msgspec.field(name="@id")
    type: str = msgspec.field(name="@type")
    name: str | Unset = msgspec.field(name="uco-core:name", default=UNSET)
    description: tuple[str, ...] | Unset = msgspec.field(name="uco-core:description", default=UNSET)
    object: References | Unset = msgspec.field(name="uco-core:object", default=UNSET)
    facets: tuple["Node", ...] | Unset = msgspec.field(name="uco-core:hasFacet", default=UNSET)
    starts: Typed | Unset = msgspec.field(name="uco-core:startTime", default=UNSET)
    source: Reference | Unset = msgspec.field(name="uco-core:source", default=UNSET)
    target: Reference | Unset = msgspec.field(name="uco-core:target", default=UNSET)
    kind: str | Unset = msgspec.field(name="uco-core:kindOfRelationship", default=UNSET)
    directional: bool | Unset = msgspec.field(name="uco-core:isDirectional", default=UNSET)
    authorized_by: References | Unset = msgspec.field(name="case-investigation:relevantAuthorization", default=UNSET)
    authority: str | Unset = msgspec.field(name="case-investigation:authorizationIdentifier", default=UNSET)
    exhibit: str | Unset = msgspec.field(name="case-investigation:exhibitNumber", default=UNSET)
    root_exhibit: str | Unset = msgspec.field(name="case-investigation:rootExhibitNumber", default=UNSET)
    informed_by: References | Unset = msgspec.field(name="case-investigation:wasInformedBy", default=UNSET)
    performer: Reference | Unset = msgspec.field(name="uco-action:performer", default=UNSET)
    instrument: References | Unset = msgspec.field(name="uco-action:instrument", default=UNSET)
    acted_on: References | Unset = msgspec.field(name="uco-action:object", default=UNSET)
    result: References | Unset = msgspec.field(name="uco-action:result", default=UNSET)
    began: Typed | Unset = msgspec.field(name="uco-action:startTime", default=UNSET)
    ended: Typed | Unset = msgspec.field(name="uco-action:endTime", default=UNSET)
    version: str | Unset = msgspec.field(name="uco-tool:version", default=UNSET)
    tool_type: str | Unset = msgspec.field(name="uco-tool:toolType", default=UNSET)
    file_name: str | Unset = msgspec.field(name="uco-observable:fileName", default=UNSET)
    file_path: str | Unset = msgspec.field(name="uco-observable:filePath", default=UNSET)
    mime_type: str | Unset = msgspec.field(name="uco-observable:mimeType", default=UNSET)
    size: int | Unset = msgspec.field(name="uco-observable:sizeInBytes", default=UNSET)
    hashes: tuple["Node", ...] | Unset = msgspec.field(name="uco-observable:hash", default=UNSET)
    method: str | Unset = msgspec.field(name="uco-types:hashMethod", default=UNSET)
    digest: Typed | Unset = msgspec.field(name="uco-types:hashValue", default=UNSET)


def identifier(*parts: str) -> str:
    """The identifier of what these parts name; no part may hold NUL."""
    return f"urn:uuid:{uuid5(NAMESPACE_URL, chr(0).join(('agentaudit', *parts)))}"


def instant(words: str) -> Typed:
    """An instant of ours as the ontology has it."""
    return Typed(type="xsd:dateTime", value=words)
