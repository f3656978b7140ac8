"""What may travel with one session."""

import pytest

from agentaudit.export.checked import Checked
from agentaudit.extract.taking import take
from agentaudit.format import layout
from agentaudit.model.base import Frozen
from agentaudit.model.selection import BundleSelection, Family, NamedSession, SessionSelection
from agentaudit.model.tagfiles import PackageFile
from agentaudit.package.session import held_session, sealed_rows
from agentaudit.package.tree import Tree


class Unheard(Frozen, frozen=True, kw_only=True):
    """A selection of a source that this program does not know."""


def stays(collected: Checked, selection: Frozen) -> bool:
    """True when package.json stays behind under this selection."""
    with Tree(collected.path) as tree:
        package = next(sealed_rows(tree, layout.PACKAGE, PackageFile))
        facts = {name: getattr(package, name) for name in package.__struct_fields__}
        held = held_session(tree, "s000001")
        return take(tree, PackageFile(**{**facts, "selection": selection}), held).left_behind.package_json


def own(collected: Checked) -> tuple[str, str]:
    """Id and user of the session."""
    with Tree(collected.path) as tree:
        row = held_session(tree, "s000001").row
    assert row.listed is not None  # type: ignore[union-attr]
    return str(row.id), str(row.listed.user_id)  # type: ignore[union-attr]


def test_a_selection_that_names_nobody_else_travels(collected: Checked) -> None:
    """Everybody, this session, and its own user name nobody else."""
    identifier, user = own(collected)
    families: tuple[Family, ...] = ("local",)
    assert not stays(collected, SessionSelection(families=families))
    assert not stays(collected, SessionSelection(families=families, users=(user,)))
    named = (NamedSession(family="local", id=identifier),)
    assert not stays(collected, SessionSelection(families=families, sessions=named))
    assert not stays(collected, BundleSelection(agent="claude-code", roots=(), sessions=(identifier,)))


@pytest.mark.parametrize(
    "selection",
    [
        SessionSelection(families=("local",), users=("user_other",)),
        SessionSelection(families=("local",), sessions=(NamedSession(family="local", id="clls_other"),)),
        BundleSelection(agent="claude-code", roots=(), sessions=("other",)),
        BundleSelection(agent="claude-code", roots=(), projects=("somebody's",)),
        Unheard(),
    ],
)
def test_a_selection_that_names_others_stays_behind(collected: Checked, selection: Frozen) -> None:
    """Another user, session or project, and a selection that cannot be read, keep package.json where it is."""
    assert stays(collected, selection)
