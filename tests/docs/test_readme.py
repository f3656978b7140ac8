"""What the documents show of the command line against the program: it is what the program says, to the letter."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from agentaudit.cli.app import LazyGroup, group

ROOT = Path(__file__).resolve().parents[2]
WIDTH = 78
"""What click leaves of 80 columns."""

BLOCK = re.compile(r"^`\$ agentaudit((?: \w[\w-]*)*) --help`\n\n```text\n(.*?)^```", re.MULTILINE | re.DOTALL)


def every_command() -> Iterator[tuple[str, click.Command, click.Context]]:
    """The program itself, with an empty name, and each command and its own commands, in the order of the help."""
    root = group()
    outer = click.Context(root, info_name="agentaudit", terminal_width=WIDTH)
    yield "", root, outer
    for name in LazyGroup.table:
        command = root.get_command(outer, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=outer, terminal_width=WIDTH)
        yield name, command, inner
        if isinstance(command, click.Group):
            for more, below in command.commands.items():
                yield f"{name} {more}", below, click.Context(below, info_name=more, parent=inner, terminal_width=WIDTH)


NAMES = tuple(name for name, _, _ in every_command())


def said(name: str) -> str:
    """The help of a command, as 80 columns without a terminal show it."""
    return next(command.get_help(context) for known, command, context in every_command() if known == name)


def shown(document: str) -> dict[str, str]:
    """The help blocks of a document by the name of their command."""
    return {name.strip(): block for name, block in BLOCK.findall((ROOT / document).read_text("utf-8"))}


@pytest.mark.parametrize("name", NAMES)
def test_a_help_block_is_what_the_program_says(name: str) -> None:
    """The program's help stands in the README, that of each command in docs/commands.md, to the letter."""
    document = "docs/commands.md" if name else "README.md"
    assert shown(document)[name].rstrip() == said(name).rstrip()


def test_no_command_is_shown_that_does_not_exist() -> None:
    """The documents have a block for each command and no other, each once."""
    assert set(shown("README.md")) == {""}
    assert set(shown("docs/commands.md")) == {*NAMES} - {""}
