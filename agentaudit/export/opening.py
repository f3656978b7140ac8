"""From folders to a dossier: the facts of a case and of verified exhibits, and the rows behind them.

- Nothing is told of an exhibit whose check found faults, and nothing of a custody log that is broken or that
  contradicts an exhibit.
- The custody log is read once: what is appended later belongs to a later export.
- What was read is checked again at the end: an exhibit that changed while it was read gives no export.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from agentaudit import __version__
from agentaudit.encoding.canonical import NotCanonical
from agentaudit.errors import PackageFault
from agentaudit.export.acts import read_acts
from agentaudit.export.asked import asked, limit_facts, reach_facts, session_line, window_asked
from agentaudit.export.custody import CustodyTold, read_custody
from agentaudit.export.document import CheckMade, ExhibitFacts, ExportFacts
from agentaudit.export.dossier import Dossier, Part
from agentaudit.export.rows import SealedRows, session_rows
from agentaudit.export.words import attention
from agentaudit.format import layout
from agentaudit.format.codecs import PACKAGE_CODEC
from agentaudit.model.base import Digest
from agentaudit.model.losses import Gap
from agentaudit.model.tagfiles import CoverageFile, PackageFile
from agentaudit.model.verdict import Verdict
from agentaudit.package.case import Case, seal_of
from agentaudit.package.check_case import check_exhibit
from agentaudit.package.derive import ROW_MAX
from agentaudit.package.reader import read_listing
from agentaudit.package.session import sealed_rows
from agentaudit.package.tree import Tree


@dataclass(frozen=True, slots=True)
class Checked:
    """An exhibit and the verdict that was just reached on it."""

    path: Path
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Opened:
    """A dossier, and the exhibits behind it, by name: their trees for whoever needs the raw bytes."""

    dossier: Dossier
    rows: tuple[SealedRows, ...]


@contextmanager
def opened(
    case: Case | None, exhibits: tuple[Checked, ...], left_out: tuple[tuple[str, str], ...], *, names: bool
) -> Iterator[Opened]:
    """The dossier while the block runs.

    Raises PackageFault (4): before, for what is not intact; after, for what changed meanwhile.
    """
    custody = read_custody(case.path, names=names) if case is not None else None
    with ExitStack() as stack:
        rows, parts = [], []
        for one in sorted(exhibits, key=lambda each: each.verdict.exhibit):
            tree = stack.enter_context(Tree(one.path))
            facts, sealed = _exhibit(tree, one, custody, names=names)
            rows.append(sealed)
            parts.append(Part(facts, sealed))
        said = dict.fromkeys(part.facts.attention for part in parts if part.facts.attention is not None)
        yield Opened(
            Dossier(
                ExportFacts(
                    attention=tuple(said),
                    format="agentaudit-manifest/1",
                    case=case.file if case is not None else None,
                    custody_head=custody.head if custody is not None else None,
                    made_by=f"agentaudit {__version__}",
                    names_shown=names,
                    left_out=left_out,
                ),
                tuple(parts),
                custody.lines if custody is not None else (),
            ),
            tuple(rows),
        )
        for part, sealed in zip(parts, rows, strict=True):
            _still_the_same(sealed.tree, part.facts)


def _exhibit(tree: Tree, one: Checked, custody: CustodyTold | None, *, names: bool) -> tuple[ExhibitFacts, SealedRows]:
    verdict, package = one.verdict, _package(tree)
    if verdict.integrity != "intact" or verdict.seal is None or package is None:
        raise _not_intact(one.path)
    if custody is not None:
        ours = package.case == custody.case and package.exhibit == one.path.resolve().name
        for code, _, _ in check_exhibit(custody.index, package.exhibit, verdict.seal, package.custody_head, ours):
            raise PackageFault(
                f"the custody log contradicts {package.exhibit} ({code}), so nothing is exported from it",
                f"agentaudit verify {one.path.resolve().parent}",
            )
    told = read_acts(tree, names=names)
    rows = SealedRows(tree, package.exhibit, package.adapter, told.failures, names)
    coverage = next(sealed_rows(tree, layout.COVERAGE, CoverageFile))
    facts = ExhibitFacts(
        exhibit=package.exhibit,
        case=package.case,
        seal=verdict.seal,
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
        acts=told.acts,
        check=_check(verdict),
        coverage=coverage.limits,
        gap_totals=_gap_totals(tree),
        session_outcomes=_outcomes(tree),
        tag_files=_tag_files(tree),
    )
    return facts, rows


def _check(verdict: Verdict) -> CheckMade:
    return CheckMade(
        integrity=verdict.integrity,
        outcome=verdict.outcome,
        authenticity=verdict.authenticity,
        codes=verdict.codes,
        findings=verdict.findings,
        not_checked=verdict.not_checked,
    )


def _package(tree: Tree) -> PackageFile | None:
    try:
        package = PACKAGE_CODEC.decode(tree.read(layout.PACKAGE, ROW_MAX).removesuffix(b"\n"))
    except (OSError, NotCanonical):
        return None
    return package if isinstance(package, PackageFile) else None


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


def _still_the_same(tree: Tree, facts: ExhibitFacts) -> None:
    """The seal, and every tag file that the tag manifest lists, are those that were verified."""
    same = seal_of(tree.root) == facts.seal and all(_digest(tree, path) == digest for path, digest in facts.tag_files)
    if not same:
        raise PackageFault(f"{facts.exhibit} changed while it was exported", "let nothing write to it; export again")


def _digest(tree: Tree, path: str) -> Digest | None:
    digest = sha256()
    try:
        with tree.stream(path) as stream:
            while block := stream.read(65_536):
                digest.update(block)
    except OSError:
        return None
    return Digest(f"sha256:{digest.hexdigest()}")


def _not_intact(path: Path) -> PackageFault:
    return PackageFault(f"{path} is not intact, so nothing is exported from it", f"agentaudit verify {path}")
