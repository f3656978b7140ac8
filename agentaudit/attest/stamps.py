"""Judging one time stamp, step by step, each resting on the one before.

1. It is a granted RFC 3161 answer that this reader understands, else `invalid`.
2. Its imprint is the digest of what it is said to be over, else `over_something_else`.
3. Its signature holds, by the certificate that it names, else `invalid` (`openssl cms -verify -noverify`).
4. An authority was named, else `authority_not_named`.
5. Its chain leads to a named certificate that may stamp, and was valid at the stamp's own time (`openssl ts -verify`).
"""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from agentaudit.adapters.pem import pem_of
from agentaudit.adapters.rfc3161 import NotAToken, Token, read_answer
from agentaudit.attest.stock import Stock
from agentaudit.model.attestation import StampState


@dataclass(frozen=True, slots=True)
class Judged:
    """What a stamp says and what it is worth; `token` is None when it says nothing."""

    state: StampState
    token: Token | None


def pem_chain(token: Token) -> bytes:
    """The certificates that a token came with, in their order, as they are kept beside it."""
    return b"".join(pem_of(one) for one in token.certificates)


def judge_stamp(answer: bytes, over: bytes | None, authorities: bytes | None, stock: Stock) -> Judged:
    """The worth of a TimeStampResp over these bytes (None: they are gone)."""
    try:
        token = read_answer(answer)
    except NotAToken:
        return Judged("invalid", None)
    if over is None or not token.is_over(over):
        return Judged("over_something_else", token)
    if not stock.judges_time():
        return Judged("not_checked", token)
    with tempfile.TemporaryDirectory() as folder:
        return Judged(_state(_Bench(Path(folder), stock), answer, over, authorities, token), token)


def _state(bench: "_Bench", answer: bytes, over: bytes, authorities: bytes | None, token: Token) -> StampState:
    if token.signer is None or not bench.signature_holds(token):
        return "invalid"
    if authorities is None:
        return "authority_not_named"
    at = str(int(token.stamped_at.timestamp()))
    if bench.leads_to(answer, over, authorities, "-attime", at):
        return "trusted"
    return "not_valid_then" if bench.leads_to(answer, over, authorities, "-no_check_time") else "other_authority"


@dataclass(frozen=True, slots=True)
class _Bench:
    """A private folder in which the tools find what they are to judge: never the package itself."""

    folder: Path
    stock: Stock

    def put(self, name: str, octets: bytes) -> str:
        path = self.folder / name
        path.write_bytes(octets)
        return str(path)

    def signature_holds(self, token: Token) -> bool:
        inside = self.put("token.der", token.content_info)
        words = ("-verify", "-noverify", "-inform", "DER", "-in", inside, "-out", os.devnull)
        return self.stock.run("openssl", "cms", *words).ok

    def leads_to(self, answer: bytes, over: bytes, authorities: bytes, *time: str) -> bool:
        stamp, data, trusted = self.put("stamp", answer), self.put("data", over), self.put("trusted", authorities)
        words = ("-verify", "-in", stamp, "-data", data, "-CAfile", trusted, "-partial_chain", *time)
        return self.stock.run("openssl", "ts", *words).ok
