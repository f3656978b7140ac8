"""Page cursors: opaque to everybody else, sealed so that an altered one is noticed, and with an age.

Laws:
    - A cursor is good for one endpoint, one session and one order only (section 2.3).
    - It names the last item that was returned, so a walk continues behind that item whatever came in between.
    - It carries when its walk began and the retention boundary of that moment.
    - It belongs to the parent organisation, not to a key (section 1.1).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from agentaudit.demo.errors import Documented, refused
from agentaudit.demo.jsontext import text_of

_PREFIX = "page_"
_MARK = 18  # bytes of digest: enough to notice any change, and it makes the base64 end in ``=``
_LIFETIME = timedelta(hours=24)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Position = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a walk stands: the scope it is bound to, the last item returned, its start and boundary.

    ``page`` counts the pages of the walk from 0; ``generation`` lets a test age every cursor at once.
    """

    scope: str
    after: Position | None
    started: datetime
    boundary: datetime | None
    page: int = 0
    generation: int = 0

    def too_old(self, now: datetime, generation: int) -> bool:
        """Whether the walk began more than 24 hours ago, or was aged by hand."""
        return self.generation < generation or now - self.started > _LIFETIME


class CursorMint:
    """Writes and reads the cursors of one parent organisation."""

    def __init__(self, seed: str) -> None:
        self._secret = hashlib.sha256(seed.encode("utf-8")).digest()

    def write(self, cursor: Cursor) -> str:
        """The cursor as the token that a client sends back unchanged."""
        boundary = None if cursor.boundary is None else _micros(cursor.boundary)
        row = (1, _bound(cursor.scope), cursor.after, _micros(cursor.started), boundary, cursor.page, cursor.generation)
        text = text_of(row).encode("utf-8")
        text += b" " * (-len(text) % 3 + 1)
        return _PREFIX + base64.b64encode(text + self._mark(text)).decode("ascii")

    def read(self, token: str, scope: str) -> Cursor:
        """The cursor in a token.

        Raises:
            Refusal: ``not a valid cursor`` for an altered token or one of another walk.
        """
        try:
            raw = base64.b64decode(token.removeprefix(_PREFIX).encode("ascii"), validate=True)
        except (binascii.Error, UnicodeEncodeError):
            raise refused(Documented.BAD_CURSOR) from None
        text, mark = raw[:-_MARK], raw[-_MARK:]
        rebuilt = _PREFIX + base64.b64encode(raw).decode("ascii")
        if rebuilt != token or self._mark(text) != mark:
            raise refused(Documented.BAD_CURSOR)
        return _cursor(text, scope)

    def _mark(self, text: bytes) -> bytes:
        return hashlib.sha256(self._secret + text).digest()[:_MARK]


def _cursor(text: bytes, scope: str) -> Cursor:
    row: object = json.loads(text)
    match row:
        case [1, str(bound), after, int(started), boundary, int(page), int(generation)] if bound == _bound(scope):
            place = tuple(part for part in after if isinstance(part, int | str)) if isinstance(after, list) else None
            edge = _moment(boundary) if isinstance(boundary, int) else None
            return Cursor(scope, place, _moment(started), edge, page, generation)
        case _:
            raise refused(Documented.BAD_CURSOR)


def _bound(scope: str) -> str:
    return hashlib.sha256(scope.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _micros(at: datetime) -> int:
    return (at - _EPOCH) // timedelta(microseconds=1)


def _moment(micros: int) -> datetime:
    return _EPOCH + timedelta(microseconds=micros)
