"""An exhibit with one odd session, collected once; not to be changed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agentaudit.adapters.compliance.reading_copy import ComplianceCopyReader
from agentaudit.export.checked import Checked
from agentaudit.transcript.opening import Copy, opened
from tests.transcript.odd import checked, odd_case


@pytest.fixture(scope="session")
def odd(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The case, and the id of its odd session, which is `s000001`."""
    with odd_case(tmp_path_factory.mktemp("odd")) as (job, identifier):
        return job.case, identifier


@pytest.fixture(scope="session")
def exhibit(odd: tuple[Path, str]) -> Checked:
    """Its exhibit, checked."""
    return checked(odd[0] / "EX-0001")


@pytest.fixture
def copy(exhibit: Checked) -> Iterator[Copy]:
    """The copy of the odd session."""
    with opened(exhibit, "s000001", (ComplianceCopyReader(),)) as found:
        yield found
