"""What the bridge's audit can never show, by code (documentation of the bridge; reference, section 2.6)."""

from agentaudit.model.tagfiles import CoverageLimit

_ALWAYS = (
    ("bridge.client_reports", "What a client reports of its functions was not observed: it is no act that happened."),
    (
        "bridge.contract",
        "The reading follows the documented contract of the bridge; it was not held against the product.",
    ),
    (
        "bridge.effects",
        (
            "A reported success is what the agent reported; effects on files and systems are not inferred, and a "
            "failed or unknown call may have had some."
        ),
    ),
    (
        "bridge.job_coverage",
        (
            "Only native jobs have observed tools: inference jobs record requests and client claims, host "
            "conversations their lifecycle alone. The coverage that the bridge states stands with each job."
        ),
    ),
    ("bridge.no_decisions", "There are no permission decisions: native jobs run with permissions bypassed."),
    ("bridge.not_tamper_proof", "Whoever owns the operating system's account can edit the bridge's database."),
    (
        "bridge.skipped",
        (
            "An observation whose id or tool name has another form than documented is skipped by the bridge, "
            "without a trace."
        ),
    ),
    ("bridge.times", "Times are those of receipt at the bridge, not of execution."),
)
_API = (
    (
        "bridge.live_projections",
        (
            "Jobs, attempts, tools and summaries are the state at the moment of asking; only audit entries up to "
            "`through` are fixed."
        ),
    ),
    ("bridge.principal", "A client's token sees the jobs of that client alone; only the owner's sees all."),
)
_FILES = (
    (
        "bridge.payloads_unmarked",
        (
            "An export does not say whether payloads were asked for: without them the bridge takes them out, with "
            "no mark."
        ),
    ),
    (
        "bridge.tokens_withheld",
        (
            "Of a database the rows of every table of tokens are left out; a note beside the copy holds the "
            "digests of the originals."
        ),
    ),
)


def coverage_of_api() -> tuple[CoverageLimit, ...]:
    """The limits of what the API gives."""
    return _limits((*_ALWAYS, *_API))


def coverage_of_files() -> tuple[CoverageLimit, ...]:
    """The limits of exports and copied databases."""
    return _limits((*_ALWAYS, *_FILES))


def _limits(rows: tuple[tuple[str, str], ...]) -> tuple[CoverageLimit, ...]:
    return tuple(CoverageLimit(code=code, statement=statement) for code, statement in sorted(rows))
