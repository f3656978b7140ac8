"""manifest.case.jsonld: the case in the terms of CASE 1.4 and UCO 1.4, as one JSON-LD graph.

- An investigation with its authority; for each exhibit two investigative actions (collection, sealing), a provenance
  record with the exhibit's number, its examiner, its tool, and every payload file with size and SHA-256.
- Identifiers are derived from case, seal and path: the same export, the same graph.
- No content, and no person beside the examiners. What the ontologies have no term for stands in descriptions and in
  the other formats.
"""

from collections.abc import Iterator

from agentaudit.encoding.canonical import encode
from agentaudit.export.attested import attested_words
from agentaudit.export.document import ExhibitFacts
from agentaudit.export.dossier import Dossier, Part, Rendered
from agentaudit.export.entries import total_words
from agentaudit.export.render.node import Context, Node, Reference, Typed, identifier, instant
from agentaudit.export.render.outline import title
from agentaudit.export.sentences import KINDS, OUTCOMES
from agentaudit.export.words import plainly, sentence
from agentaudit.format import layout
from agentaudit.model.base import UNSET, Digest

NAME = "manifest.case.jsonld"


def render_case(dossier: Dossier) -> Iterator[Rendered]:
    """The one file of this format."""
    yield Rendered(NAME, _document(dossier))


def _document(dossier: Dossier) -> Iterator[bytes]:
    yield b'{"@context":' + encode(Context()) + b',"@graph":['
    comma = b"\n"
    for node in _graph(dossier):
        yield comma
        yield from node
        comma = b",\n"
    yield b"]}\n"


def _graph(dossier: Dossier) -> Iterator[Iterator[bytes]]:
    """Each node of the graph, piece by piece."""
    for node in _investigation(dossier):
        yield iter((encode(node),))
    told: set[str] = set()
    for part in dossier.parts:
        yield from (iter((encode(node),)) for node in _acts(dossier, part.facts) if node.id not in told)
        told.update(node.id for node in _acts(dossier, part.facts))
        yield _record(part)
        for item in part.rows.items():
            file = _file(part.facts, item.path, item.bytes, item.sha256, item.media_type)
            yield iter((encode(file),))


def _investigation(dossier: Dossier) -> Iterator[Node]:
    facts, case = dossier.facts, dossier.facts.case
    authority = _of_case(dossier, "authority")
    if case is not None:
        yield Node(id=authority, type="case-investigation:Authorization", authority=case.authority)
    yield Node(
        id=_of_case(dossier, "investigation"),
        type="case-investigation:Investigation",
        name=title(dossier),
        description=facts.attention or UNSET,
        starts=instant(case.opened_at) if case is not None else UNSET,
        authorized_by=(Reference(id=authority),) if case is not None else UNSET,
        object=tuple(_ref(one.facts, what) for one in dossier.parts for what in ("collection", "sealing", "record")),
    )


def _acts(dossier: Dossier, facts: ExhibitFacts) -> Iterator[Node]:
    """Who and what acted, then the two actions, and the tag manifest whose digest is the seal."""
    person = _of_case(dossier, "person", facts.actors.examiner)
    role = _of_case(dossier, "examiner")
    tool = _of_case(dossier, "tool", facts.tool.version, facts.tool.code_digest)
    yield Node(id=person, type="uco-identity:Identity", name=facts.actors.examiner)
    yield Node(id=role, type="case-investigation:Examiner", name="Examiner")
    yield Node(
        id=_of_case(dossier, "has-role", facts.actors.examiner),
        type="uco-core:Relationship",
        source=Reference(id=person),
        target=Reference(id=role),
        kind="Has_Role",
        directional=True,
    )
    yield Node(
        id=tool,
        type="uco-tool:Tool",
        name=facts.tool.name,
        version=facts.tool.version,
        tool_type="Collection and packaging",
        description=(f"code {facts.tool.code_digest}", facts.tool.python),
    )
    performed = (Reference(id=person), (Reference(id=tool),))
    yield _collection(facts, *performed)
    yield _sealing(facts, *performed, _sealed_at(dossier, facts))
    yield _file(facts, layout.TAG_MANIFEST, None, facts.seal, "text/plain")


