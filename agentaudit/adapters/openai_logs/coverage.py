"""What log files of the Compliance Logs Platform can never show, by code (documentation of the platform; reference)."""

from agentaudit.model.tagfiles import CoverageLimit

_ALWAYS = (
    (
        "openai_logs.api_key_use",
        (
            "The logs hold Codex as it is used with a ChatGPT sign-in; its use with an API key, or with another "
            "provider of models, is not in them."
        ),
    ),
    (
        "openai_logs.contract",
        (
            "The reading follows the documented contract and public examples, not the source's own schema; it was "
            "not held against the product."
        ),
    ),
    (
        "openai_logs.delay",
        (
            "A file is there only after its window ended; what happened since the last listed end is not in any "
            "file yet."
        ),
    ),
    (
        "openai_logs.effects",
        "A reported status is what the client reported; effects on files and systems are not inferred from it.",
    ),
    (
        "openai_logs.ids_unverified",
        (
            "Whether session, turn and call ids are those of local rollouts was not verified: they are candidates "
            "for a join, and no more."
        ),
    ),
    (
        "openai_logs.no_results",
        "A completed tool call states its input and status; what the tool gave back is not in the log.",
    ),
    (
        "openai_logs.repeats",
        (
            "Repeated event ids are counted over the last million ids at most; of how many the comparison was given "
            "up stands with the exhibit's service."
        ),
    ),
    ("openai_logs.retention", "Files are kept for about 30 days; what is older cannot be asked for any more."),
    (
        "openai_logs.texts",
        "The texts of prompts and answers can be null: that they are not there says nothing of what was said.",
    ),
)
_API = (
    (
        "openai_logs.event_types",
        "Only the event types that were asked for are here; which others exist is not listed by the source.",
    ),
    (
        "openai_logs.signed_address",
        (
            "Each file came from a signed address that the source named: its host and a digest of its path are kept, "
            "the address is not. That the bytes are those of the list rests on size and digest."
        ),
    ),
)
_FILES = (
    (
        "openai_logs.lists_absent",
        "Without the pages of the list, nothing says whether the files are all, nor whether their bytes are whole.",
    ),
)


def coverage_of_api() -> tuple[CoverageLimit, ...]:
    """The limits of what the API gives."""
    return _limits((*_ALWAYS, *_API))


def coverage_of_files() -> tuple[CoverageLimit, ...]:
    """The limits of files that were downloaded by somebody else."""
    return _limits((*_ALWAYS, *_FILES))


def _limits(rows: tuple[tuple[str, str], ...]) -> tuple[CoverageLimit, ...]:
    return tuple(CoverageLimit(code=code, statement=statement) for code, statement in sorted(rows))
