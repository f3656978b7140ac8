"""Which document of the Gateway a file is, by its bytes: a page, an explanation, a failure, or something else.

- The command line fails on stdout: a document that parses and says `ok: false` is a failure, not an empty page.
- A page without `events` is no page: an empty ledger says `events: []`.
- A cursor is opaque and never parsed, and held as it was said.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from agentaudit.adapters.openclaw.events import text_of
from agentaudit.encoding.foreign import NotJson, decode
from agentaudit.encoding.skeleton import Json


@dataclass(frozen=True, slots=True)
class Page:
    """A page of `openclaw audit --json`: each event with its place in the array, newest first.

    `odd` counts entries that are no objects; `cursor` is where the page leads, None where the key is not there.
    """

    events: tuple[tuple[int, Mapping[str, Json]], ...]
    odd: int
    cursor: str | None


@dataclass(frozen=True, slots=True)
class Explained:
    """A document of `openclaw audit --explain --json`, whole: its states are carried as they are."""

    document: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Failed:
    """What the command says on stdout when it fails; `kind` is its word for it."""

    kind: str | None


@dataclass(frozen=True, slots=True)
class Ours:
    """A document that this program wrote beside what it collected: its form and its content."""

    form: str
    document: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Other:
    """Not a document of the ledger: no JSON at all (`form` is `not-json`), or another one."""

    form: str


Document: TypeAlias = Page | Explained | Failed | Ours | Other


def read_document(octets: bytes) -> Document:
    """What a text is; never fails."""
    try:
        value = decode(octets)
    except NotJson:
        return Other("not-json")
    return _read_object(value) if isinstance(value, dict) else Other("other-json")


def _read_object(value: Mapping[str, Json]) -> Document:
    form = text_of(value, "agentaudit")
    if form is not None:
        return Ours(form, value)
    if value.get("ok") is False:
        error = value.get("error")
        return Failed(text_of(error, "type") if isinstance(error, dict) else None)
    events = value.get("events")
    if isinstance(events, list):
        return _page(events, value)
    if isinstance(value.get("run"), dict) and isinstance(value.get("identity"), dict):
        return Explained(value)
    return Other("other-json")


def _page(events: list[Json], value: Mapping[str, Json]) -> Page:
    held = tuple((index, event) for index, event in enumerate(events) if isinstance(event, dict))
    cursor = value.get("nextCursor")
    # The legacy listing gives its cursor as a number.
    said = str(cursor) if isinstance(cursor, int) and not isinstance(cursor, bool) else cursor
    return Page(held, len(events) - len(held), said if isinstance(said, str) else None)
