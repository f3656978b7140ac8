"""Every document that `--json` prints has a schema."""

import json
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import jsonschema
import pytest

import agentaudit
from agentaudit.cli.schemas import RESULTS, schema_text
from tests.cli.terminal import Terminal


def _modules() -> list[str]:
    return [one.name for one in pkgutil.walk_packages(agentaudit.__path__, "agentaudit.")]


def test_every_result_is_in_the_table() -> None:
    """A type named as a result is printed by some command, and so has a schema."""
    named = {
        f"{module}:{kind}"
        for module in _modules()
        for kind in re.findall(r"^class (\w+Result)\(Frozen", _source(module), re.MULTILINE)
    }
    assert named <= set(RESULTS.values())


def _source(module: str) -> str:
    place = import_module(module).__file__
    return "" if place is None else Path(place).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*RESULTS, "items", "journal"])
def test_each_schema_is_one(name: str) -> None:
    """Each is a valid JSON Schema of the 2020-12 dialect."""
    text = schema_text(name)
    assert text is not None
    jsonschema.Draft202012Validator.check_schema(json.loads(text))


def test_what_has_none_is_said() -> None:
    """An unknown name has no schema, and the command says which there are."""
    terminal = Terminal()
    assert schema_text("nothing") is None
    assert terminal.run("docs", "schema/nothing") == 2
    assert "sealed" in terminal.err


def test_an_opened_case_fits_its_schema(tmp_path: Path) -> None:
    """What `open --json` prints is what its printed schema says."""
    terminal = Terminal()
    words = ("--number", "N", "--title", "T", "--examiner", "E", "--authority", "A", "--json")
    assert terminal.run("open", str(tmp_path / "case"), *words) == 0
    document = json.loads(terminal.out)
    assert terminal.run("docs", "schema/opened") == 0
    jsonschema.validate(document, json.loads(terminal.out))
