"""What telemetry can never show, whatever was handed over (telemetry reference, sections 1 and 4.3)."""

from typing import Final

from agentaudit.model.tagfiles import CoverageLimit

_LIMITS: Final[tuple[tuple[str, str], ...]] = (
    (
        "handed_over",
        (
        "The files were handed over: who wrote them, whether they are all, and what became of them before, is not "
        "known from them."
        ),
    ),
    (
        "telemetry.absence",
        (
        "Telemetry is off unless it was switched on, can be filtered on its way, and loses what was not yet sent when "
        "a process ended: an event that is not here proves nothing."
        ),
    ),
    (
        "telemetry.clocks",
        (
        "Times are those of the machine of the agent; events are ordered by time, and by their counter inside one "
        "process only."
        ),
    ),
    (
        "telemetry.commands",
        "Codex calls a command successful when the call was; the exit status is not in its telemetry.",
    ),
    (
        "telemetry.effects",
        "An event says what the agent was told or told about itself, not what happened on the machine.",
    ),
    (
        "telemetry.gates",
        (
        "The stream never says which content gates were open. What is observed is told of each session, what settings "
        "configure of each settings file; that an attribute is absent may mean its gate, its release or no occasion."
        ),
    ),
    (
        "telemetry.people",
        "A user_prompt need not be of a person, and user.id is an installation, not a person.",
    ),
    (
        "telemetry.permissions",
        (
        "A session that began in a broad permission mode has no event that says so; source=config covers rules, "
        "modes, grants and failed requests alike."
        ),
    ),
    (
        "telemetry.processes",
        (
        "No event names its process. Processes are told apart where a session's counter falls back; a counter that "
        "goes on in another session is a candidate, and the loss of the last events cannot be seen."
        ),
    ),
    (
        "telemetry.rejected",
        "A rejected call has a decision and no result, and its input is not in the stream.",
    ),
    (
        "telemetry.other_forms",
        (
        "Console text and the forms of Elasticsearch, Better Stack, Loki and Splunk are kept and named; their events "
        "are not read. Metrics and traces are counted."
        ),
    ),
)  # fmt: skip


def coverage_limits() -> tuple[CoverageLimit, ...]:
    """The limits by code."""
    return tuple(CoverageLimit(code=code, statement=statement) for code, statement in sorted(_LIMITS))
