"""The playbooks that are shipped: their form, their names, and how one is read.

- Names are those of the files. A file that has not the form of a playbook is a bug, not a choice.
"""

import tomllib
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from agentaudit.errors import UsageFault
from agentaudit.model.base import Frozen

FOLDER = "playbooks"
SUFFIX = ".toml"


class Step(Frozen, frozen=True, kw_only=True):
    """One step: what to do, the exact commands (none where only a person can act), and what comes of it.

    Words in capitals stand for what only the investigator knows.
    """

    do: str
    run: tuple[str, ...] = ()
    result: str


class Playbook(Frozen, frozen=True, kw_only=True):
    """One investigation.

    `cannot_show` is as much part of it as `shows`; `corroborates` names independent records; `changes_evidence` says
    what is changed, or may change, on the way.
    """

    title: str
    question: str
    authority: str
    steps: tuple[Step, ...]
    shows: tuple[str, ...]
    cannot_show: tuple[str, ...]
    corroborates: tuple[str, ...]
    changes_evidence: tuple[str, ...]


def names() -> tuple[str, ...]:
    """The names of all playbooks, in their order."""
    found = (entry.name for entry in _folder().iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in found if name.endswith(SUFFIX)))


def load(name: str) -> Playbook:
    """The playbook of that name; UsageFault (2) when there is none."""
    if name not in names():
        raise UsageFault(f"there is no playbook {name!r}", "agentaudit playbook list")
    return parse(_folder().joinpath(f"{name}{SUFFIX}").read_text(encoding="utf-8"))


def parse(text: str) -> Playbook:
    """The playbook in a TOML text; ValueError for one that has not its form."""
    return msgspec.convert(tomllib.loads(text), Playbook)


def _folder() -> Traversable:
    """The folder inside the installed program, or beside it in the checkout that it runs in."""
    shipped = files("agentaudit").joinpath(FOLDER)
    # A wheel holds playbooks/ inside the package (pyproject.toml, force-include).
    return shipped if shipped.is_dir() else Path(__file__).parents[2] / FOLDER
