"""`agentaudit docs`: the documents that explain a package, printed as they are shipped.

- FORMAT.md and VERIFY.txt are the very texts that stand in every package.
- `schema/NAME` is the JSON Schema of what a command prints with --json, or of a tag file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import click
import typer

from agentaudit.cli.arguments import invocation, plain
from agentaudit.cli.schemas import RESULTS, schema_text
from agentaudit.errors import UsageFault
from agentaudit.format.verifytxt import verify_text

SCHEMA = "schema/"


@dataclass(frozen=True, slots=True)
class Document:
    """One document: what it is about, and its file; without one it is made by the format itself."""

    about: str
    place: str = ""


DOCUMENTS: Mapping[str, Document] = MappingProxyType(
    {
        "format": Document("the specification of the evidence format", "format/FORMAT.md"),
        "verify": Document("how to check a package with stock tools only"),
        "threat-model": Document("what is assumed, what is guaranteed, what is not", "docs/threat-model.md"),
        "glossary": Document("each word, once", "docs/glossary.md"),
    }
)


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("docs", docs)


def docs(context: typer.Context, name: Annotated[str, typer.Argument(metavar="NAME", hidden=True)] = "") -> int:
    """Print a document that explains a package.

    NAME is format, verify, threat-model or glossary; without it the documents are listed. schema/NAME is the JSON
    Schema of what --json prints (such as schema/sealed) or of a file of a package (such as schema/items).
    """
    console = invocation(context).console
    if not name:
        width = max(len(one) for one in DOCUMENTS)
        for one, document in DOCUMENTS.items():
            console.result(f"{one.ljust(width)}  {document.about}")
        for result in RESULTS:
            console.result(f"{SCHEMA}{result}")
        return 0
    if name.startswith(SCHEMA):
        found = schema_text(name.removeprefix(SCHEMA))
        if found is None:
            raise UsageFault(f"there is no {name!r}", f"one of {', '.join(RESULTS)}, or a file of a package")
        for line in found.splitlines():
            console.result(line)
        return 0
    if name not in DOCUMENTS:
        raise UsageFault(f"there is no document {name!r}", f"one of {', '.join(DOCUMENTS)}")
    for line in text(DOCUMENTS[name]).splitlines():
        console.result(line)
    return 0


def text(document: Document) -> str:
    """The text of a document: from inside the installed program, or from the checkout that it runs in."""
    if not document.place:
        return verify_text().decode()
    shipped = files("agentaudit").joinpath(document.place)
    if shipped.is_file():
        return shipped.read_text(encoding="utf-8")
    # A wheel holds docs/ inside the package (pyproject.toml, force-include); a checkout holds it beside.
    return (Path(__file__).parents[2] / document.place).read_text(encoding="utf-8")
