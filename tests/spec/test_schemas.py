"""The JSON Schemas: shipped, of the types, and true of every golden file."""

import json
from pathlib import Path

import jsonschema
import pytest

from agentaudit.encoding.canonical import encode, encode_line
from agentaudit.format import layout
from agentaudit.format.schemas import schema, schema_file, schema_names
from agentaudit.model.base import digest_of
from agentaudit.model.custody import HeadFile
from agentaudit.model.journal import CustodyHead
from agentaudit.verify import verify_case
from tests.golden import ScriptReader, golden_case, golden_exhibit, small_script
from tests.spec.regenerate import SHIPPED, TEXT, text


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case with one exhibit that has rows of every kind."""
    golden = golden_case(tmp_path_factory.mktemp("golden") / "case")
    golden_exhibit(golden, small_script)
    head = HeadFile(format="agentaudit-head/1", case="N-1", head=CustodyHead(seq=3, digest=digest_of(b"")))
    (golden.path / layout.REPORTS / "R-0001").mkdir(parents=True)
    (golden.path / layout.REPORTS / "R-0001" / layout.REPORT_HEAD).write_bytes(encode_line(head))
    return golden.path


@pytest.mark.parametrize("name", schema_names())
def test_the_shipped_schema_is_that_of_the_type(name: str) -> None:
    """What is shipped is generated: `python -m tests.spec.regenerate` writes it anew."""
    assert (SHIPPED / schema_file(name)).read_bytes() == schema(name)


def test_the_text_lists_the_keys_of_the_types() -> None:
    """Sections 13 and 14 of FORMAT.md are generated: `python -m tests.spec.regenerate` writes them anew."""
    assert TEXT.read_text(encoding="utf-8") == text()


def test_no_schema_is_shipped_that_no_type_has() -> None:
    """Each shipped file belongs to a type, and two types never share one."""
    names = [schema_file(name) for name in schema_names()]
    assert sorted(names) == sorted(path.name for path in SHIPPED.iterdir())


@pytest.mark.parametrize("name", [name for name in schema_names() if "verdict" not in name])
def test_every_line_of_a_golden_file_fits_its_schema(name: str, case: Path) -> None:
    """An independent validator accepts each line, and refuses one with a key too many."""
    validator = jsonschema.Draft202012Validator(json.loads(schema(name)))
    folder = {layout.CASE: "", layout.CUSTODY: "", layout.REPORT_HEAD: "reports/R-0001"}.get(name, "EX-0001")
    path = case / folder / name
    lines = path.read_bytes().splitlines()
    assert lines or name.endswith("entries.jsonl")  # only local sources have entries
    for line in lines:
        row = json.loads(line)
        validator.validate(row)
        assert not validator.is_valid({**row, "surplus": 1})


def test_verdicts_fit_their_schemas(case: Path) -> None:
    """What `verify --json` prints fits the shipped schema."""
    verdict = verify_case(case, readers=(ScriptReader(),))
    assert [code for code, _ in verdict.codes] == ["C018"]  # the export's head above is of no row
    jsonschema.validate(json.loads(encode(verdict)), json.loads(schema("case-verdict.json")))
    for exhibit in verdict.exhibits:
        jsonschema.validate(json.loads(encode(exhibit)), json.loads(schema("verdict.json")))


def test_a_name_without_a_schema_is_refused() -> None:
    """A payload file has no schema of ours."""
    with pytest.raises(KeyError):
        schema("data/w/000001.json")
