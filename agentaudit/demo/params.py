"""Query parameters, read as strictly as the API documents.

Laws:
    - An unknown name is refused, and the nearest right name is suggested (section 1).
    - Only names that end in ``[]`` may repeat.
    - A refusal names the parameter and never repeats the value.
"""

from __future__ import annotations

import difflib
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from agentaudit.demo.errors import invalid
from agentaudit.demo.truncate import DEFAULT_CAP, Caps, resolved

if TYPE_CHECKING:
    from agentaudit.demo.wire import WireRequest

_RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)\Z", re.ASCII)
_INTEGER = re.compile(r"-?\d{1,20}\Z", re.ASCII)
_HIGHEST_CAP = 2_147_483_647
_TOOL_INPUT = "tool_use_input_max_bytes"
_TOOL_RESULT = "tool_result_max_bytes"
TRANSCRIPT = ("limit", "order", "page", _TOOL_INPUT, _TOOL_RESULT)


class Parameters:
    """The parameters of one request, checked against the names that its endpoint knows.

    Raises:
        Refusal: a 400 for an unknown name, a repeated single name, or octets that are no UTF-8.
    """

    def __init__(self, request: WireRequest, allowed: tuple[str, ...]) -> None:
        try:
            pairs = request.query
        except ValueError:
            raise invalid("query", "must be percent-encoded UTF-8") from None
        self._values: dict[str, list[str]] = {}
        for name, value in pairs:
            if name not in allowed:
                raise invalid(name, _suggestion(name, allowed))
            self._values.setdefault(name, []).append(value)
        for name, values in self._values.items():
            if len(values) > 1 and not name.endswith("[]"):
                raise invalid(name, "may be given once")

    def text(self, name: str) -> str | None:
        """The value of a single parameter, or None."""
        return self._values.get(name, [None])[0] if name in self._values else None

    def many(self, name: str, highest: int) -> tuple[str, ...]:
        """The values of a repeatable parameter, at most so many; an empty tuple when it was not given."""
        values = tuple(self._values.get(name, ()))
        if len(values) > highest:
            raise invalid(name, f"may be given at most {highest} times")
        return values

    def integer(self, name: str, default: int, lowest: int, highest: int) -> int:
        """A whole number within its bounds."""
        raw = self.text(name)
        if raw is None:
            return default
        if not _INTEGER.match(raw) or not lowest <= int(raw) <= highest:
            raise invalid(name, f"must be an integer from {lowest} to {highest}")
        return int(raw)

    def moment(self, name: str) -> datetime | None:
        """An RFC 3339 time with its offset, in UTC; None when it was not given (section 2.1)."""
        raw = self.text(name)
        if raw is None:
            return None
        if not _RFC3339.match(raw):
            raise invalid(name, "must be an RFC 3339 time with a UTC offset")
        try:
            return datetime.fromisoformat(raw.upper()).astimezone(UTC)
        except (ValueError, OverflowError):
            raise invalid(name, "must be a real RFC 3339 time") from None

    def order(self) -> Literal["asc", "desc"]:
        """The direction of a transcript walk; ascending unless told (section 2.3)."""
        raw = self.text("order")
        if raw in (None, "asc"):
            return "asc"
        if raw == "desc":
            return "desc"
        raise invalid("order", "must be asc or desc")

    def caps(self) -> Caps:
        """Both byte caps, resolved: 0 is refused, -1 and larger values become the server's maximum."""
        return Caps(self._cap(_TOOL_INPUT), self._cap(_TOOL_RESULT))

    def _cap(self, name: str) -> int:
        value = self.integer(name, DEFAULT_CAP, -1, _HIGHEST_CAP)
        if value == 0:
            raise invalid(name, "must not be 0")
        return resolved(value)


def require_window(lower: datetime | None, upper: datetime | None) -> None:
    """Refuses ``created_at.lt`` that is not strictly later than ``created_at.gte`` (sections 2.1 and 5)."""
    if lower is not None and upper is not None and upper <= lower:
        raise invalid("created_at.lt", "must be later than created_at.gte")


def _suggestion(name: str, allowed: tuple[str, ...]) -> str:
    dotted = name.replace("[", ".").rstrip("]")
    near = difflib.get_close_matches(dotted, allowed, 1, 0.5)
    return f"unknown parameter; did you mean {near[0]}?" if near else "unknown parameter"
