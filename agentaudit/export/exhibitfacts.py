"""The facts of one exhibit, from its package.json, its verdict, its journal and its tag files."""

from collections import Counter

from agentaudit.export.asked import asked, limit_facts, reach_facts, window_asked
from agentaudit.export.checked import Checked, check_made
from agentaudit.export.document import ActsMade, ExhibitFacts
from agentaudit.export.entries import entry_totals
from agentaudit.export.rows import session_rows
from agentaudit.export.saying import session_line
from agentaudit.export.words import attention
from agentaudit.format import layout
from agentaudit.model.base import Digest
from agentaudit.model.losses import Gap
from agentaudit.model.storejournal import Entry
from agentaudit.model.tagfiles import CoverageFile, PackageFile
from agentaudit.package.reader import read_listing
from agentaudit.package.session import sealed_rows
from agentaudit.package.tree import Tree


def exhibit_facts(tree: Tree, package: PackageFile, checked: Checked, acts: ActsMade, *, names: bool) -> ExhibitFacts:
    """What an exhibit says of itself, and what the check answered; its verdict is intact and has a seal."""
    return ExhibitFacts(
        exhibit=package.exhibit,
        case=package.case,
        seal=checked.verdict.seal or Digest(""),
        attention=attention(package.endpoint_class),
        endpoint_class=package.endpoint_class,
        source=package.source,
        adapter=package.adapter,
        asked=asked(package.selection, names=names),
        window=window_asked(package.selection),
        limits=limit_facts(package.limits, package.read_limits),
        reach=reach_facts(package, names=names),
        actors=package.actors,
        tool=package.tool,
        host=package.host,
        custody_head=package.custody_head,
        begun_at=package.begun_at,
        ended_at=package.ended_at,
        outcome=package.outcome,
        counts=package.counts,
        clock=package.clock,
        acts=acts,
        check=check_made(checked, names=names),
        coverage=next(sealed_rows(tree, layout.COVERAGE, CoverageFile)).limits,
        gap_totals=_gap_totals(tree),
        session_outcomes=_outcomes(tree),
        entry_totals=entry_totals(sealed_rows(tree, layout.ENTRIES, Entry)),
        tag_files=_tag_files(tree),
    )


def _gap_totals(tree: Tree) -> tuple[tuple[str, str, int], ...]:
    totals: Counter[tuple[str, str]] = Counter()
    for gap in sealed_rows(tree, layout.GAPS, Gap):
        totals[gap.kind, gap.code] += gap.count
    return tuple((kind, code, count) for (kind, code), count in sorted(totals.items()))


def _outcomes(tree: Tree) -> tuple[tuple[str, int], ...]:
    lines = (session_line("", row, (), names=False) for row in session_rows(tree))
    return tuple(sorted(Counter(one.outcome for one in lines if one.outcome is not None).items()))


def _tag_files(tree: Tree) -> tuple[tuple[str, Digest], ...]:
    listed = read_listing(tree, layout.TAG_MANIFEST, tags=True).listed
    return tuple((path, Digest(f"sha256:{digits}")) for path, digits in sorted(listed.items()))
