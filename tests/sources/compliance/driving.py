"""Plans driven against the synthetic world without a network: a loop, a policy, and a reading of what came.

- The loop is the pump's contract in small: one task after the other, learned rows before their question.
- Whatever the plan asked for is then read by the adapter as a sealed package would be.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from urllib.parse import quote, urlencode

from msgspec.structs import replace

from agentaudit.adapters.compliance.reading import CompliancePageReader, ComplianceReading
from agentaudit.demo.wire import WireRequest
from agentaudit.demo.world import World
from agentaudit.format.folds import walk_row
from agentaudit.format.layout import answer_path
from agentaudit.model.base import digest_of, instant_of, moment_of
from agentaudit.model.journal import Answered, Noted, PayloadFile, WalkBegan, WalkEnded
from agentaudit.model.limits import ByteLimits, ReadLimits
from agentaudit.model.losses import Gap, Truncation
from agentaudit.model.readings import RecordRow, SessionRow
from agentaudit.model.selection import SessionSelection
from agentaudit.model.tagfiles import WalkRow
from agentaudit.model.walk import Accept, Answer, Ask, Decline, Ended, Failure, Kept, Learned, Missed, Retry, Stop, Task
from agentaudit.sources.compliance.plan import CompliancePlan
from agentaudit.sources.compliance.policy import CompliancePolicy
from tests.demo.asking import Clock
from tests.support.openings import opened_row
from tests.support.wires import exchange


class StoppedError(Exception):
    """The policy ended the run."""

    def __init__(self, judgement: Stop) -> None:
        super().__init__(judgement.message)
        self.judgement = judgement


@dataclass
class Drive:
    """One run against a world; `wire` can stand before the world, `before` sees each question first."""

    world: World
    clock: Clock
    key: str = ""
    before: Callable[[Ask], None] = lambda _ask: None
    wire: Callable[[Ask], Answer | Failure] | None = None
    policy: CompliancePolicy = field(default_factory=lambda: CompliancePolicy(ReadLimits()))
    asked: list[Ask] = field(default_factory=list)
    waits: list[Retry] = field(default_factory=list)
    learned: list[Learned] = field(default_factory=list)
    answered: list[tuple[Answered, bytes]] = field(default_factory=list)
    misses: list[Missed] = field(default_factory=list)

    def run(self, selection: SessionSelection, limits: ByteLimits | None = None) -> "Outcome":
        """Drive a whole plan and read what came."""
        limits = limits or ByteLimits()
        for stage in CompliancePlan(selection, limits).stages():
            for task in stage.tasks:
                self.task(task)
        return Outcome(self, selection, limits)

    def task(self, task: Task) -> Ended:
        """Drive one task to its end."""
        reply: Kept | Missed | None = None
        while True:
            try:
                ask = next(task) if reply is None else task.send(reply)
            except StopIteration as end:
                ended: Ended = end.value
                self.learned.extend(ended.learned)
                return ended
            self.learned.extend(ask.learned)
            reply = self.reply(ask)

    def reply(self, ask: Ask) -> Kept | Missed:
        """What the pump would send for one question."""
        self.before(ask)
        if ask.expires_at is not None and self.clock() >= moment_of(ask.expires_at):
            return Missed("stale")
        attempt = 1
        while True:
            self.asked.append(ask)
            outcome = self._sent(ask)
            judgement = self.policy.judge(ask, attempt, outcome)
            match judgement:
                case Accept() if isinstance(outcome, Answer):
                    return self._kept(ask, outcome)
                case Decline():
                    if judgement.keep and isinstance(outcome, Answer):
                        self._kept(ask, outcome)
                    self.misses.append(judgement.missed)
                    return judgement.missed
                case Retry():
                    self.waits.append(judgement)
                    self.clock.forward(timedelta(milliseconds=judgement.wait_ms))
                    attempt += 1
                case Stop():
                    raise StoppedError(judgement)
                case _:
                    raise AssertionError(judgement)

    def _sent(self, ask: Ask) -> Answer | Failure:
        if self.wire is not None:
            return self.wire(ask)
        query = urlencode(ask.request.query, quote_via=quote, safe="")
        target = f"{ask.request.path}?{query}" if query else ask.request.path
        headers = (("x-api-key", self.key or self.world.key()),)
        got = self.world.answer(WireRequest("GET", target, headers))
        return Answer(got.status, got.headers, got.body)

    def _kept(self, ask: Ask, outcome: Answer) -> Kept:
        suffix = "json" if outcome.status == 200 else "refused"
        path = answer_path(ask.walk, ask.page, ask.ask, suffix)
        encoding = next((text for name, text in outcome.headers if name == "content-encoding"), None)
        asked_at = instant_of(self.clock())
        row = Answered(
            walk=ask.walk,
            page=ask.page,
            ask=ask.ask,
            limits=ask.limits,
            exchange=exchange(ask, 1, outcome),
            content_encoding=encoding,
            media_type=None,
            item=PayloadFile(path=path, bytes=len(outcome.body), sha256=digest_of(outcome.body)),
        )
        self.answered.append((row, outcome.body))
        return Kept(path, outcome.body, encoding, asked_at)

    @property
    def gaps(self) -> list[Gap]:
        """The gaps noted, in the order learned."""
        return [row.gap for row in self.learned if isinstance(row, Noted)]

    def codes(self) -> list[str]:
        """The codes of the gaps, in the order learned."""
        return [gap.code for gap in self.gaps]

    def ends(self) -> dict[str, WalkEnded]:
        """How each walk ended."""
        return {row.walk: row for row in self.learned if isinstance(row, WalkEnded)}

    def walks(self) -> list[WalkRow]:
        """The fold of the walks, as a package has it."""
        ends = self.ends()
        rows = [row for row in self.learned if isinstance(row, WalkBegan)]
        assert len({row.walk for row in rows}) == len(rows)
        return [
            walk_row(row, (one for one, _ in self.answered if one.walk == row.walk), ends.get(row.walk))
            for row in sorted(rows, key=lambda row: row.walk)
        ]


class Outcome:
    """What a run brought, and what the adapter reads in it."""

    def __init__(self, drive: Drive, selection: SessionSelection, limits: ByteLimits) -> None:
        self.drive = drive
        self.records: list[RecordRow] = []
        self.truncations: list[Truncation] = []
        opened = replace(opened_row(), selection=selection, limits=limits)
        self.reading: ComplianceReading = CompliancePageReader().open(opened, drive.walks())
        for row, body in sorted(drive.answered, key=lambda one: one[0].item.path):
            records, truncations = self.reading.feed(row, body)
            self.records += records
            self.truncations += truncations
        self.sessions: list[SessionRow] = list(self.reading.sessions(drive.walks(), self._gaps()))

    def _gaps(self) -> Iterable[Gap]:
        return self.drive.gaps

    def session(self, identifier: str) -> SessionRow:
        """The row of a session by its identifier."""
        return next(row for row in self.sessions if row.id == identifier)
