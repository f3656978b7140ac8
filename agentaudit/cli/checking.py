"""The check before an act: an exhibit, or a case, with what the caller names to judge its seal by.

- What `verify` ends with 4 for, no other command acts on: faults, and an exhibit that none of those who were named
  signed, or stamped.
- With `--record` the verdict is a row of the custody log before anything else is done.
"""

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agentaudit.attest.check import TrustWitness
from agentaudit.attest.stock import Stock
from agentaudit.attest.trust import Trust, read_trust
from agentaudit.cli.console import Console
from agentaudit.cli.hands import hand_on
from agentaudit.cli.readers import page_readers
from agentaudit.cli.recording import record
from agentaudit.errors import PackageFault, UsageFault
from agentaudit.export.checked import Checked
from agentaudit.model.actors import Said
from agentaudit.model.verdict import CaseVerdict, Verdict
from agentaudit.package.case import Case, Hand, load_case
from agentaudit.package.tree import resolved
from agentaudit.review import is_case
from agentaudit.verify import verify_case, verify_exhibit


@dataclass(frozen=True, slots=True)
class Named:
    """What the caller names: the noted seal, whom to trust, and whether the verdict is recorded."""

    seal: str | None = None
    trust: Trust = field(default_factory=Trust)
    record_it: bool = False


def named(seal: str | None, signers: Path | None, certificates: Sequence[Path] | None, *, record_it: bool) -> Named:
    """The options as one value; UsageFault (2) for a file that is none of what it is given as."""
    return Named(seal, read_trust(signers, certificates or ()), record_it)


@dataclass(frozen=True, slots=True)
class Check:
    """How exhibits are checked before an act; `done` is what is not done with one that fails: "copied from it"."""

    console: Console
    given: Named
    said: Said
    done: str

    def exhibit(self, path: Path) -> Checked:
        """The exhibit, checked; PackageFault (4) for one that is not to be relied on."""
        verdict = verify_exhibit(path, readers=page_readers(), seal=self.given.seal, witness=self._witness())
        self._record(path, verdict)
        self._relied_on(path, verdict.integrity == "intact", (verdict,))
        return self._checked(path, verdict)

    def case(self, path: Path) -> tuple[Checked, ...]:
        """Every sealed exhibit of a case, checked with the case; PackageFault (4) likewise."""
        if self.given.seal is not None:
            raise UsageFault("--seal is that of one exhibit, and a case was named", "name the exhibit")
        verdict = verify_case(path, readers=page_readers(), witness=self._witness())
        self._record(path, verdict)
        self._relied_on(path, verdict.integrity == "intact", verdict.exhibits)
        return tuple(self._checked(path / one.exhibit, one) for one in verdict.exhibits)

    def _witness(self) -> TrustWitness:
        return TrustWitness(self.given.trust, Stock(self.console.environ))

    def _record(self, path: Path, verdict: Verdict | CaseVerdict) -> None:
        if self.given.record_it:
            record(self.console, path, verdict, self.said)

    def _checked(self, path: Path, verdict: Verdict) -> Checked:
        return Checked(path, verdict, self.given.trust.tested(noted_seal=self.given.seal is not None))

    def _relied_on(self, path: Path, intact: bool, verdicts: Iterable[Verdict]) -> None:
        advice = f"agentaudit verify {shlex.quote(str(path))}"
        if not intact:
            raise PackageFault(f"{path} is not intact, so nothing is {self.done}", advice)
        if not self.given.trust.is_met_by(verdicts):
            raise PackageFault(f"{path} is not attested by those who were named, so nothing is {self.done}", advice)


def case_around(exhibit: Path, said: Said, console: Console) -> tuple[Case | None, Hand | None]:
    """The case that an exhibit lies in and the hand that acts on it; None for an exhibit that travels alone."""
    around = resolved(exhibit).parent
    case = load_case(around) if is_case(around) else None
    return case, hand_on(case, said, console) if case is not None else None
