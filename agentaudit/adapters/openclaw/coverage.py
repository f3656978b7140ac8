"""What the Gateway's ledger can never show, whichever way it was collected."""

from agentaudit.adapters.openclaw.sequences import RETENTION_DAYS, ROWS_CAP
from agentaudit.model.tagfiles import CoverageLimit


def coverage_limits(*, pages: int, databases: int) -> tuple[CoverageLimit, ...]:
    """The coded limits, narrowed to how many pages and databases are here."""
    bounds = (("retention_days", str(RETENTION_DAYS)), ("rows_cap", str(ROWS_CAP)))
    limits = [
        CoverageLimit(
            code="ledger_bounds",
            statement="The Gateway keeps 30 days and 100,000 events; over the cap the oldest go first. A lowest "
            "number above 1 means a head that was pruned or not asked for.",
            values=bounds,
        ),
        CoverageLimit(
            code="ledger_holes",
            statement="A hole in the numbers is no deletion: an act that was repeated is ignored, and a number is "
            "spent on it all the same. What was lost before it was written leaves no hole at all.",
        ),
        CoverageLimit(
            code="ledger_settings",
            statement="Recording depends on logging.audit: enabled, executionIdentity and messages. What was off left "
            "no rows and is not filled in later; the ledger does not say what was set when.",
        ),
        CoverageLimit(
            code="ledger_metadata",
            statement="The ledger holds no content: no prompt, no input and no result. The digest of a tool call joins "
            "to a transcript by hashing the transcript's id; a run id alone names no execution.",
        ),
        CoverageLimit(
            code="ledger_withheld",
            statement="Databases and openclaw.json are not packed as they are: they hold the key of the ledger's "
            "references, device keys and tokens.",
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
