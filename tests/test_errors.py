"""The tree of errors."""

import pytest

from agentaudit import errors
from agentaudit.errors import AgentAuditError, Interrupted

STATUSES = {
    "AgentAuditError": 1,
    "UsageFault": 2,
    "PackageFault": 4,
    "SourceRefused": 5,
    "SourceUnreachable": 6,
    "DestinationFault": 7,
    "NotAPackage": 8,
    "NotSealed": 9,
}


def test_each_error_owns_its_status() -> None:
    """Those of the table of the command line; an interruption computes its own."""
    kinds = {name: kind for name, kind in vars(errors).items() if isinstance(kind, type) and name != "Interrupted"}
    found = {name: kind("x").exit_status for name, kind in kinds.items() if issubclass(kind, AgentAuditError)}
    assert found.items() >= STATUSES.items()


def test_an_error_says_what_and_what_next() -> None:
    """Two lines: the message is its text, the hint stands beside it."""
    error = errors.DestinationFault("a folder is full", "make room")
    assert (str(error), error.message, error.hint) == ("a folder is full", "a folder is full", "make room")
    assert AgentAuditError("alone").hint == ""


@pytest.mark.parametrize(("signum", "status"), [(2, 130), (15, 143)])
def test_an_interruption_ends_with_the_status_of_its_signal(signum: int, status: int) -> None:
    """128 and the number, as shells report it; the partial is spoken of."""
    error = Interrupted(signum)
    assert "no exhibit was begun" in Interrupted(signum, begun=False).message
    assert (error.exit_status, error.signum) == (status, signum)
    assert "--resume" in error.hint
