"""The playbooks: their form, and how they are read."""

import pytest

from agentaudit.errors import UsageFault
from agentaudit.playbook.shelf import load, names, parse

STEP = '[[steps]]\ndo = "x"\nresult = "y"\n'
WHOLE = (
    'title = "t"\nquestion = "q"\nauthority = "a"\nshows = ["s"]\ncannot_show = ["c"]\n'
    f'corroborates = ["d"]\nchanges_evidence = ["e"]\n{STEP}'
)


def test_the_promised_investigations_are_there() -> None:
    """Each question that the program is for has its playbook."""
    assert set(names()) >= {
        "collect-custodian", "hand-over", "interrupted-action", "preserve-workstation", "one-session",
        "verify-received", "prompt-to-effect", "credential-access", "permission-broadening", "unfamiliar-mcp",
        "policy-block", "plugin-installation", "persistent-approval", "metadata-first-telemetry",
    }  # fmt: skip


def test_a_playbook_is_read_whole() -> None:
    """Every field stands where it belongs; a step without commands is one for a person."""
    book = parse(WHOLE)
    assert (book.title, book.cannot_show, book.steps[0].do, book.steps[0].run) == ("t", ("c",), "x", ())


@pytest.mark.parametrize(
    "text",
    [
        "",
        WHOLE.replace('cannot_show = ["c"]\n', ""),
        WHOLE.replace('question = "q"', "question = 5"),
        f'more = "m"\n{WHOLE}',
        WHOLE.replace('result = "y"', 'results = "y"'),
        "title = ",
    ],
)
def test_what_has_not_its_form_is_no_playbook(text: str) -> None:
    """A missing, a strange or a wrongly typed field, and what is no TOML, is refused."""
    with pytest.raises(ValueError):  # noqa: PT011 - any of its kinds
        parse(text)


@pytest.mark.parametrize("name", ["nothing", "../README", "README", ""])
def test_only_names_of_the_list_are_read(name: str) -> None:
    """A name is looked up, never opened as a path."""
    with pytest.raises(UsageFault):
        load(name)
