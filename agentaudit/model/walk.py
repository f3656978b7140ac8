"""The conversation between a walk and the pump that drives it.

- A walk is a generator: it yields one `Ask`, is sent one `Kept` or `Missed`, and returns what it found.
- What it learned since its last question travels with the next one (`learned`) and is journalled before it.
- The yield is the barrier: a walk is resumed only when the answer it is sent is durable.
- A walk knows no clock, no network, no file: sent the same answers, it asks and learns the same.
"""

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from agentaudit.model.base import Instant
from agentaudit.model.headers import Headers
from agentaudit.model.journal import MissReason, Noted, WalkBegan, WalkEnded
from agentaudit.model.limits import ByteLimits

Learned: TypeAlias = WalkBegan | WalkEnded | Noted


@dataclass(frozen=True, slots=True)
class Request:
    """One GET: a path whose segments are already percent-encoded, and query pairs still to be encoded."""

    path: str
    query: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """The next question of a walk.

    `walk`, `page` and `ask` name the answer's place: `data/<walk>/<page>[-<ask>]`. `cursor` is the token sent.
    `expires_at`: once our clock has reached it the question is not sent; the walk is sent `Missed("stale")`.
    `due_at`: before our clock has reached it the question is not sent: the source needs time first.
    `optional`: a refusal of key, scope or endpoint is a gap here, and does not end the run.
    `organization` names whose transcripts these are: while its captured content cannot be read, each is asked
    for once and not waited for.
    `file`: what is asked for are a file's bytes, no page. They are kept as they come, within their own bound.
    `sent_on`: the answer may lie at a signed address that the source names; it is asked there without the key.
    """

    walk: str
    page: int
    request: Request
    ask: int = 1
    cursor: str | None = None
    limits: ByteLimits | None = None
    expires_at: Instant | None = None
    due_at: Instant | None = None
    optional: bool = False
    organization: str | None = None
    sent_on: bool = False
    learned: tuple[Learned, ...] = ()
    file: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """A 200 whose body is durable: the bytes as they travelled, when the question was sent, the answer's head."""

    item: str
    body: bytes
    content_encoding: str | None
    asked_at: Instant
    headers: Headers = ()


@dataclass(frozen=True, slots=True)
class Missed:
    """No page came: why, the status where there was an answer, and its error's words, verbatim.

    `stale`: the question was too old to be sent. `interrupted`: the run is being closed as it stands, and this
    was never asked.
    """

    reason: MissReason
    status: int | None = None
    error_type: str | None = None
    error_code: str | None = None
    item: str | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """A task is over: what it learned last."""

    learned: tuple[Learned, ...] = ()


Task: TypeAlias = Generator[Ask, Kept | Missed, Ended]


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of an acquisition: a word for the progress line, and its tasks in the order of their names."""

    name: str
    tasks: Iterable[Task]


class Plan(Protocol):
    """The whole of an acquisition: stages in order; the tasks of one stage may run at once.

    Stages are drawn one by one, each after the tasks of the last have ended: a plan keeps what its own walks
    told it.
    """

    def stages(self) -> Iterable[Stage]:
        """Each stage; its tasks are a lazy series."""
        ...


@dataclass(frozen=True, slots=True)
class Answer:
    """What one attempt brought: the head of an answer and its whole body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


FailureCode: TypeAlias = Literal[
    "connect", "tls", "timeout", "reset", "short_body", "body_over_limit", "redirect", "protocol", "deadline",
    "key_echoed", "address_refused",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Failure:
    """What one attempt broke off with: our coded word, and the head where one came."""

    code: FailureCode
    status: int | None = None
    body_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Accept:
    """The body is a page: keep it."""


@dataclass(frozen=True, slots=True)
class Decline:
    """The answer ends its walk: keep the body where one came, and send the walk this."""

    missed: Missed
    keep: bool


@dataclass(frozen=True, slots=True)
class Retry:
    """Ask the same again after `wait_ms`; `why` is shown while waiting; the error's words are journalled."""

    wait_ms: int
    why: str
    error_type: str | None = None
    error_code: str | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """The run ends here: refused (status 5) or unreachable (status 6); what to tell the user."""

    kind: Literal["refused", "unreachable"]
    message: str
    hint: str


Judgement: TypeAlias = Accept | Decline | Retry | Stop


class Policy(Protocol):
    """The pure judgement over one attempt; `attempt` counts from 1 for this question."""

    def judge(self, ask: Ask, attempt: int, outcome: Answer | Failure) -> Judgement:
        """What follows from this outcome."""
        ...


class Budget(Protocol):
    """The pure pacing of requests, in our monotonic milliseconds."""

    def wait_ms(self, now_ms: int) -> int:
        """How long the next request must wait; 0 when it may go."""
        ...

    def spent(self, now_ms: int) -> None:
        """A request goes."""
        ...

    def learn(self, headers: tuple[tuple[str, str], ...], now_ms: int) -> None:
        """Take what an answer says of the budget."""
        ...
