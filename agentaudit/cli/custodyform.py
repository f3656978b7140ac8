"""The form that people sign: plain text, made to be printed, with lines where a human must write.

- Seals and the head of the chain stand in groups, so that they can be compared by eye, digit by digit.
- What the log knows is filled in; what only a person can say is left blank, never guessed.
- Pure: the same log and exhibits, the same form.
"""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from agentaudit.cli.console import safe
from agentaudit.cli.summary import seal_groups
from agentaudit.model.base import Digest
from agentaudit.model.custody import CaseFile, CustodyRow, ExhibitSealed, SealedFound, Signed, Stamped
from agentaudit.model.journal import CustodyHead

WIDTH = 78
LINES = 4

_BLANK = "_"
_BEFORE = (
    "Whoever takes over compares each seal above with the one that this command prints in the exhibit's folder, "
    "before signing:  sha256sum tagmanifest-sha256.txt  (macOS: shasum -a 256 tagmanifest-sha256.txt). The signature "
    "says that all digits agreed, and nothing about what the exhibit shows."
)


def form(case: CaseFile, head: CustodyHead, rows: Sequence[CustodyRow], exhibits: Sequence[str]) -> Iterator[str]:
    """The lines of the form, for these exhibits of the case."""
    yield "CHAIN OF CUSTODY"
    yield "=" * WIDTH
    yield from _fact("Case", f"{case.number}  {case.title}")
    yield from _fact("Opened", f"{case.opened_at} by {case.examiner}")
    yield from _fact("Authority", case.authority)
    yield from _fact("Handling class", case.handling or _BLANK * 40)
    first, second = seal_groups(head.digest)
    yield from _fact("Custody log", f"up to row {head.seq}, whose SHA-256 is")
    yield from (f"{'':18}{line}" for line in (first, second))
    yield ""
    yield "EXHIBITS"
    yield "-" * WIDTH
    for name in exhibits:
        yield from _exhibit(name, rows)
    yield from wrap(_BEFORE, WIDTH, break_on_hyphens=False)
    for number in range(1, LINES + 1):
        yield from _transfer(number)
    yield ""
    yield "Exhibits returned, disposed of or kept on (which, when, by whose order)"
    yield from _line("", 3)


def _exhibit(name: str, rows: Sequence[CustodyRow]) -> Iterator[str]:
    for row in rows:
        match row:
            case ExhibitSealed(exhibit=exhibit) | SealedFound(exhibit=exhibit) if exhibit == name:
                yield from _fact(name, f"sealed {row.at} by {row.actors.examiner}")
                yield from _seal(row.seal)
            case Signed(exhibit=exhibit) if exhibit == name:
                yield from _fact("", f"signed {row.at}, key {row.fingerprint}")
            case Stamped(exhibit=exhibit) if exhibit == name:
                yield from _fact("", f"stamped {row.stamped_at} by {row.authority}")
            case _:
                pass
    yield from _fact("Medium, label", _BLANK * 40)
    yield ""


def _seal(seal: Digest) -> Iterator[str]:
    for label, digits in zip(("seal (SHA-256)", ""), seal_groups(seal), strict=True):
        yield f"{label:18}{digits}"


def _transfer(number: int) -> Iterator[str]:
    yield ""
    yield f"{number}. HAND-OVER"
    yield from _line("Exhibits", 1)
    yield from _line("Purpose, medium, place", 1)
    for who in ("Released by", "Received by"):
        yield f"{who + ' (name)':22}{_BLANK * 30}  signature {_BLANK * 14}"
        yield f"{'date, time, offset':22}{_BLANK * 30}"
    yield f"{'Seals compared':22}yes [ ]   no [ ]   differing: {_BLANK * 28}"


def _fact(label: str, text: str) -> Iterator[str]:
    rows = wrap(safe(text), WIDTH - 18, break_on_hyphens=False) or [""]
    yield f"{label:18}{rows[0]}"
    yield from (f"{'':18}{row}" for row in rows[1:])


def _line(label: str, count: int) -> Iterator[str]:
    for _ in range(count):
        yield f"{label} ".lstrip() + _BLANK * max(20, WIDTH - len(label) - 1)
