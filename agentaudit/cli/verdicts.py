"""Verdicts in words: three answers, then the findings, then what was not checked.

- A verdict about a source that is not the vendor's says so first.
- Findings are in columns: code, severity, what it means, the first subject and how many more.
"""

from collections.abc import Iterator, Sequence

from agentaudit.cli.console import Console
from agentaudit.cli.summary import OUTCOMES, banner, seal_groups
from agentaudit.cli.tables import Column, pairs, table
from agentaudit.format.codes import CATALOGUE
from agentaudit.model.attestation import SignatureSeen
from agentaudit.model.finding import Finding
from agentaudit.model.verdict import Authenticity, CaseVerdict, Integrity, NotChecked, Verdict

INTEGRITY: dict[Integrity, str] = {
    "intact": "intact: every byte, name and row is as it was sealed, and nothing is beside it",
    "faults": "FAULTS: it is not as it was sealed; see the findings",
}
AUTHENTICITY: dict[Authenticity, str] = {
    "unsigned": "unsigned: who sealed it, and when, rests on the seal noted elsewhere",
    "not_checked": "not checked: signatures lie beside the seal; check them with stock tools",
    "invalid": "INVALID: no signature beside the seal holds; see the findings",
    "unknown_key": "signed, by a key that nobody named as trusted: who has it rests on you",
    "signed": "signed, by whom you named as trusted",
}


def tell_exhibit(console: Console, verdict: Verdict) -> None:
    """The verdict on one exhibit, to standard output."""
    _head(console, verdict)
    _findings(console, verdict.findings, verdict.codes)
    _not_checked(console, verdict.not_checked)


def tell_case(console: Console, verdict: CaseVerdict) -> None:
    """The verdict on a case: its custody log, then each exhibit."""
    console.result(f"Case {verdict.case or 'of unknown number'}")
    head = verdict.custody_head
    first, second = seal_groups(head) if head else ("unknown", "")
    rows = [("integrity", _case_integrity(verdict)), ("custody head", first), ("", second)]
    if verdict.partial:
        rows.append(("not sealed", ", ".join(verdict.partial)))
    pairs(console, rows)
    _findings(console, verdict.findings, verdict.codes)
    _not_checked(console, verdict.not_checked)
    for exhibit in verdict.exhibits:
        console.result()
        tell_exhibit(console, exhibit)


def _case_integrity(verdict: CaseVerdict) -> str:
    if verdict.integrity == "intact":
        return "intact: the custody log and every sealed exhibit in it"
    faulty = sum(1 for one in verdict.exhibits if one.integrity == "faults")
    return f"FAULTS: {faulty:,} of {len(verdict.exhibits):,} exhibits have them, or the case itself"


def _head(console: Console, verdict: Verdict) -> None:
    console.result(f"Exhibit {verdict.exhibit}" + (f" of case {verdict.case}" if verdict.case else ""))
    for line in banner(verdict.endpoint_class or "unknown", console.width() - 2):
        console.result(f"  {line}".rstrip())
    pairs(console, tuple(_answers(verdict)))


def _answers(verdict: Verdict) -> Iterator[tuple[str, str]]:
    yield "integrity", INTEGRITY[verdict.integrity]
    yield "outcome", OUTCOMES[verdict.outcome] if verdict.outcome else "unknown: it could not be read"
    yield "authenticity", AUTHENTICITY[verdict.authenticity]
    for signature in verdict.signatures:
        if signature.holds:
            yield "", _signed(signature)
    yield from _existed(verdict)
    if verdict.seal is not None:
        first, second = seal_groups(verdict.seal)
        yield "seal", first
        yield "", second


def _signed(one: SignatureSeen) -> str:
    names = f"{', '.join(one.principals)}, " if one.principals else ""
    return f"signature {one.number}: {names}key {one.fingerprint} ({one.key_type})"


def _existed(verdict: Verdict) -> Iterator[tuple[str, str]]:
    """Since when the seal exists at the latest; nothing where no time stamp lies beside it."""
    if verdict.existed_by is not None:
        first = min((one for one in verdict.stamps if one.state == "trusted"), key=lambda one: one.stamped_at or "")
        yield "existed by", f"{verdict.existed_by} at the latest, says {first.authority}"
    elif verdict.stamps:
        yield "existed by", "not shown: no time stamp leads to an authority that you named; see the findings"


def _findings(console: Console, findings: Sequence[Finding], codes: Sequence[tuple[str, int]]) -> None:
    """One line a code: its first subject, and how many more there are."""
    if not findings:
        return
    counts = dict(codes)
    first = {finding.code: finding for finding in reversed(findings)}
    columns = (Column("finding", whole=True), Column("severity", whole=True), Column("what"), Column("where"))
    rows = [(code, one.severity, _what(one), _where(one, counts.get(code, 1))) for code, one in sorted(first.items())]
    console.result()
    table(console, columns, rows)


def _what(one: Finding) -> str:
    title = CATALOGUE[one.code].title if one.code in CATALOGUE else one.code
    return title if one.detail == title else f"{title}: {one.detail}"


def _where(one: Finding, count: int) -> str:
    return one.subject if count == 1 else f"{one.subject} and {count - 1:,} more"


def _not_checked(console: Console, parts: Sequence[NotChecked]) -> None:
    if parts:
        console.result()
    for one in parts:
        console.result(f"  not checked: {one.part}, because {one.reason}")
