"""Which document of the Gateway a file is, by its bytes: a page, an explanation, a failure, or something else.

- The command line fails on stdout: a document that parses and says `ok: false` is a failure, not an empty page.
- A page without `events` is no page: an empty ledger says `events: []`.
- A cursor is held as it was said. The newer listing says it as a text, the legacy one, which leaves messages out, as a
  number.
- A shell that saves what it is given in UTF-16 changes no word of it.
"""

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from agentaudit.adapters.openclaw.events import text_of
from agentaudit.encoding.foreign import NotJson, decode
from agentaudit.encoding.skeleton import Json

_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}\Z")
_RETIRED: Final = "no longer retained"


@dataclass(frozen=True, slots=True)
class Page:
    """A page of `openclaw audit --json`: each event with its place in the array, newest first.

    `odd` counts entries that are no objects; `cursor` is where the page leads, None where the key is not there;
    `legacy`: it is one of the older listing, which holds runs and tool actions alone.
    """

    events: tuple[tuple[int, Mapping[str, Json]], ...]
    odd: int
    cursor: str | None
    legacy: bool = False


@dataclass(frozen=True, slots=True)
class Explained:
    """A document of `openclaw audit --explain --json`, whole: its states are carried as they are."""

    document: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Failed:
    """What the command says on stdout when it fails.

    `kind` is its word for it, where it is one; `retired`: it no longer takes the cursor that it was given.
    """

    kind: str | None
    retired: bool = False


@dataclass(frozen=True, slots=True)
class Other:
    """Not a document of the ledger: no JSON at all (`form` is `not-json`), or another one."""

    form: str


Document: TypeAlias = Page | Explained | Failed | Other


def read_document(octets: bytes) -> Document:
    """What a text is; never fails."""
    try:
        value = decode(_in_utf_8(octets))
    except (NotJson, UnicodeDecodeError):
        return Other("not-json")
    return _read_object(value) if isinstance(value, dict) else Other("other-json")


def _in_utf_8(octets: bytes) -> bytes:
    """The same text in UTF-8, where a byte-order mark says that it is in UTF-16; raises UnicodeDecodeError."""
    if octets.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return octets.decode("utf-16").encode("utf-8", "surrogatepass")
    return octets


def _read_object(value: Mapping[str, Json]) -> Document:
    if value.get("ok") is False:
        return _failure(value.get("error"))
    events = value.get("events")
    if isinstance(events, list):
        return _page(events, value)
    if isinstance(value.get("run"), dict) and isinstance(value.get("identity"), dict):
        return Explained(value)
    return Other("other-json")


def _failure(error: Json) -> Failed:
    """A message can name files and hosts: it is looked at for one phrase, and stays where it is."""
    said = error if isinstance(error, dict) else {}
    kind = text_of(said, "type")
    return Failed(
        kind if kind is not None and _WORD.match(kind) else None,
        retired=_RETIRED in (text_of(said, "message") or "").lower(),
    )


def _page(events: list[Json], value: Mapping[str, Json]) -> Page:
    held = tuple((index, event) for index, event in enumerate(events) if isinstance(event, dict))
    cursor = value.get("nextCursor")
    if isinstance(cursor, int) and not isinstance(cursor, bool):
        return Page(held, len(events) - len(held), str(cursor), legacy=True)
    return Page(held, len(events) - len(held), cursor if isinstance(cursor, str) else None)
