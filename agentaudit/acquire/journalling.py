"""What the pump writes: answers, failed attempts, what walks learned; and what an earlier run wrote of them.

- An answer's body is kept and its row staged here; both are committed by the next `settle`.
- What the journal holds already is given back, and nothing is written twice.
"""

import base64
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime
from typing import Literal, Protocol

from agentaudit.acquire.request import Surroundings
from agentaudit.errors import PackageFault
from agentaudit.format.layout import answer_path
from agentaudit.model.attempt import Attempted
from agentaudit.model.base import digest_of, instant_of
from agentaudit.model.headers import header
from agentaudit.model.journal import (
    Act,
    Answered,
    Closed,
    Exchange,
    MissReason,
    PayloadFile,
    PeerSeen,
    Unanswered,
)
from agentaudit.model.walk import Answer, Ask, Decline, Failure, Kept, Learned, Missed, Policy, Retry, Stop
from agentaudit.package.writer import OpenExhibit

STAGED_MAX = 512


class Earlier(Protocol):
    """What an earlier run recorded; empty for an exhibit that has only begun."""

    @property
    def peers(self) -> AbstractSet[str]:
        """Digests of certificates that are kept already."""
        ...

    @property
    def closed(self) -> Closed | None:
        """The last row, when only the sealing is left to do."""
        ...

    def knows(self, learned: Learned) -> bool:
        """True when the row is there already."""
        ...

    def answer(self, ask: Ask) -> Answered | Unanswered | None:
        """The row that answers the question."""
        ...

    def body(self, item: PayloadFile) -> bytes:
        """The journalled bytes."""
        ...


