"""One coded result of a check.

- Codes are public and never reused: P package, M manifest, J journal, W walk, R reading, L loss, S seal, C custody.
- Only an `error` touches integrity; a `warning` wants a person's eye; a `note` states a fact.
"""

from typing import Literal

from agentaudit.model.base import Frozen

Severity = Literal["error", "warning", "note"]


class Code(Frozen, frozen=True, kw_only=True):
    """One entry of the catalogue: what the code says, how grave it is, and the clause of FORMAT.md."""

    code: str
    severity: Severity
    title: str
    clause: str


class Finding(Frozen, frozen=True, kw_only=True):
    """A code about a subject (a path in the package, a row, a name); `detail` is content-free."""

    code: str
    severity: Severity
    subject: str
    detail: str
    clause: str
