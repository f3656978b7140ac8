"""manifest.case.jsonld: a graph in the terms of CASE and UCO."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from uuid import UUID

import pytest

from agentaudit.export.dossier import Dossier, Part
from agentaudit.export.render.as_case import NAME, render_case
from tests.export.dossiers import DIGEST, HOSTILE, MemoryRows, custody, dossier, facts, item, joined, rows

VALIDATOR = shutil.which("case_validate", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))


def document(given: Dossier) -> bytes:
    """The one file of the format."""
    (file,) = render_case(given)
    return joined(file.pieces)


def graph(given: Dossier) -> list[dict[str, object]]:
    """The nodes."""
    nodes: list[dict[str, object]] = json.loads(document(given))["@graph"]
    return nodes


def of_type(given: Dossier, kind: str) -> list[dict[str, object]]:
    """The nodes of a type."""
    return [node for node in graph(given) if node["@type"] == kind]


def identifiers(value: object) -> list[str]:
    """Every identifier in a value, at any depth."""
    if isinstance(value, dict):
        own = [str(value["@id"])] if "@id" in value else []
        return own + [one for inner in value.values() for one in identifiers(inner)]
    return [one for inner in value for one in identifiers(inner)] if isinstance(value, list) else []


def test_an_exhibit_is_collected_sealed_and_recorded() -> None:
    """Each exhibit has its two actions and its provenance record with the exhibit's number."""
    actions = [node["uco-core:name"] for node in of_type(dossier(), "case-investigation:InvestigativeAction")]
    assert actions == ["Collection of EX-0001", "Sealing of EX-0001"]
    (record,) = of_type(dossier(), "case-investigation:ProvenanceRecord")
    assert record["case-investigation:exhibitNumber"] == "EX-0001"
    assert any(str(words).startswith("DEMONSTRATION") for words in as_list(record["uco-core:description"]))


def as_list(value: object) -> list[object]:
    """The value, which is a list."""
    assert isinstance(value, list)
    return value


def test_every_reference_leads_to_a_node() -> None:
    """No node refers to one that is not there, and no node is there twice."""
    nodes = graph(dossier(Part(facts(), rows()), Part(facts(exhibit="EX-0002", seal="sha256:" + "cd" * 32), rows())))
    there = [str(node["@id"]) for node in nodes]
    assert len(there) == len(set(there))
    facets = {one for node in nodes for one in identifiers(node.get("uco-core:hasFacet", []))}
    assert set(identifiers(nodes)) - facets == set(there)


def test_identifiers_are_derived_and_valid() -> None:
    """The same export gives the same identifiers, each a UUID."""
    assert document(dossier()) == document(dossier())
    assert all(UUID(one.removeprefix("urn:uuid:")).version == 5 for one in identifiers(graph(dossier())))


def test_a_file_has_its_size_and_hash() -> None:
    """A payload file is a file with its path, size and SHA-256; the tag manifest is one too."""
    files = of_type(dossier(), "uco-observable:File")
    named, data = as_list(files[1]["uco-core:hasFacet"])
    assert isinstance(named, dict)
    assert isinstance(data, dict)
    assert named["uco-observable:filePath"] == "EX-0001/data/w/000001.json"
    assert named["uco-observable:sizeInBytes"] == 1_200
    assert data["uco-observable:hash"][0]["uco-types:hashValue"]["@value"] == DIGEST.removeprefix("sha256:")
    assert len(files) == 2


def test_sealing_ends_when_the_custody_log_says() -> None:
    """The row `sealed` of the very exhibit gives the time; without it the end of the acquisition does."""
    late = custody(3, event="sealed")
    late = type(late)(
        **{**{name: getattr(late, name) for name in late.__struct_fields__}, "at": "2026-11-11T00:00:00.000000Z"}
    )
    given = dossier()
    told = Dossier(given.facts, given.parts, (custody(), late))
    ends = [node["uco-action:endTime"] for node in of_type(told, "case-investigation:InvestigativeAction")]
    assert ends[1] == {"@type": "xsd:dateTime", "@value": "2026-11-11T00:00:00.000000Z"}
    alone = of_type(dossier(alone=True), "case-investigation:InvestigativeAction")
    assert alone[1]["uco-action:endTime"] == {"@type": "xsd:dateTime", "@value": facts().ended_at}


def test_an_exhibit_of_the_vendor_has_no_attention() -> None:
    """Without a case and without attention neither authority nor description is made up."""
    real = dossier(Part(facts(attention=None), MemoryRows(held_items=(item(), item("data/w/2.json")))), alone=True)
    (investigation,) = of_type(real, "case-investigation:Investigation")
    assert "uco-core:description" not in investigation
    assert of_type(real, "case-investigation:Authorization") == []


@pytest.mark.skipif(VALIDATOR is None, reason="case_validate (case-utils) is not installed")
@pytest.mark.parametrize("given", [dossier(word=HOSTILE), dossier(alone=True)])
def test_the_ontology_s_own_validator_accepts_it(given: Dossier, tmp_path: Path) -> None:
    """`case_validate` finds that the graph conforms to CASE 1.4, whatever words stand in it."""
    assert VALIDATOR is not None
    (tmp_path / NAME).write_bytes(document(given))
    argv = (VALIDATOR, "--built-version", "case-1.4.0", tmp_path / NAME)
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=170)
    assert "Conforms: True" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0
