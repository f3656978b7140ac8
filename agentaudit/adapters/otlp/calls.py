"""Decisions about tool calls and their results, matched by the id of the call inside one session.

- Only what has no partner yet is held. An accepted call without a result may have crashed, or its record is lost.
- A rejected call has no result; one that has is told.
"""

from collections import Counter
from typing import Final, Literal, TypeAlias

from agentaudit.adapters.otlp.dialects import Dialect
from agentaudit.adapters.otlp.values import Fields, flag_of, text_of

Where: TypeAlias = tuple[str, int, int, int, int]
"""A payload file, an offset in it, and which resource, scope and record of the document there."""
Verdict: TypeAlias = Literal["accepted", "rejected", "undecided"]

DECISION: Final = "tool_decision"
RESULT: Final = "tool_result"
_VERDICTS: Final[dict[str, Verdict]] = {"accept": "accepted", "reject": "rejected"}


class Calls:
    """The tool calls of one session."""

    def __init__(self, dialect: Dialect) -> None:
        """None yet."""
        self.decisions = self.results = self.failed = 0
        self.decisions_without_call = self.results_without_call = 0
        self.verdicts: dict[Verdict, int] = {"accepted": 0, "rejected": 0, "undecided": 0}
        self.accepted: dict[str, Where] = {}
        self.rejected: dict[str, Where] = {}
        self.undecided: dict[str, Where] = {}
        self.rejected_with_result: list[Where] = []
        self._call = dialect.call

    @property
    def counts(self) -> Counter[str]:
        """How many there were, by our words."""
        return Counter[str](
            accepted=self.verdicts["accepted"],
            rejected=self.verdicts["rejected"],
            undecided=self.verdicts["undecided"],
            decisions=self.decisions,
            results=self.results,
            failed=self.failed,
            decisions_without_call=self.decisions_without_call,
            results_without_call=self.results_without_call,
        )

    def decided(self, fields: Fields, where: Where) -> None:
        """Take a decision, which is no duplicate."""
        verdict, call = verdict_of(fields), text_of(fields.get(self._call))
        self.decisions += 1
        self.verdicts[verdict] += 1
        if call is None:
            self.decisions_without_call += 1
        elif call in self.undecided:
            came = self.undecided.pop(call)
            if verdict == "rejected":
                self.rejected_with_result.append(came)
        elif verdict == "accepted":
            self.accepted[call] = where
        elif verdict == "rejected":
            self.rejected[call] = where

    def came(self, fields: Fields, where: Where) -> None:
        """Take a result, which is no duplicate."""
        call = text_of(fields.get(self._call))
        self.results += 1
        if flag_of(fields.get("success")) is False:
            self.failed += 1
        if call is None:
            self.results_without_call += 1
        elif self.accepted.pop(call, None) is not None:
            return
        elif self.rejected.pop(call, None) is not None:
            self.rejected_with_result.append(where)
        else:
            self.undecided[call] = where


def verdict_of(fields: Fields) -> Verdict:
    """What a decision says; `approved` is followed by its scope, in spellings with and without underscores."""
    said = text_of(fields.get("decision")) or ""
    known = _VERDICTS.get(said)
    if known is not None:
        return known
    word = said.lower().replace("_", "")
    if word.startswith(("accept", "approved")):
        return "accepted"
    return "rejected" if word in {"reject", "denied", "abort"} else "undecided"
