"""`--dry-run`: the requests that a collection would begin with, limits included; nothing is asked.

- Ids stand in the requests only with `--show-names`.
"""

from urllib.parse import quote, urlencode

from agentaudit.acquire.collect import first_requests
from agentaudit.acquire.request import CollectSessions
from agentaudit.cli.acting import tell_window
from agentaudit.cli.console import Console
from agentaudit.encoding.canonical import encode
from agentaudit.model.base import Frozen
from agentaudit.model.limits import ByteLimits
from agentaudit.model.walk import Ask

SHOWN_MAX = 20


class DryRunResult(Frozen, frozen=True, kw_only=True):
    """What a collection would begin with: the root, the limits, how many requests, the first of them as URLs."""

    result: str = "dry_run"
    api_root: str
    limits: ByteLimits
    requests: int
    first: tuple[str, ...]


def dry_run(console: Console, request: CollectSessions, *, as_json: bool, show_names: bool) -> int:
    """Print the first requests; always 0."""
    asks = first_requests(request)
    first = tuple(_url(request, ask, show_names=show_names) for ask in asks[:SHOWN_MAX])
    result = DryRunResult(api_root=request.reach.api_root, limits=request.limits, requests=len(asks), first=first)
    if as_json:
        console.document(encode(result))
        return 0
    tell_window(console, request.selection)
    for url in first:
        console.result(f"GET {url}")
    if len(asks) > len(first):
        console.say(f"and {len(asks) - len(first):,} more of the same kind")
    limits = request.limits
    console.say(f"byte limits: tool input {_limit(limits.tool_input_max_bytes)}")
    console.say(f"             tool result {_limit(limits.tool_result_max_bytes)}")
    console.say("nothing was asked, and nothing was written")
    return 0


def _url(request: CollectSessions, ask: Ask, *, show_names: bool) -> str:
    path = ask.request.path
    if not show_names:
        for session in request.selection.sessions:
            path = path.replace(quote(session.id, safe=""), "<session>")
    query = urlencode(ask.request.query, quote_via=quote, safe="")
    return f"{request.reach.api_root}{path}{'?' if query else ''}{query}"


def _limit(octets: int) -> str:
    return f"{octets:,} bytes" if octets > 0 else "the server's maximum"
