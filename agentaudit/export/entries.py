"""The directory entries of a local store as an export tells them: each as a row, and all of them summed by rule.

- Nothing that a survey saw is left out of the rows: what was copied, what was not and by which rule, links, special
  files, what the system did not let be looked at.
- Without names no true path, no target of a link and no owner leaves here; root, survey and number lead to the row.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from agentaudit.export.document import EntryTotal
from agentaudit.export.facts import facts_of
from agentaudit.export.lines import EntryLine
from agentaudit.model.base import Unset
from agentaudit.model.storejournal import Entry

RULES: Mapping[str, str] = MappingProxyType({
    "selected": "of what was asked for",
    "included": "of a category that was asked for by name",
    "credentials_location": "credentials, by their place; never copied",
    "credentials_name": "credentials, by their name; never copied",
    "credentials_inode": "another name of a file that holds credentials; never copied",
    "credentials_bytes": "its bytes are, or may hold, credentials; never copied",
    "category_excluded": "of a category that was left out",
    "category_opt_in": "of a category that is copied only when it is asked for",
    "not_selected": "of another session or project than those asked for",
    "metadata_only": "of a category of which only names and states are listed",
    "folder": "a folder; its entries have rows of their own",
    "link": "a link; recorded and not followed",
    "special": "neither a file nor a folder; recorded and not opened",
    "not_seen": "the system did not let it be looked at",
})  # fmt: skip

_SHOWN = frozenset({"size_bytes", "modified_at"})


def entry_line(exhibit: str, row: Entry, *, names: bool) -> EntryLine:
    """One row of entries.jsonl."""
    return EntryLine(
        exhibit=exhibit,
        survey=row.survey,
        root=row.root,
        number=row.number,
        name=row.name if names else None,
        kind=row.kind,
        role=row.role,
        category=row.category,
        decision=row.decision,
        rule=row.rule,
        session=row.session,
        owner=None if isinstance(row.owner, Unset) or not names else row.owner,
        target=None if isinstance(row.target, Unset) or not names else row.target,
        problem=None if isinstance(row.problem, Unset) else row.problem,
        sha256=None if isinstance(row.sha256, Unset) else row.sha256,
        size_bytes=None if row.state is None else row.state.size_bytes,
        modified_at=None if row.state is None else row.state.modified_at,
        more=() if row.state is None else facts_of(row.state, skip=_SHOWN, names=names),
    )


def entry_totals(rows: Iterable[Entry]) -> tuple[EntryTotal, ...]:
    """How many entries each rule decided about, by survey, decision, rule and kind; bytes of files alone."""
    counts: Counter[tuple[int, str, str, str]] = Counter()
    octets: Counter[tuple[int, str, str, str]] = Counter()
    for row in rows:
        key = (row.survey, row.decision, row.rule, row.kind)
        counts[key] += 1
        octets[key] += row.state.size_bytes if row.state is not None and row.kind == "file" else 0
    return tuple(
        EntryTotal(survey=key[0], decision=key[1], rule=key[2], kind=key[3], entries=count, bytes=octets[key])
        for key, count in sorted(counts.items())
    )


def total_words(one: EntryTotal) -> str:
    """A total in one line."""
    rule = RULES.get(one.rule, one.rule)
    return f"{one.decision}, {one.kind}, {rule}: {one.entries:,} entries, {one.bytes:,} bytes (survey {one.survey})"
