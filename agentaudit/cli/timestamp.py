"""`agentaudit timestamp`: an RFC 3161 time stamp over the seal of an exhibit, or over one of its signatures."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import click
import typer

from agentaudit.attest.authority import ask_authority
from agentaudit.attest.stamping import Answer, StampedSeal, Target, keep_stamp, new_request, target_of
from agentaudit.attest.stock import Stock
from agentaudit.attest.trust import read_trust
from agentaudit.cli.arguments import (
    AuthorityOption,
    ClockNoteOption,
    ExaminerOption,
    ExhibitArgument,
    JsonOption,
    NoteOption,
    QuietOption,
    TsaCertificateOption,
    invocation,
    plain,
    said,
)
from agentaudit.cli.console import Console
from agentaudit.cli.hands import hand_on
from agentaudit.cli.summary import seal_groups
from agentaudit.cli.tables import pairs
from agentaudit.encoding.canonical import encode
from agentaudit.errors import UsageFault
from agentaudit.model.attestation import StampSeen
from agentaudit.model.base import Digest, Frozen
from agentaudit.model.journal import CustodyHead
from agentaudit.package.attestations import sealed_folder
from agentaudit.package.disk import SystemDisk, destination

ANSWER_MAX = 256 * 1024


class StampedResult(Frozen, frozen=True, kw_only=True):
    """A time stamp was kept: beside which seal, what it says, and the custody row that tells of it."""

    result: Literal["stamped"] = "stamped"
    exhibit: str
    seal: Digest
    stamp: StampSeen
    custody_head: CustodyHead


class RequestedResult(Frozen, frozen=True, kw_only=True):
    """A request was written to a file, to be carried to an authority."""

    result: Literal["requested"] = "requested"
    exhibit: str
    seal: Digest
    signature: int | None
    path: str


@dataclass(frozen=True, slots=True)
class Way:
    """How the authority is asked: over the network, or by hand in two steps."""

    tsa: str | None
    request_only: Path | None
    response: Path | None

    def check(self) -> None:
        """UsageFault (2) unless exactly one way was named."""
        if sum(one is not None for one in (self.tsa, self.request_only, self.response)) != 1:
            raise UsageFault(
                "one of --tsa, --request-only and --response is needed, and no two of them",
                "with a network --tsa; without one --request-only now and --response later",
            )


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("timestamp", timestamp)


def timestamp(
    context: typer.Context,
    exhibit: ExhibitArgument,
    *,
    tsa: Annotated[str | None, typer.Option(metavar="URL", help="The authority to ask.")] = None,
    of_signature: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=9999, help="Stamp this signature, not the seal itself.")
    ] = None,
    request_only: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the request to a new file, and stop.")
    ] = None,
    response: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Take the answer from a file, not from the network.")
    ] = None,
    tsa_certificate: TsaCertificateOption = None,
    examiner: ExaminerOption = None,
    authority: AuthorityOption = None,
    note: NoteOption = "",
    clock_note: ClockNoteOption = "",
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Have the seal of an exhibit stamped by a time-stamping authority.

    EXHIBIT is a sealed exhibit in its case. The authority gets a digest and nothing else. The answer is kept only if it
    is over this very seal and holds; with --tsa-certificate also only if it leads to that certificate.
    """
    console = invocation(context).console
    words = said(examiner, authority, note, clock_note)
    way = Way(tsa, request_only, response)
    way.check()
    trust = read_trust(None, tsa_certificate or ())
    target = target_of(sealed_folder(exhibit), of_signature)
    if request_only is not None:
        _write(request_only, new_request(target)[0])
        return _tell_request(console, target, request_only, as_json=as_json, quiet=quiet)
    hand = hand_on(target.sealed.case, words, console)
    made = keep_stamp(target, _answer(way, target), trust.authorities, hand, Stock(console.environ))
    return _tell_stamp(console, exhibit, target, made, as_json=as_json, quiet=quiet)


def _answer(way: Way, target: Target) -> Answer:
    if way.response is not None:
        return Answer(_read(way.response))
    url = way.tsa or ""
    query, nonce = new_request(target)
    return Answer(ask_authority(url, query), url, nonce)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            octets = stream.read(ANSWER_MAX + 1)
    except OSError:
        raise UsageFault(f"{path} cannot be read", "name the file that the authority answered with") from None
    if len(octets) > ANSWER_MAX:
        raise UsageFault(f"{path} is too large for a time stamp", "name the file that the authority answered with")
    return octets


def _write(path: Path, octets: bytes) -> None:
    descriptor = SystemDisk().create(path)
    with destination(path), os.fdopen(descriptor, "wb") as stream:
        stream.write(octets)


def _tell_request(console: Console, target: Target, path: Path, *, as_json: bool, quiet: bool) -> int:
    sealed = target.sealed
    if as_json:
        result = RequestedResult(exhibit=sealed.name, seal=sealed.seal, signature=target.signature, path=str(path))
        console.document(encode(result))
        return 0
    if not quiet:
        console.say("send it to an authority as application/timestamp-query; bring the answer back with --response")
    console.result(str(path))
    return 0


def _tell_stamp(
    console: Console, exhibit: Path, target: Target, made: StampedSeal, *, as_json: bool, quiet: bool
) -> int:
    sealed = target.sealed
    if as_json:
        result = StampedResult(exhibit=sealed.name, seal=sealed.seal, stamp=made.seen, custody_head=made.head)
        console.document(encode(result))
        return 0
    if not quiet:
        first, second = seal_groups(sealed.seal)
        over = "the seal" if target.signature is None else f"signature {target.signature}"
        rows = (
            ("stamped", f"{over} of {sealed.name}"),
            ("seal", first),
            ("", second),
            ("time", made.seen.stamped_at or ""),
            ("authority", made.seen.authority or ""),
            ("trust", TRUST[made.seen.state == "trusted"]),
            ("custody log", f"row {made.head.seq}"),
        )
        pairs(console, rows, err=True)
    console.result(str(exhibit / made.seen.file))
    return 0


TRUST = {
    True: "it leads to the certificate that was named",
    False: "no authority was named: verify with --tsa-certificate before you rely on it",
}
