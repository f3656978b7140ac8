"""One walk to its end."""

from agentaudit.model.base import Instant
from agentaudit.model.walk import Kept, Request
from agentaudit.sources.compliance.trail import Trail
from agentaudit.sources.compliance.walking import EMPTY_PAGES_MAX, Over, page_through


def test_a_source_that_never_ends_is_ended() -> None:
    """New tokens with empty pages without end close a walk as one whose cursor repeats."""
    trail = Trail("compliance/local/lists/l01", "local_list", Request("/v1/x"))
    walk = page_through(trail, lambda _page, _found, _item: ())
    next(walk)
    over: Over | None = None
    pages = 0
    while over is None:
        pages += 1
        body = f'{{"data":[],"next_page":"t{pages}"}}'.encode()
        try:
            walk.send(Kept("data/x", body, None, Instant("2026-03-02T09:00:00.000000Z")))
        except StopIteration as end:
            over = end.value
    assert over.reason == "cursor_repeated"
    assert pages == EMPTY_PAGES_MAX + 1
