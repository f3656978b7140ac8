"""What a Codex home can never show, whatever was preserved of it (siblings reference, sections 4.1 and 4.2)."""

from agentaudit.model.tagfiles import CoverageLimit

_LIMITS: tuple[tuple[str, str], ...] = (
    (
        "store.absence",
        "A rollout that is not here proves nothing: a run can be ephemeral and write none, and files can be removed.",
    ),
    (
        "store.approvals",
        "A rollout does not hold approval requests: it does not show whether a person was asked, and what for.",
    ),
    (
        "store.clocks",
        (
            "Record times are those of the machine that wrote them; the dates in folders and names of rollouts are its "
            "local time."
        ),
    ),
    (
        "store.databases",
        (
            "Databases are built from the rollouts and can lag; each was copied with its -wal and -shm from a store "
            "that was not quiesced."
        ),
    ),
    (
        "store.editable",
        "The store is files with no protection of their own: whoever can write as its owner could have changed them.",
    ),
    (
        "store.effects",
        "A rollout holds what the agent asked for and what it was told came back, not what happened on the machine.",
    ),
    (
        "store.live",
        "A running session writes behind the conversation: its last lines, and those of its database, may not be here.",
    ),
    (
        "store.other_places",
        "Cloud tasks, other accounts' homes, other machines, containers and WSL homes have stores of their own.",
    ),
    (
        "store.reasoning",
        "Reasoning is stored encrypted by the vendor; long outputs are shortened by the product when stored.",
    ),
    (
        "store.secrets_denied",
        "Credentials and tokens are denied by place, name and inode; they are listed and were not read.",
    ),
)


def coverage_limits(begun_at: str, switches: tuple[str, ...]) -> tuple[CoverageLimit, ...]:
    """The limits by code; `store.absence` holds the switches that the home's configuration sets."""
    values = {
        "store.absence": tuple(("switch", switch) for switch in sorted(switches)),
        "store.live": (("surveyed_from", begun_at),),
    }
    return tuple(
        CoverageLimit(code=code, statement=statement, values=values.get(code, ())) for code, statement in _LIMITS
    )
