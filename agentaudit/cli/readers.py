"""Which adapters a check may rebuild readings with: every one that this program has."""

from agentaudit.adapters.compliance.reading import CompliancePageReader
from agentaudit.format.readings import PageReader


def page_readers() -> tuple[PageReader, ...]:
    """The adapters, by no particular order: a check finds its own by name."""
    return (CompliancePageReader(),)
