"""The pump: drives a plan's tasks over a few connections and hands what they bring to the one writer.

- Journal first: a task is resumed only when the answer it is sent is durable. One thread writes.
- Everything that became ready together shares one barrier; twice as many tasks as connections are under way, so
  that connections work while others wait for theirs.
- A question that the journal already answers is answered from it; nothing is asked twice.
- Every attempt is journalled, those in flight at the end included, unless they take too long. What ends the run
  leaves a partial exhibit that can be resumed.
"""

import contextlib
import heapq
from collections import deque
from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass, field, replace
from typing import assert_never

from agentaudit.acquire.journalling import Scribe
from agentaudit.acquire.progress import Progress, State
from agentaudit.acquire.request import Surroundings
from agentaudit.acquire.workers import Brought, Workers
from agentaudit.errors import Interrupted, SourceRefused, SourceUnreachable
from agentaudit.model.attempt import Attempted, Transport
from agentaudit.model.base import moment_of
from agentaudit.model.walk import (
    Accept,
    Answer,
    Ask,
    Budget,
    Decline,
    Ended,
    Judgement,
    Kept,
    Missed,
    Plan,
    Policy,
    Retry,
    Stop,
    Task,
)

POLL_S = 0.1
DRAIN_POLLS = 20
ORGANIZATION_MISSES_MAX = 2
LAST_ATTEMPT = 1_000


@dataclass(slots=True)
class _Running:
    """A task under way: its open question, and how often it was tried."""

    task: Task
    ask: Ask
    attempt: int = 1


@dataclass(slots=True)
class _Flow:
    """The moving parts of one stage."""

    waiting: list[tuple[int, int]] = field(default_factory=list)
    running: dict[int, _Running] = field(default_factory=dict)
    brought: deque[Brought] = field(default_factory=deque)
    ready: list[tuple[int, Kept | Missed]] = field(default_factory=list)
    tickets: int = 0
    over: bool = False


