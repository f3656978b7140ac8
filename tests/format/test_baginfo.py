"""bag-info.txt."""

import pytest

from agentaudit.format.baginfo import OXUM, package_info, read_bag_info
from agentaudit.format.folds import package_file
from agentaudit.model.base import Instant
from agentaudit.model.journal import Closed, Counts, LossCounts
from tests.support.openings import opened_row

COUNTS = Counts(
    items=2,
    payload_bytes=30,
    walks=0,
    pages=0,
    sessions_seen=0,
    sessions_kept=0,
    sessions_excluded=0,
    messages=0,
    losses=LossCounts(),
)


def test_it_is_a_fold_of_package_json() -> None:
    """Fixed labels in a fixed order, with the numbers and the class of the exhibit."""
    closed = Closed(at=Instant("2026-03-02T09:00:01.000000Z"), outcome="all_given", counts=COUNTS)
    info = package_info(package_file(opened_row(), 0, None, closed))
    assert read_bag_info(info) == (
        ("External-Identifier", "N-1/EX-0001"),
        ("Bagging-Date", "2026-03-02"),
        (OXUM, "30.2"),
        ("Bag-Software-Agent", "agentaudit 0.1.0"),
        ("Agentaudit-Format", "agentaudit-package/1"),
        ("Agentaudit-Endpoint-Class", "loopback"),
        ("Agentaudit-Outcome", "all_given"),
    )


def test_an_empty_file_has_no_rows() -> None:
    """All labels are optional to BagIt."""
    assert read_bag_info(b"") == ()


@pytest.mark.parametrize(
    "octets",
    [
        b"Label: value",
        b"Label:value\n",
        b"Label:  value\n",
        b"Label : value\n",
        b"label: value\n",
        b"Label: \n",
        b"Label: a\r\n",
        b"Label: a\n continued\n",
        b"Label: \xff\n",
        b"\xef\xbb\xbfLabel: a\n",
        b"\n",
    ],
)
def test_a_line_of_another_form_is_none(octets: bytes) -> None:
    """What BagIt would tolerate, this format does not write."""
    assert read_bag_info(octets) is None