class Scribe:
    """The one hand that writes an acquisition's rows; `settle` commits what was written."""

    def __init__(self, exhibit: OpenExhibit, earlier: Earlier, around: Surroundings) -> None:
        """Write to an open exhibit, knowing what an earlier run wrote."""
        self._exhibit = exhibit
        self._earlier = earlier
        self._around = around
        self._peers = set(earlier.peers)
        self._staged = 0

    def settle(self) -> None:
        """Commit: payload first, then rows."""
        self._exhibit.settle()
        self._staged = 0

    def learn(self, rows: tuple[Learned, ...]) -> None:
        """Stage what a walk learned, unless an earlier run wrote it."""
        for row in rows:
            if not self._earlier.knows(row):
                self._stage(row)

    def replay(self, ask: Ask, policy: Policy) -> Kept | Missed | None:
        """The recorded answer to a question, as the walk was or would have been sent it."""
        row = self._earlier.answer(ask)
        if row is not None and not _answers(row.exchange, ask):
            raise PackageFault(
                f"the journal holds the answer to another question in {ask.walk}, page {ask.page}",
                "go on with the version of this program that began the exhibit, or close it with `agentaudit seal`",
            )
        match row:
            case None:
                return None
            case Answered():
                return self._answered(ask, row, policy)
            case Unanswered():
                return Missed(row.missed or "interrupted", row.exchange.status, row.error_type, row.error_code)

    def _answered(self, ask: Ask, row: Answered, policy: Policy) -> Kept | Missed:
        body = self._earlier.body(row.item)
        status = row.exchange.status or 0
        judgement = policy.judge(ask, 1, Answer(status, row.exchange.headers, body))
        if isinstance(judgement, Decline):
            return replace(judgement.missed, item=row.item.path)
        return Kept(row.item.path, body, row.content_encoding, row.exchange.asked_at, row.exchange.headers)

    def kept(self, ask: Ask, attempted: Attempted) -> Kept:
        """Keep a page, or the bytes of a file."""
        head = attempted.exchange.headers
        encoding = header(head, "content-encoding")
        row = self._keep(ask, attempted, encoding, answer_suffix("bin" if ask.file else "json", encoding))
        return Kept(row.item.path, attempted.body, encoding, attempted.exchange.asked_at, head)

    def refusal(self, ask: Ask, attempted: Attempted) -> str:
        """Keep the body of an answer that ends a walk; its path is returned."""
        encoding = header(attempted.exchange.headers, "content-encoding")
        return self._keep(ask, attempted, encoding, "refused").item.path

    def _keep(self, ask: Ask, attempted: Attempted, encoding: str | None, suffix: str) -> Answered:
        self._certificate(attempted)
        media = header(attempted.exchange.headers, "content-type")
        row = Answered(
            walk=ask.walk,
            page=ask.page,
            ask=ask.ask,
            limits=ask.limits,
            exchange=attempted.exchange,
            content_encoding=encoding,
            media_type=media.split(";")[0].strip().lower() if media else None,
            item=self._exhibit.keep(answer_path(ask.walk, ask.page, ask.ask, suffix), attempted.body),
        )
        self._stage(row)
        return row

    def unanswered(
        self,
        ask: Ask,
        attempted: Attempted,
        then: Literal["retry", "gave_up", "stopped"],
        judgement: Decline | Retry | Stop,
    ) -> None:
        """Stage an attempt that gave nothing storable, with what follows from it."""
        self._certificate(attempted)
        words = judgement.missed if isinstance(judgement, Decline) else judgement
        self._stage(
            Unanswered(
                walk=ask.walk,
                page=ask.page,
                ask=ask.ask,
                exchange=attempted.exchange,
                failure=attempted.outcome.code if isinstance(attempted.outcome, Failure) else "status",
                error_type=_word(None if isinstance(words, Stop) else words.error_type),
                error_code=_word(None if isinstance(words, Stop) else words.error_code),
                body_bytes=len(attempted.body),
                body_sha256=digest_of(attempted.body),
                next=then,
                missed=judgement.missed.reason if isinstance(judgement, Decline) else None,
                wait_ms=judgement.wait_ms if isinstance(judgement, Retry) else 0,
            )
        )

    def not_sent(self, ask: Ask, reason: MissReason) -> Missed:
        """Stage that a question was not sent at all, and why; the walk is told the same."""
        self._stage(
            Unanswered(
                walk=ask.walk,
                page=ask.page,
                ask=ask.ask,
                exchange=_unsent(ask, self._around.now()),
                failure="not_sent",
                error_type=None,
                error_code=None,
                body_bytes=0,
                body_sha256=digest_of(b""),
                next="gave_up",
                missed=reason,
                wait_ms=0,
            )
        )
        return Missed(reason)

    def _certificate(self, attempted: Attempted) -> None:
        for octets in (attempted.first_certificate, attempted.certificate):
            if octets is None:
                continue
            digest = digest_of(octets)
            if digest not in self._peers:
                self._peers.add(digest)
                encoded = base64.b64encode(octets).decode()
                self._stage(PeerSeen(certificate_sha256=digest, certificate_der_base64=encoded))

    def _stage(self, row: Act) -> None:
        self._exhibit.stage(row)
        self._staged += 1
        if self._staged >= STAGED_MAX or self._exhibit.is_full:
            self.settle()


def answer_suffix(form: str, encoding: str | None) -> str:
    """The ending of an answer's name: it says what the bytes are before anybody opens them.

    `form` is `json` for a page; `bin` for a file, whatever its source calls it: its name and type are evidence.
    """
    match (encoding or "identity").lower():
        case "identity":
            return form
        case "gzip" | "x-gzip":
            return f"{form}.gz"
        case _:
            return f"{form}.encoded"


def _word(word: str | None) -> str | None:
    """A foreign word that can be written as UTF-8."""
    return None if word is None else word.encode("utf-8", "replace").decode()


def _answers(exchange: Exchange, ask: Ask) -> bool:
    """True when this is what came of asking exactly that: another program may give another walk the same name."""
    return exchange.query == ask.request.query and exchange.url.endswith(ask.request.path)


def _unsent(ask: Ask, now: datetime) -> Exchange:
    return Exchange(
        method="GET",
        url=ask.request.path,
        query=ask.request.query,
        cursor=ask.cursor,
        attempt=0,
        asked_at=instant_of(now),
        elapsed_ms=0,
        status=None,
        headers=(),
        request_id=None,
        server_date=None,
        clock=None,
        http_version=None,
        peer=None,
        tls=None,
    )
