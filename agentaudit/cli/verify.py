"""`agentaudit verify`: three answers, never mixed, and the findings they rest on.

- 4 for faults, and for an exhibit that none of the signers or authorities who were named attests; 3 only with
  `--require-all-given`; 0 otherwise: an intact exhibit may be incomplete.
- Nothing is written, unless `--record` appends the verdict to the custody log.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import click
import typer

from agentaudit.attest.check import TrustWitness
from agentaudit.attest.stock import Stock
from agentaudit.attest.trust import read_trust
from agentaudit.cli.arguments import (
    AuthorityOption,
    ClockNoteOption,
    ExaminerOption,
    JsonOption,
    NoteOption,
    PathArgument,
    RecordOption,
    SealOption,
    SignersOption,
    TsaCertificateOption,
    invocation,
    plain,
    said,
)
from agentaudit.cli.verdicts import tell_case, tell_exhibit
from agentaudit.encoding.canonical import encode
from agentaudit.errors import UsageFault
from agentaudit.extract.recognise import is_extract
from agentaudit.format.readings import PageReader
from agentaudit.model.verdict import CaseVerdict, Verdict
from agentaudit.review import is_case
from agentaudit.verify import verify_case, verify_exhibit
from agentaudit.verify.authenticity import Witness
from agentaudit.verify.opening import check_is_sealed

INCOMPLETE = 3
FAULTS = 4


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("verify", verify)


def verify(
    context: typer.Context,
    path: PathArgument,
    *,
    seal: SealOption = None,
    require_all_given: Annotated[
        bool, typer.Option("--require-all-given", help="End with 3 for what is incomplete or not sealed.")
    ] = False,
    allowed_signers: SignersOption = None,
    tsa_certificate: TsaCertificateOption = None,
    bytes_only: Annotated[
        bool, typer.Option("--bytes-only", help="Check digests, chain and closed world; rebuild nothing.")
    ] = False,
    record_it: RecordOption = False,
    examiner: ExaminerOption = None,
    authority: AuthorityOption = None,
    note: NoteOption = "",
    clock_note: ClockNoteOption = "",
    as_json: JsonOption = False,
) -> int:
    """Check a case or an exhibit: integrity, outcome, authenticity.

    PATH is a case, with every exhibit in it, one sealed exhibit, or an extract of one. Ends with 0 when it is
    intact, with 4 when there are faults, with 8 for what is not a package of ours and with 9 for an exhibit that is
    not sealed. Whom to trust is yours to say: nothing in or beside a package is. When it is said, the exit status
    is 4 as well for an exhibit that none of them signed, or stamped.
    """
    given = invocation(context)
    words = said(examiner, authority, note, clock_note)
    if is_extract(path):
        _refuse_on_extract(record_it, allowed_signers, tsa_certificate)
        # Imported where it is needed, as below: a check of bytes pays for no adapter and no other use case.
        from agentaudit.cli.extracted import check_extract  # noqa: PLC0415

        return check_extract(given.console, path, seal, as_json=as_json)
    trust = read_trust(allowed_signers, tsa_certificate or ())
    verdict = _verdict(path, seal, TrustWitness(trust, Stock(given.console.environ)), bytes_only=bytes_only)
    if record_it:
        from agentaudit.cli.recording import record  # noqa: PLC0415

        record(given.console, path, verdict, words)
    if as_json:
        given.console.document(encode(verdict))
    elif isinstance(verdict, CaseVerdict):
        tell_case(given.console, verdict)
    else:
        tell_exhibit(given.console, verdict)
    if not trust.is_met_by(verdict.exhibits if isinstance(verdict, CaseVerdict) else (verdict,)):
        return FAULTS
    return _status(verdict, require_all_given=require_all_given)


def _refuse_on_extract(*asked: object) -> None:
    """An extract has no custody log, and what attests its original is checked with stock tools."""
    if any(asked):
        raise UsageFault(
            "--record, --allowed-signers and --tsa-certificate are for exhibits, and this is an extract",
            "leave them out; EXTRACT-VERIFY.txt says how to check signatures and time stamps",
        )


def _verdict(path: Path, seal: str | None, witness: Witness, *, bytes_only: bool) -> Verdict | CaseVerdict:
    if not is_case(path):
        check_is_sealed(path)
        readers = _readers(bytes_only=bytes_only)
        return verify_exhibit(path, readers=readers, seal=seal, bytes_only=bytes_only, witness=witness)
    if seal is not None:
        raise UsageFault("--seal is that of one exhibit, and a case was named", "name the exhibit")
    return verify_case(path, readers=_readers(bytes_only=bytes_only), bytes_only=bytes_only, witness=witness)


def _readers(*, bytes_only: bool) -> tuple[PageReader, ...]:
    if bytes_only:
        return ()
    from agentaudit.cli.readers import page_readers  # noqa: PLC0415

    return page_readers()


def _status(verdict: Verdict | CaseVerdict, *, require_all_given: bool) -> int:
    if verdict.integrity != "intact":
        return FAULTS
    if not require_all_given:
        return 0
    if isinstance(verdict, CaseVerdict):
        return INCOMPLETE if verdict.partial or _some_incomplete(verdict.exhibits) else 0
    return INCOMPLETE if _some_incomplete((verdict,)) else 0


def _some_incomplete(verdicts: Iterable[Verdict]) -> bool:
    return any(one.outcome == "incomplete" for one in verdicts)
