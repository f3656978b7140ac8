"""The requests of the bridge: only GET, only below `/v1/bridge/`, and never a token in an address.

- Payloads are asked for in so many words: without `includePayloads=true` the bridge takes them out, with no mark.
- The first page of an audit names no boundary; every other one names that of the first.
"""

from typing import Final
from urllib.parse import quote

from agentaudit.adapters.bridge.naming import PAYLOADS, JobPart
from agentaudit.model.headers import Headers
from agentaudit.model.walk import Request

PAGE_LIMIT: Final = 200

_ROOT: Final = "/v1/bridge"
_LIMIT: Final = ("limit", str(PAGE_LIMIT))


def request_headers(version: str) -> Headers:
    """The headers of every request, the token excepted."""
    return (("accept", "application/json"), ("accept-encoding", "identity"), ("user-agent", f"agentaudit/{version}"))


def status_request() -> Request:
    """What the bridge says of itself."""
    return Request(f"{_ROOT}/status")


def jobs_request() -> Request:
    """The jobs that the token sees, oldest first."""
    return Request(f"{_ROOT}/jobs", (_LIMIT, ("order", "asc")))


def job_request(identifier: str, part: JobPart, *, payloads: bool) -> Request:
    """One job, or its attempts, its audit, its tools."""
    path = f"{_ROOT}/jobs/{quote(identifier, safe='')}"
    match part:
        case "job":
            return Request(path)
        case "attempts":
            return Request(f"{path}/attempts")
        case "audit":
            return Request(f"{path}/audit", (_LIMIT, (PAYLOADS, "true" if payloads else "false")))
        case "tools":
            return Request(f"{path}/tools", (_LIMIT,))


def at_cursor(request: Request, cursor: str | None, through: int | None) -> Request:
    """The same request for the page behind a cursor, up to a boundary."""
    if cursor is None:
        return request
    boundary = () if through is None else (("through", str(through)),)
    return Request(request.path, (*request.query, ("after", cursor), *boundary))