def _collection(facts: ExhibitFacts, person: Reference, tools: tuple[Reference, ...]) -> Node:
    asked = (f"{what}: {value}" for what, value in (*facts.asked, *facts.limits))
    return Node(
        id=_ref(facts, "collection").id,
        type="case-investigation:InvestigativeAction",
        name=f"Collection of {facts.exhibit}",
        description=(f"source {facts.source}, adapter {facts.adapter}", *asked),
        began=instant(facts.begun_at),
        ended=instant(facts.ended_at),
        performer=person,
        instrument=tools,
        result=(_ref(facts, "record"),),
    )


def _sealing(facts: ExhibitFacts, person: Reference, tools: tuple[Reference, ...], at: str) -> Node:
    return Node(
        id=_ref(facts, "sealing").id,
        type="case-investigation:InvestigativeAction",
        name=f"Sealing of {facts.exhibit}",
        began=instant(facts.ended_at),
        ended=instant(at),
        performer=person,
        instrument=tools,
        informed_by=(_ref(facts, "collection"),),
        acted_on=(_ref(facts, "record"),),
        result=(_ref(facts, layout.TAG_MANIFEST),),
    )


def _sealed_at(dossier: Dossier, facts: ExhibitFacts) -> str:
    """When the custody log says that it was sealed; the end of the acquisition where there is no log."""
    rows = (line for line in dossier.custody if line.event in _SEALED and ("exhibit", facts.exhibit) in line.facts)
    return next((line.at for line in rows), facts.ended_at)


_SEALED = ("sealed", "sealed_found")


def _record(part: Part) -> Iterator[bytes]:
    """The provenance record: everything that is in the exhibit, by reference."""
    facts = part.facts
    frame = Node(
        id=_ref(facts, "record").id,
        type="case-investigation:ProvenanceRecord",
        name=f"Exhibit {facts.exhibit}",
        description=tuple(_described(facts)),
        exhibit=facts.exhibit,
        root_exhibit=facts.exhibit,
        object=(),
    )
    head, _, rest = encode(frame).partition(b'"uco-core:object":[]')
    yield head + b'"uco-core:object":[' + encode(_ref(facts, layout.TAG_MANIFEST))
    for item in part.rows.items():
        yield b"," + encode(_ref(facts, item.path))
    yield b"]" + rest


def _described(facts: ExhibitFacts) -> Iterator[str]:
    if facts.attention is not None:
        yield facts.attention
    yield f"seal {facts.seal}"
    yield sentence(OUTCOMES, facts.outcome)
    yield from attested_words(facts.check.authenticity, facts.check.attested)
    yield from (f"{sentence(KINDS, kind)} {plainly(code)}: {count}" for kind, code, count in facts.gap_totals)
    yield from (total_words(one) for one in facts.entry_totals)


def _file(facts: ExhibitFacts, path: str, size: int | None, digest: Digest, media_type: str | None) -> Node:
    key = _ref(facts, path).id
    octets = UNSET if size is None else size
    hashed = Node(
        id=identifier(key, "hash"),
        type="uco-types:Hash",
        method="SHA256",
        digest=Typed(type="xsd:hexBinary", value=digest.removeprefix("sha256:")),
    )
    named = Node(
        id=identifier(key, "file"),
        type="uco-observable:FileFacet",
        file_name=path.rpartition("/")[2],
        file_path=f"{facts.exhibit}/{path}",
        size=octets,
    )
    data = Node(
        id=identifier(key, "data"),
        type="uco-observable:ContentDataFacet",
        mime_type=media_type if media_type is not None else UNSET,
        size=octets,
        hashes=(hashed,),
    )
    return Node(id=key, type="uco-observable:File", facets=(named, data))


def _of_case(dossier: Dossier, *parts: str) -> str:
    return identifier("case", dossier.parts[0].facts.case, *parts)


def _ref(facts: ExhibitFacts, what: str) -> Reference:
    return Reference(id=identifier("exhibit", facts.seal, what))
