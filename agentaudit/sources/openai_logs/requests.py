"""The requests of the Compliance Logs Platform: only GET, only below `/v1/compliance/`, and no key in an address.

- Event type, beginning and limit are repeated on every page; only the beginning moves on.
- Identifiers are opaque: each is one percent-encoded segment.
"""

from typing import Final
from urllib.parse import quote

from agentaudit.model.headers import Headers
from agentaudit.model.selection import OpenAiLogSelection
from agentaudit.model.walk import Request

PAGE_LIMIT: Final = 100

_AFTER: Final = "after"


def request_headers(version: str) -> Headers:
    """The headers of every request, the key excepted; a file is asked for with the same."""
    return (("accept", "*/*"), ("accept-encoding", "identity"), ("user-agent", f"agentaudit/{version}"))


def list_request(selection: OpenAiLogSelection, event_type: str) -> Request:
    """The list of the files of one event type, from the beginning of the selection on."""
    query = (("event_type", event_type), (_AFTER, selection.after), ("limit", str(PAGE_LIMIT)))
    return Request(f"{_owner(selection)}/logs", query)


def at_end_time(request: Request, last_end_time: str | None) -> Request:
    """The same list behind a page; the first page without one."""
    if last_end_time is None:
        return request
    query = tuple((name, last_end_time if name == _AFTER else text) for name, text in request.query)
    return Request(request.path, query)


def file_request(selection: OpenAiLogSelection, identity: str) -> Request:
    """One file."""
    return Request(f"{_owner(selection)}/logs/{quote(identity, safe='')}")


def _owner(selection: OpenAiLogSelection) -> str:
    return f"/v1/compliance/{selection.owner_kind}s/{quote(selection.owner, safe='')}"
