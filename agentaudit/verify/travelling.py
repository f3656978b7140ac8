"""An exhibit that travelled alone, against the copies of case.json and custody.jsonl beside it.

- The copies are no part of the exhibit: what is wrong with them is a warning, and never touches its integrity.
- Inside a case the case's own log is judged instead, by the check of the case.
"""

from collections.abc import Iterator
from pathlib import Path

from agentaudit.format import layout
from agentaudit.model.tagfiles import PackageFile
from agentaudit.package.check import Row
from agentaudit.package.handover import read_travelling


def check_travelling(root: Path, package: PackageFile | None) -> Iterator[Row]:
    """What does not fit: a broken copy, another case, another seal, a log that lacks the row that the exhibit knows."""
    came = read_travelling(root)
    if came is None:
        return
    place = layout.travelling_names(root.name)[1]
    yield from (("C019", place, fault) for fault in came.faults)
    if came.faults or package is None:
        return
    if came.case is not None and came.case.number != package.case:
        yield "C019", place, "the exhibit belongs to another case"
    if not came.index.holds(package.custody_head):
        yield "C019", place, f"the exhibit knows row {package.custody_head.seq}, and the log lacks it"
