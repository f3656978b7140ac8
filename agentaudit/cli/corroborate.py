"""`agentaudit corroborate`: whether the organisation's own activity feed knows a collection's requests."""

from pathlib import Path
from typing import Annotated

import click
import typer

from agentaudit.cli.arguments import JsonOption, PathArgument, invocation, plain
from agentaudit.cli.console import Console
from agentaudit.cli.readers import page_readers
from agentaudit.cli.tables import pairs
from agentaudit.corroborate import corroborate
from agentaudit.encoding.canonical import encode
from agentaudit.errors import PackageFault
from agentaudit.model.corroboration import Corroboration
from agentaudit.package.tree import resolved
from agentaudit.verify import verify_exhibit

UNMATCHED = 3
LISTED = 20

FeedOption = Annotated[
    Path | None,
    typer.Option("--feed", metavar="EXHIBIT", help="The exhibit with the feed; else the witness in PATH itself."),
]


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("corroborate", show)


def show(
    context: typer.Context,
    path: PathArgument,
    *,
    feed: FeedOption = None,
    require_all_matched: Annotated[
        bool, typer.Option("--require-all-matched", help="End with 3 unless the feed names every request.")
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Compare the requests of a collection with an activity feed, by request-id.

    Both exhibits are verified first. A match says that the organisation's own record knows the request; nothing here
    says what was answered. Ends with 0 whatever was found: a request that is missing is no fault of an exhibit.
    """
    given = invocation(context)
    exhibit, other = resolved(path), resolved(feed or path)
    for one in dict.fromkeys((exhibit, other)):
        if verify_exhibit(one, readers=page_readers()).integrity != "intact":
            raise PackageFault(f"{one} has faults", "look at them with `agentaudit verify`")
    result = corroborate(exhibit, other)
    if as_json:
        given.console.document(encode(result))
    else:
        tell(given.console, result)
    return UNMATCHED if require_all_matched and result.matched < result.requests else 0


def tell(console: Console, result: Corroboration) -> None:
    """Print a comparison; of the missing requests the first few, and how many more there are."""
    console.result(f"Requests of {result.exhibit} in the feed of {result.feed}")
    pairs(
        console,
        (
            ("window of the feed", f"{result.begins or 'the beginning'} until {result.ends or 'open'}"),
            ("requests", f"{result.requests:,}"),
            ("matched", f"{result.matched:,}: the feed names their request-ids"),
            ("missing", f"{result.missing:,}: the feed covers their time and does not name them"),
            ("not covered", f"{result.not_covered:,}: outside of the window, so nothing is shown"),
            ("unknown", f"{result.without_id:,}: no answer gave them a request-id"),
            ("other status", f"{result.status_differs:,} of the matched"),
            ("others of the key", f"{result.others_of_the_key:,} requests in the feed, with the same key"),
        ),
    )
    if not result.feed_is_whole:
        console.result()
        console.result("  The walk of the feed broke off: what is missing here may stand behind that.")
    for one in result.missing_requests[:LISTED]:
        console.result(f"  missing: journal row {one.row}, {one.walk} page {one.page}, asked at {one.asked_at}")
    if result.missing > LISTED:
        console.result(f"  {result.missing - LISTED:,} more missing requests: --json names up to 1,000")
