"""One pass over an exhibit's journal: what an export tells of its acts, and the rows that lead back to failures.

- Rows are not held: only those of attempts that ended without an answer are remembered, by walk and page.
- Rows of a source that this pass does not know are counted and nothing else.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from agentaudit.errors import PackageFault
from agentaudit.export.document import ActsMade
from agentaudit.format import layout
from agentaudit.format.chain import JOURNAL_CODEC, Break, Link, links
from agentaudit.model.base import Digest, Instant
from agentaudit.model.journal import Act, Answered, Opened, PeerSeen, Resumed, Unanswered
from agentaudit.package.derive import ROW_MAX
from agentaudit.package.tree import Tree


@dataclass(frozen=True, slots=True)
class Failed:
    """The journal row of an attempt that ended without an answer, and the request-id where one came."""

    row: int
    request_id: str | None


@dataclass(frozen=True, slots=True)
class JournalTold:
    """The acts in numbers, and the failed attempts by (walk, page)."""

    acts: ActsMade
    failures: dict[tuple[str, int], Failed]


def read_acts(tree: Tree, *, names: bool) -> JournalTold:
    """The pass; PackageFault when the journal is no longer the verified one."""
    return tell_acts(links(tree.lines(layout.JOURNAL, ROW_MAX), JOURNAL_CODEC, Act), names=names)


def tell_acts(rows: Iterable[Link[Act] | Break], *, names: bool) -> JournalTold:
    """The acts of a journal's rows."""
    count = _Count()
    for link in rows:
        if isinstance(link, Break):
            raise PackageFault("the journal changed while it was read", "let nothing write to the exhibit")
        count.take(link.row)
    return JournalTold(count.acts(names=names), count.failures)


class _Count:
    """The state of one pass."""

    def __init__(self) -> None:
        self.rows = self.answered = self.retried = self.gave_up = self.waited_ms = 0
        self.resumed: list[tuple[Instant, str, str]] = []
        self.certificates: list[Digest] = []
        self.argv: tuple[str, ...] = ()
        self.failures: dict[tuple[str, int], Failed] = {}

    def take(self, row: Act) -> None:
        """Count one row."""
        self.rows += 1
        match row:
            case Answered():
                self.answered += 1
            case Unanswered(next="retry"):
                self.retried += 1
                self.waited_ms += row.wait_ms
            case Unanswered():
                self.gave_up += 1
                self.failures[row.walk, row.page] = Failed(row.seq, row.exchange.request_id)
            case Opened():
                self.argv = row.argv
            case Resumed():
                self.resumed.append((row.at, row.purpose, row.actors.examiner))
            case PeerSeen():
                self.certificates.append(row.certificate_sha256)
            case _:
                pass

    def acts(self, *, names: bool) -> ActsMade:
        """The numbers as they are exported."""
        return ActsMade(
            rows=self.rows,
            answered=self.answered,
            retried=self.retried,
            gave_up=self.gave_up,
            waited_ms=self.waited_ms,
            resumed=tuple(self.resumed),
            certificates=tuple(self.certificates),
            command_line=self.argv if names else (),
        )
