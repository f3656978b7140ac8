"""`agentaudit playbook`: investigations, printed as they are shipped."""

import json

import pytest

from agentaudit.playbook.shelf import names
from tests.cli.terminal import Terminal


def test_the_list_names_every_playbook(terminal: Terminal) -> None:
    """One line each, with its title."""
    assert terminal.run("playbook", "list") == 0
    assert all(f"{name} " in terminal.out for name in names())


def test_the_list_as_one_document(terminal: Terminal) -> None:
    """Names, titles and questions for a program."""
    assert terminal.run("playbook", "list", "--json") == 0
    rows = json.loads(terminal.out)["playbooks"]
    assert [row["name"] for row in rows] == list(names())
    assert all(row["question"] for row in rows)


@pytest.mark.parametrize("name", names())
def test_a_playbook_is_printed_with_what_it_cannot_show(terminal: Terminal, name: str) -> None:
    """Every part stands on the screen, commands unbroken and unchanged."""
    assert terminal.run("playbook", "show", name) == 0
    for part in ("Question: ", "Authority: ", "What it CANNOT show", "What corroborates it", "What changes evidence"):
        assert part in terminal.out
    printed = terminal.out
    assert terminal.run("playbook", "show", name, "--json") == 0
    book = json.loads(terminal.out)["playbook"]
    assert all(line in printed for step in book["steps"] for command in step["run"] for line in command.splitlines())


def test_a_name_that_is_none_is_refused(terminal: Terminal) -> None:
    """2, with the command that lists them."""
    assert terminal.run("playbook", "show", "nothing") == 2
    assert "agentaudit playbook list" in terminal.err
