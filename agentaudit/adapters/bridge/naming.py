"""The names of the bridge's walks, and what an address says: which job was asked for, and whether with payloads.

- A walk's name holds counters only: jobs are numbered in the order first seen.
- Of one job the attempts come first, then the audit, the job itself and its tools: the order of their paths.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import unquote

from agentaudit.model.headers import Headers

STATUS_WALK: Final = "bridge/context/status"
JOBS_WALK: Final = "bridge/context/jobs"
PAYLOADS: Final = "includePayloads"

JobPart = Literal["attempts", "audit", "job", "tools"]
Part = Literal["status", "jobs", "attempts", "audit", "job", "tools"]

_FORM: Final = re.compile(r"bridge/(?:context/(status|jobs)|jobs/j([0-9]{6,9})/(attempts|audit|job|tools))\Z")
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
_JOB: Final = re.compile(r"/v1/bridge/jobs/([^/?]+)")
_PARTS: Final[dict[str, Part]] = {
    "status": "status", "jobs": "jobs", "attempts": "attempts", "audit": "audit", "job": "job", "tools": "tools",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """What a walk's name says: what was asked for, and of which job (from 1)."""

    part: Part
    job: int = 0


def job_walk(number: int, part: JobPart) -> str:
    """`bridge/jobs/j000001/audit` for the audit of the first job."""
    return f"bridge/jobs/j{number:06d}/{part}"


def place_of(walk: str) -> Place | None:
    """What the name says; None when it is no name of ours."""
    found = _FORM.match(walk)
    if found is None:
        return None
    return Place(_PARTS[found[1]]) if found[1] else Place(_PARTS[found[3]], int(found[2]))


def job_asked(url: str) -> str | None:
    """The id of the job in an address; None where it names none."""
    found = _JOB.search(url)
    return unquote(found[1]) if found else None


def payloads_asked(query: Headers) -> bool:
    """True when the question asked for payloads; without it the bridge takes them out, with no mark."""
    return (PAYLOADS, "true") in query


def is_job_id(text: str) -> bool:
    """True for the form that the bridge gives its jobs (a UUID): only such an id can be another client's job."""
    return _UUID.match(text) is not None
