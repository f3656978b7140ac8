"""`agentaudit sign`: an SSH signature over the seal of an exhibit."""

import shlex
from pathlib import Path
from typing import Annotated, Literal

import click
import typer

from agentaudit.attest.signing import SignedSeal, sign
from agentaudit.attest.stock import Stock
from agentaudit.cli.arguments import (
    AuthorityOption,
    ClockNoteOption,
    ExaminerOption,
    ExhibitArgument,
    JsonOption,
    NoteOption,
    QuietOption,
    invocation,
    plain,
    said,
)
from agentaudit.cli.console import Console
from agentaudit.cli.hands import hand_on
from agentaudit.cli.summary import seal_groups
from agentaudit.cli.tables import pairs
from agentaudit.encoding.canonical import encode
from agentaudit.model.attestation import SignatureSeen
from agentaudit.model.base import Digest, Frozen
from agentaudit.model.journal import CustodyHead
from agentaudit.package.attestations import sealed_folder


class SignedResult(Frozen, frozen=True, kw_only=True):
    """A signature was kept: beside which seal, what it says, and the custody row that tells of it."""

    result: Literal["signed"] = "signed"
    exhibit: str
    seal: Digest
    signature: SignatureSeen
    custody_head: CustodyHead


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("sign", sign_)


def sign_(
    context: typer.Context,
    exhibit: ExhibitArgument,
    *,
    key: Annotated[Path, typer.Option(metavar="FILE", help="A private key, or the public half of one in an agent.")],
    examiner: ExaminerOption = None,
    authority: AuthorityOption = None,
    note: NoteOption = "",
    clock_note: ClockNoteOption = "",
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Sign the seal of an exhibit with an SSH key.

    EXHIBIT is a sealed exhibit in its case. ssh-keygen makes the signature, so keys in an agent and on hardware work;
    nothing asks for a passphrase. Several people can sign: each signature is a file of its own.
    """
    console = invocation(context).console
    words = said(examiner, authority, note, clock_note)
    sealed = sealed_folder(exhibit)
    made = sign(sealed, key, hand_on(sealed.case, words, console), Stock(console.environ))
    if as_json:
        result = SignedResult(exhibit=sealed.name, seal=sealed.seal, signature=made.seen, custody_head=made.head)
        console.document(encode(result))
    else:
        _tell(console, exhibit, made, sealed.seal, quiet=quiet)
    return 0


def _tell(console: Console, exhibit: Path, made: SignedSeal, seal: Digest, *, quiet: bool) -> None:
    """What was signed with which key for the person, the file as the result."""
    if not quiet:
        first, second = seal_groups(seal)
        rows = (
            ("signed", f"the seal of {exhibit.name}"),
            ("seal", first),
            ("", second),
            ("key", f"{made.seen.fingerprint} ({made.seen.key_type})"),
            ("custody log", f"row {made.head.seq}"),
            (
                "next",
                f"agentaudit timestamp {shlex.quote(str(exhibit))} --tsa URL --of-signature {made.seen.number}",
            ),
        )
        pairs(console, rows, err=True)
    console.result(str(exhibit / made.seen.file))
