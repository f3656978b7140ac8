"""The findings of one check as they come up.

- Every finding is counted; of each code only the first `KEPT_MAX` are kept, so that a hostile package cannot fill
  memory with its own faults.
- The order that is given out is by code, then as found.
"""

from collections import Counter
from collections.abc import Iterable

from agentaudit.format.codes import CATALOGUE, finding
from agentaudit.model.finding import Finding

KEPT_MAX = 100


class Ledger:
    """Where a check writes what it finds."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._kept: dict[str, list[Finding]] = {}

    def add(self, code: str, subject: str, detail: str = "") -> None:
        """Note a finding; KeyError for a code that the catalogue does not have."""
        self._counts[code] += 1
        kept = self._kept.setdefault(code, [])
        if len(kept) < KEPT_MAX:
            kept.append(finding(code, subject, detail))

    def add_all(self, rows: Iterable[tuple[str, str, str]]) -> None:
        """Note findings that come as code, subject, detail."""
        for code, subject, detail in rows:
            self.add(code, subject, detail)

    def has_errors(self) -> bool:
        """True when any finding touches integrity."""
        return any(CATALOGUE[code].severity == "error" for code in self._counts)

    def findings(self) -> tuple[Finding, ...]:
        """The findings that were kept, by code."""
        return tuple(row for code in sorted(self._kept) for row in self._kept[code])

    def codes(self) -> tuple[tuple[str, int], ...]:
        """How often each code came up, by code."""
        return tuple(sorted(self._counts.items()))
