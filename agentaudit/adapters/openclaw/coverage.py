"""What the Gateway's ledger can never show, whichever way it was collected."""

from agentaudit.adapters.openclaw.sequences import RETENTION_DAYS
from agentaudit.adapters.openclaw.tables import CAPS
from agentaudit.model.tagfiles import CoverageLimit


def coverage_limits(*, pages: int, databases: int) -> tuple[CoverageLimit, ...]:
    """The coded limits, narrowed to how many pages and databases are here."""
    bounds = (("retention_days", str(RETENTION_DAYS)), *sorted((table, str(cap)) for table, cap in CAPS.items()))
    limits = [
        CoverageLimit(
            code="ledger_bounds",
            statement="The Gateway keeps 30 days, and so many rows of each table; over the cap the oldest go first, "
            "1,024 at a time. A lowest number above 1 means a head that was pruned or not asked for.",
            values=bounds,
        ),
        CoverageLimit(
            code="ledger_holes",
            statement="A hole in the numbers is no deletion: an act that was repeated is ignored, and a number is "
            "spent on it all the same. What was lost before it was written (a full queue, a crash, a slow "
            "shutdown) leaves no hole at all, and a newer Gateway writes the start of a run only when the run settles. "
            "That a row is not here never shows that the act was not.",
        ),
        CoverageLimit(
            code="ledger_settings",
            statement="Recording depends on logging.audit: enabled, executionIdentity and messages. What was off left "
            "no rows and is not filled in later; the ledger does not say what was set when. `openclaw agent exec` "
            "deletes its state at its end unless a folder was named for it.",
        ),
        CoverageLimit(
            code="ledger_metadata",
            statement="The ledger holds no content: no prompt, no input and no result. The digest of a tool call joins "
            "to a transcript by hashing the transcript's id; a run id alone names no execution.",
        ),
        CoverageLimit(
            code="ledger_withheld",
            statement="Databases and openclaw.json are not packed as they are: they hold the key of the ledger's "
            "references, device keys and tokens. What is no text, and a text that holds what is named like a "
            "credential, stays out by its bytes, under whatever name.",
        ),
    ]
    if pages:
        limits.append(
            CoverageLimit(
                code="ledger_pages",
                statement="Pages were saved by the Gateway's command, which hides rows older than 30 days.",
                values=(("pages", str(pages)),),
            )
        )
    if databases:
        limits.append(
            CoverageLimit(
                code="ledger_database",
                statement="The database was read directly: rows that expired and were not pruned yet are shown, which "
                "the Gateway's own command hides.",
                values=(("databases", str(databases)),),
            )
        )
    return tuple(sorted(limits, key=lambda one: one.code))
