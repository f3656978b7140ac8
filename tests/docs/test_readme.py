"""The README against the program: what it shows of the command line is what the command line says."""

import re
from pathlib import Path

import click
import pytest

from agentaudit.cli.app import LazyGroup, group

README = (Path(__file__).resolve().parents[2] / "README.md").read_text("utf-8")
WIDTH = 78
"""What click leaves of 80 columns."""

BLOCK = re.compile(r"^`?\$ agentaudit ?([\w-]*) --help`?\n\n```text\n(.*?)^```", re.MULTILINE | re.DOTALL)


def said(name: str) -> str:
    """The help of a command, or of the program for an empty name, as 80 columns without a terminal show it."""
    root = group()
    outer = click.Context(root, info_name="agentaudit", terminal_width=WIDTH)
    if not name:
        return root.get_help(outer)
    command = root.get_command(outer, name)
    assert command is not None
    return command.get_help(click.Context(command, info_name=name, parent=outer, terminal_width=WIDTH))


@pytest.mark.parametrize("name", ["", *LazyGroup.table])
def test_a_help_block_is_what_the_program_says(name: str) -> None:
    """Each command stands in the README with its own help, to the letter."""
    shown = dict(BLOCK.findall(README))
    assert shown[name].rstrip() == said(name).rstrip()


def test_no_command_is_shown_that_does_not_exist() -> None:
    """The README has a block for each command and no other."""
    assert {name for name, _ in BLOCK.findall(README)} == {"", *LazyGroup.table}
