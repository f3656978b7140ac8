"""Execution contexts that rows name and the database does not hold: expired, or missing.

- Contexts go after 30 days, and the oldest go first over a cap of 100,000. One that is named by a row from before the
  oldest context that is held, or from more than 30 days before the newest row, may have expired; the rest are missing.
- Only the exact three of context, execution and run join a row to a context; a run id alone never does.
"""

from collections.abc import Iterable, Iterator

from agentaudit.adapters.openclaw import tables
from agentaudit.adapters.openclaw.ledgerrows import cells_of, text, whole
from agentaudit.adapters.openclaw.sequences import DAY_MS, RETENTION_DAYS
from agentaudit.encoding.sqlitetables import Found
from agentaudit.model.stream import PLACES_MAX, Place, StreamFinding

_NAMING = (
    (tables.FACTS.name, "occurred_at"),
    (tables.PROGRESS.name, "occurred_at"),
    (tables.BINDINGS.name, ""),
    (tables.OWNERS.name, ""),
)


def context_findings(found: Iterable[Found], item: str) -> Iterator[StreamFinding]:
    """`context_expired`, `context_missing`, `context_undated` and `context_other_ids`, each with its first places."""
    by_name = {one.wanted.name: one for one in found if one.present}
    held: dict[str, tuple[str | None, str | None]] = {}
    created: list[int] = []
    if tables.CONTEXTS.name in by_name:
        for _, cells in cells_of(by_name[tables.CONTEXTS.name]):
            held[text(cells, "context_id") or ""] = (text(cells, "execution_id"), text(cells, "run_id"))
            created += [at for at in (whole(cells, "created_at"),) if at is not None]
    latest = _latest(by_name)
    places: dict[str, list[Place]] = {}
    counts: dict[str, int] = {}
    for table, clock in _NAMING:
        for number, cells in cells_of(by_name[table]) if table in by_name else ():
            context, at = text(cells, "context_id"), whole(cells, clock)
            if context is None:
                continue
            if context in held:
                ids = (text(cells, "execution_id"), text(cells, "run_id"))
                # Bindings of owners hold no run: there is nothing to contradict.
                same = all(mine is None or mine == theirs for mine, theirs in zip(ids, held[context], strict=True))
                code = None if same else "context_other_ids"
            else:
                code = _lost(at, latest, min(created, default=None))
            if code is not None:
                counts[code] = counts.get(code, 0) + 1
                places.setdefault(code, []).append(Place(item=item, pointer=f"/{table}", row=number))
    for code, count in sorted(counts.items()):
        yield StreamFinding(code=code, count=count, places=tuple(places[code][:PLACES_MAX]))


def _lost(at: int | None, latest: int | None, oldest: int | None) -> str:
    if at is None or latest is None:
        return "context_undated"
    aged = latest - at > RETENTION_DAYS * DAY_MS
    return "context_expired" if aged or (oldest is not None and at < oldest) else "context_missing"


def _latest(by_name: dict[str, Found]) -> int | None:
    times = [
        at
        for name, column in (
            (tables.AUDIT_EVENTS.name, "occurred_at"),
            (tables.CONTEXTS.name, "created_at"),
            (tables.FACTS.name, "occurred_at"),
            (tables.PROGRESS.name, "occurred_at"),
        )
        if name in by_name
        for _, cells in cells_of(by_name[name])
        for at in (whole(cells, column),)
        if at is not None
    ]
    return max(times, default=None)
