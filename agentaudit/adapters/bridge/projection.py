"""The bridge's list of a job's tools: a live projection, kept as such, and compared with what the entries say.

- It is read after the audit, so it may know more: what it lacks, and what it says otherwise of a closed job, is a lead.
- The list holds no payloads.
"""

from dataclasses import dataclass
from typing import Final

from agentaudit.adapters.bridge.tools import Call, Outcome, Tools
from agentaudit.adapters.findings import Findings
from agentaudit.adapters.wording import identifier, word
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.stream import Place

_OUTCOMES: Final[dict[str, Outcome]] = {
    "requested": "awaiting", "succeeded": "reported_success", "failed": "reported_failure", "unknown": "unknown",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Projected:
    """One tool of the list: its status as a word, and where it stands."""

    status: str | None
    place: Place


class Projection:
    """The list of one job's tools, page by page."""

    def __init__(self) -> None:
        """Nothing was read yet."""
        self._tools: dict[Call, Projected] = {}
        self._unread: list[Place] = []

    def __len__(self) -> int:
        """How many tools it holds."""
        return len(self._tools)

    def take(self, item: Json, place: Place) -> None:
        """One tool of a page."""
        told = mapping(item) or {}
        tool = identifier(told.get("toolId"))
        if tool is None:
            self._unread.append(place)
            return
        self._tools[identifier(told.get("attemptId")), tool] = Projected(word(told.get("status")), place)

    def judge(self, tools: Tools, findings: Findings, *, is_closed: bool) -> None:
        """After the last page: what one of both has and the other has not."""
        for place in self._unread:
            findings.add("projected_tool_unreadable", place)
        for call, projected in self._tools.items():
            outcome = tools.outcome(call)
            if outcome is None and is_closed:
                findings.add("projected_tool_without_entries", projected.place, call[1])
            elif outcome is not None and is_closed and _OUTCOMES.get(projected.status or "") != outcome:
                findings.add("projection_differs", projected.place, call[1])
        for call in tools.native():
            if call not in self._tools:
                findings.add("tool_not_projected", None, call[1])
