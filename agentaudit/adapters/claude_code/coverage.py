"""What a local store of Claude Code can never show, whatever was preserved of it (local reference, section 1)."""

from agentaudit.model.tagfiles import CoverageLimit

_LIMITS: tuple[tuple[str, str], ...] = (
    (
        "store.absence",
        (
            "A transcript that is not here proves nothing: transcripts are removed by age, moved between "
            "folders, and not written at all under some settings and options."
        ),
    ),
    (
        "store.cleanup",
        (
            "Files are removed by their modification time after cleanupPeriodDays (30 by default); what was "
            "removed before the survey is not here."
        ),
    ),
    (
        "store.editable",
        (
            "The store is plain text with no protection of its own: whoever can write as its owner could have"
            " changed it."
        ),
    ),
    (
        "store.clocks",
        (
            "Record times are those of the machine that wrote them; file times say when a file was last "
            "changed, not when something was said or done."
        ),
    ),
    (
        "store.live",
        (
            "A running session writes behind the conversation; its last lines may not be in the file yet, and"
            " a last line without its line feed is a state, not damage."
        ),
    ),
    (
        "store.other_places",
        ("Cloud sessions, other accounts' roots, other machines, containers and WSL homes have stores of their own."),
    ),
    (
        "store.spilled",
        "Large tool results lie in files of their own; a transcript names them and holds a preview only.",
    ),
    (
        "store.subagents",
        ("Subagents write transcripts of their own, which may outlive or be removed apart from the session's."),
    ),
    (
        "store.effects",
        (
            "A transcript holds what the agent asked for and what it was told came back, not what happened on"
            " the machine."
        ),
    ),
    (
        "store.secrets_denied",
        "Credentials and tokens are denied by place, name and inode; they are listed and were not read.",
    ),
)


def coverage_limits(begun_at: str, switches: tuple[str, ...]) -> tuple[CoverageLimit, ...]:
    """The limits by code; `store.cleanup` holds the switches that the store's settings set."""
    values = {
        "store.cleanup": tuple(("switch", switch) for switch in sorted(switches)),
        "store.live": (("surveyed_from", begun_at),),
    }
    rows = (CoverageLimit(code=code, statement=statement, values=values.get(code, ())) for code, statement in _LIMITS)
    return tuple(sorted(rows, key=lambda row: row.code))
