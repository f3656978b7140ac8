"""`agentaudit verify`: three answers, never mixed, and the findings they rest on.

- 4 for faults; 3 only with `--require-all-given`; 0 otherwise: an intact exhibit may be incomplete.
- Nothing is written, unless `--record` appends the verdict to the custody log.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import click
import typer

from agentaudit.cli.arguments import (
    AuthorityOption,
    ClockNoteOption,
    ExaminerOption,
    JsonOption,
    NoteOption,
    PathArgument,
    invocation,
    plain,
    said,
)
from agentaudit.cli.readers import page_readers
from agentaudit.cli.recording import record
from agentaudit.cli.verdicts import tell_case, tell_exhibit
from agentaudit.encoding.canonical import encode
from agentaudit.errors import UsageFault
from agentaudit.model.verdict import CaseVerdict, Verdict
from agentaudit.review import is_case
from agentaudit.verify import verify_case, verify_exhibit

INCOMPLETE = 3
FAULTS = 4


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("verify", verify)


def verify(
    context: typer.Context,
    path: PathArgument,
    *,
    seal: Annotated[
        str | None, typer.Option(metavar="HEX", help="The seal as noted; spaces in it are passed over.")
    ] = None,
    require_all_given: Annotated[
        bool, typer.Option("--require-all-given", help="End with 3 for what is incomplete or not sealed.")
    ] = False,
    bytes_only: Annotated[
        bool, typer.Option("--bytes-only", help="Check digests, chain and closed world; rebuild nothing.")
    ] = False,
    record_it: Annotated[bool, typer.Option("--record", help="Append the verdict to the custody log.")] = False,
    examiner: ExaminerOption = None,
    authority: AuthorityOption = None,
    note: NoteOption = "",
    clock_note: ClockNoteOption = "",
    as_json: JsonOption = False,
) -> int:
    """Check a case or an exhibit: integrity, outcome, authenticity.

    PATH is a case, with every exhibit in it, or one sealed exhibit. Ends with 0 when it is intact, with 4 when
    there are faults, with 8 for what is not a package of ours and with 9 for an exhibit that is not sealed.
    """
    given = invocation(context)
    words = said(examiner, authority, note, clock_note)
    verdict = _verdict(path, seal, bytes_only=bytes_only)
    if record_it:
        record(given.console, path, verdict, words)
    if as_json:
        given.console.document(encode(verdict))
    elif isinstance(verdict, CaseVerdict):
        tell_case(given.console, verdict)
    else:
        tell_exhibit(given.console, verdict)
    return _status(verdict, require_all_given=require_all_given)


def _verdict(path: Path, seal: str | None, *, bytes_only: bool) -> Verdict | CaseVerdict:
    if not is_case(path):
        return verify_exhibit(path, readers=page_readers(), seal=seal, bytes_only=bytes_only)
    if seal is not None:
        raise UsageFault("--seal is that of one exhibit, and a case was named", "name the exhibit")
    return verify_case(path, readers=page_readers(), bytes_only=bytes_only)


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
