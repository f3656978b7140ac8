"""manifest.json: one document of its type, written piece by piece."""

import json

import jsonschema
import msgspec
import pytest

from agentaudit.encoding.canonical import encode
from agentaudit.export.certificate import certification
from agentaudit.export.document import ExhibitPart, ManifestFile
from agentaudit.export.dossier import Dossier, Part
from agentaudit.export.render.as_json import render_json
from agentaudit.export.schemas import schema, schema_file, schema_names
from agentaudit.export.sentences import cannot_show, how_to_verify
from tests.export.dossiers import HOSTILE, MemoryRows, dossier, facts, joined, rows
from tests.export.regenerate import SHIPPED


def document(given: Dossier) -> bytes:
    """The one file of the format."""
    (file,) = render_json(given)
    return joined(file.pieces)


def whole(given: Dossier) -> bytes:
    """The same document, built at once and encoded at once."""
    parts = tuple(
        ExhibitPart(
            **msgspec.structs.asdict(part.facts),
            items=tuple(part.rows.items()),
            sessions=tuple(part.rows.sessions()),
            truncations=tuple(part.rows.truncations()),
            gaps=tuple(part.rows.gaps()),
            entries=tuple(part.rows.entries()),
            streams=tuple(part.rows.streams()),
            events=tuple(part.rows.events()),
            walks=tuple(part.rows.walks()),
        )
        for part in given.parts
    )
    return encode(
        ManifestFile(
            **msgspec.structs.asdict(given.facts),
            exhibits=parts,
            custody=given.custody,
            certification=certification(given),
            how_to_verify=how_to_verify(),
            cannot_show=cannot_show(),
        )
    )


GIVEN = (
    dossier(),
    dossier(word=HOSTILE),
    dossier(word='"items":[]'),
    dossier(alone=True),
    dossier(Part(facts(), MemoryRows()), Part(facts(exhibit="EX-0002"), rows())),
)


@pytest.mark.parametrize("given", GIVEN)
def test_the_pieces_are_the_document(given: Dossier) -> None:
    """What is written piece by piece parses to what is encoded at once, whatever words stand in it."""
    assert json.loads(document(given)) == json.loads(whole(given))


def test_each_row_stands_on_a_line() -> None:
    """Rows can be searched and compared line by line."""
    two = MemoryRows(held_items=rows().held_items * 3)
    lines = document(dossier(Part(facts(), two))).splitlines()
    assert sum(b'"path":"data/w/000001.json"' in line for line in lines) == 3


@pytest.mark.parametrize("given", GIVEN)
def test_it_fits_its_schema(given: Dossier) -> None:
    """An independent validator accepts the document, and refuses one with a key too many or too few."""
    validator = jsonschema.Draft202012Validator(json.loads(schema("manifest.json")))
    told = json.loads(document(given))
    validator.validate(told)
    assert not validator.is_valid({**told, "surplus": 1})
    assert not validator.is_valid({key: value for key, value in told.items() if key != "attention"})


def test_attention_is_the_first_key() -> None:
    """What did not come from the vendor is said before anything else."""
    assert document(dossier()).startswith(b'{"attention":["DEMONSTRATION.')


@pytest.mark.parametrize("name", schema_names())
def test_the_shipped_schema_is_that_of_the_type(name: str) -> None:
    """What is shipped is generated: `python -m tests.export.regenerate` writes it anew."""
    assert (SHIPPED / schema_file(name)).read_bytes() == schema(name)
