"""`--dry-run`: the requests that a collection would begin with, limits included; nothing is asked.

- Ids that the user named stand in the requests only with `--show-names`.
"""

from urllib.parse import quote, urlencode

from agentaudit.acquire.collect import first_requests
from agentaudit.acquire.request import Collect
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
    limits: ByteLimits | None
    requests: int
    first: tuple[str, ...]


def dry_run(console: Console, request: Collect, *, as_json: bool, hidden: tuple[str, ...] = ()) -> int:
    """Print the first requests; always 0. `hidden` are ids that are shown as `<id>`."""
    asks = first_requests(request)
    first = tuple(_url(request, ask, hidden) for ask in asks[:SHOWN_MAX])
    result = DryRunResult(api_root=request.reach.api_root, limits=request.limits, requests=len(asks), first=first)
    if as_json:
        console.document(encode(result))
        return 0
    for url in first:
        console.result(f"GET {url}")
    if len(asks) > len(first):
        console.say(f"and {len(asks) - len(first):,} more of the same kind")
    if request.limits is not None:
        console.say(f"byte limits: tool input {_limit(request.limits.tool_input_max_bytes)}")
        console.say(f"             tool result {_limit(request.limits.tool_result_max_bytes)}")
    console.say("nothing was asked, and nothing was written")
    return 0


def _url(request: Collect, ask: Ask, hidden: tuple[str, ...]) -> str:
    path = ask.request.path
    for name in hidden:
        path = path.replace(quote(name, safe=""), "<id>")
    query = urlencode(ask.request.query, quote_via=quote, safe="")
    return f"{request.reach.api_root}{path}{'?' if query else ''}{query}"


def _limit(octets: int) -> str:
    return f"{octets:,} bytes" if octets > 0 else "the server's maximum"