class Pump:
    """One acquisition's pump; without a transport it closes what was recorded, and asks nothing."""

    def __init__(
        self,
        *,
        scribe: Scribe,
        policy: Policy,
        budget: Budget,
        transport: Transport | None,
        around: Surroundings,
        progress: Progress,
        connections: int,
    ) -> None:
        """Take the parts; `run` does the work."""
        self._scribe = scribe
        self._policy = policy
        self._budget = budget
        self._workers = Workers(transport, connections) if transport else None
        self._around = around
        self._progress = progress
        self._connections = connections
        self._misses: dict[str, int] = {}
        self.state = State("starting")

    def run(self, plan: Plan) -> None:
        """Drive every stage to its end; raises what ends the run, with all that was answered committed."""
        try:
            for stage in plan.stages():
                total = _length(stage.tasks)
                self._show(replace(self.state, phase=stage.name, tasks_done=0, tasks_total=total))
                self._stage(iter(stage.tasks))
        finally:
            if self._workers:
                self._workers.close()
        self._scribe.settle()

    def _stage(self, tasks: Iterator[Task]) -> None:
        flow = _Flow()
        try:
            self._drive(flow, tasks)
        except (Interrupted, SourceRefused, SourceUnreachable):
            self._drain(flow)
            raise

    def _drain(self, flow: _Flow) -> None:
        """What is in flight when a run ends is waited for a moment and journalled: it was asked, so it is known."""
        if self._workers is None:
            return
        self._workers.close()
        flow.over = True
        for _ in range(DRAIN_POLLS):
            flow.brought += self._workers.bring(POLL_S) if self._workers.outstanding else []
            while flow.brought:
                with contextlib.suppress(SourceRefused, SourceUnreachable):
                    self._take(flow, flow.brought.popleft())
        self._scribe.settle()

    def _drive(self, flow: _Flow, tasks: Iterator[Task]) -> None:
        more = True
        while more or flow.running:
            self._check_stop()
            while more and len(flow.running) < 2 * self._connections:
                more = self._admit(flow, tasks)
            if not flow.running:
                continue
            wait_s = self._send(flow)
            flow.brought += self._workers.bring(wait_s) if self._workers else []
            while flow.brought:
                self._take(flow, flow.brought.popleft())
            self._barrier(flow)

    def _admit(self, flow: _Flow, tasks: Iterator[Task]) -> bool:
        self._check_stop()
        task = next(tasks, None)
        if task is None:
            return False
        flow.tickets += 1
        self._go_on(flow, flow.tickets, task, None)
        return True

    def _go_on(self, flow: _Flow, ticket: int, task: Task, reply: Kept | Missed | None) -> None:
        """Resume a task until it asks what only the source can answer, or ends."""
        while True:
            try:
                ask = next(task) if reply is None else task.send(reply)
            except StopIteration as end:
                ended: Ended = end.value
                self._scribe.learn(ended.learned)
                flow.running.pop(ticket, None)
                self._show(replace(self.state, tasks_done=self.state.tasks_done + 1))
                return
            self._scribe.learn(ask.learned)
            reply = self._known(ask)
            if reply is None:
                flow.running[ticket] = _Running(task, ask)
                heapq.heappush(flow.waiting, (self._around.monotonic_ms(), ticket))
                return

    def _early_ms(self, ask: Ask) -> int:
        """How long the source is to be given before it is asked."""
        if ask.due_at is None:
            return 0
        wait_s = (moment_of(ask.due_at) - self._around.now()).total_seconds()
        if wait_s <= 0:
            return 0
        wait_ms = int(wait_s * 1_000) + 1
        self._show(replace(self.state, waiting="the source to have it", wait_ms=wait_ms))
        return wait_ms

    def _known(self, ask: Ask) -> Kept | Missed | None:
        """The answer that needs no request: recorded, too old to ask, given up on, or closed as it stands."""
        reply = self._scribe.replay(ask, self._policy)
        if reply is not None:
            self._show(replace(self.state, replayed=self.state.replayed + 1))
            self._count_miss(ask, reply)
            return reply
        if self._workers is None:
            return Missed("interrupted")
        if ask.expires_at is not None and self._around.now() >= moment_of(ask.expires_at):
            return self._scribe.not_sent(ask, "stale")
        return None

    def _send(self, flow: _Flow) -> float:
        """Hand out what is due and affordable; how long nothing will change but for answers, in seconds."""
        workers = self._workers
        while workers and flow.waiting and workers.outstanding < 2 * self._connections:
            now = self._around.monotonic_ms()
            due, ticket = flow.waiting[0]
            if due > now:
                return min(POLL_S, (due - now) / 1000)
            wait = self._budget.wait_ms(now)
            if wait > 0:
                self._show(replace(self.state, waiting="rate limit", wait_ms=wait))
                return min(POLL_S, wait / 1000)
            heapq.heappop(flow.waiting)
            running = flow.running[ticket]
            early = self._early_ms(running.ask)
            if early:  # looked at again then: the clock that the source goes by can be set meanwhile
                heapq.heappush(flow.waiting, (now + early, ticket))
                continue
            self._budget.spent(now)
            workers.submit(ticket, running.ask, running.attempt)
        return POLL_S

    def _take(self, flow: _Flow, brought: Brought) -> None:
        attempted = brought.attempted
        if isinstance(attempted, BaseException):
            raise attempted
        running = flow.running[brought.ticket]
        self._budget.learn(attempted.exchange.headers, self._around.monotonic_ms())
        judgement = self._judge(running, attempted)
        match judgement:
            case Accept():
                self._reply(flow, brought.ticket, self._scribe.kept(running.ask, attempted))
            case Decline():
                self._decline(flow, brought.ticket, running.ask, attempted, judgement)
            case Retry():
                self._scribe.unanswered(running.ask, attempted, "stopped" if flow.over else "retry", judgement)
                running.attempt += 1
                heapq.heappush(flow.waiting, (self._around.monotonic_ms() + judgement.wait_ms, brought.ticket))
                self._show(
                    replace(
                        self.state, retries=self.state.retries + 1, waiting=judgement.why, wait_ms=judgement.wait_ms
                    )
                )
            case Stop():
                self._scribe.unanswered(running.ask, attempted, "stopped", judgement)
                self._scribe.settle()
                error = SourceRefused if judgement.kind == "refused" else SourceUnreachable
                raise error(judgement.message, judgement.hint)
            case _:
                assert_never(judgement)

    def _judge(self, running: _Running, attempted: Attempted) -> Judgement:
        """The policy's judgement; where an organisation's content stays hidden, nobody waits for the next transcript.

        Each is still asked for once: what came to depend on which transcripts were under way together would not be
        the same on every run.
        """
        ask = running.ask
        judgement = self._policy.judge(ask, running.attempt, attempted.outcome)
        if isinstance(judgement, Retry) and self._misses.get(ask.organization or "", 0) >= ORGANIZATION_MISSES_MAX:
            last = self._policy.judge(ask, LAST_ATTEMPT, attempted.outcome)
            if isinstance(last, Decline) and last.missed.reason == "captured_content":
                return last
        return judgement

    def _decline(self, flow: _Flow, ticket: int, ask: Ask, attempted: Attempted, judgement: Decline) -> None:
        if judgement.keep and isinstance(attempted.outcome, Answer):
            item = self._scribe.refusal(ask, attempted)
            reply = replace(judgement.missed, item=item)
        else:
            self._scribe.unanswered(ask, attempted, "gave_up", judgement)
            reply = judgement.missed
        self._count_miss(ask, reply)
        self._reply(flow, ticket, reply)

    def _count_miss(self, ask: Ask, reply: Kept | Missed) -> None:
        if isinstance(reply, Missed) and reply.reason == "captured_content" and ask.organization:
            self._misses[ask.organization] = self._misses.get(ask.organization, 0) + 1

    def _reply(self, flow: _Flow, ticket: int, reply: Kept | Missed) -> None:
        flow.ready.append((ticket, reply))
        if isinstance(reply, Kept):
            self._show(
                replace(self.state, pages=self.state.pages + 1, octets=self.state.octets + len(reply.body), waiting="")
            )

    def _barrier(self, flow: _Flow) -> None:
        """Commit all that is ready, then resume the tasks that wait for it."""
        if not flow.ready:
            return
        self._scribe.settle()
        ready, flow.ready = flow.ready, []
        for ticket, reply in ready:
            self._go_on(flow, ticket, flow.running[ticket].task, reply)

    def _check_stop(self) -> None:
        signum = self._around.stop()
        if signum is not None:
            self._scribe.settle()
            raise Interrupted(signum)

    def _show(self, state: State) -> None:
        self.state = state
        self._progress.show(state)


def _length(tasks: Iterable[Task]) -> int | None:
    return len(tasks) if isinstance(tasks, Sized) else None
