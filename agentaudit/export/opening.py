"""From folders to a dossier: the facts of a case and of verified exhibits, and the rows behind them.

- Nothing is told of an exhibit whose check found faults, and nothing of a custody log that is broken or that
  contradicts an exhibit.
- The custody log is read once: what is appended later belongs to a later export.
- What was read is checked again at the end: an exhibit that changed while it was read gives no export.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256

from agentaudit import __version__
from agentaudit.encoding.canonical import NotCanonical
from agentaudit.errors import PackageFault
from agentaudit.export.acts import read_acts
from agentaudit.export.checked import Checked
from agentaudit.export.custody import CustodyTold, read_custody
from agentaudit.export.document import ExhibitFacts, ExportFacts
from agentaudit.export.dossier import Dossier, Part
from agentaudit.export.exhibitfacts import exhibit_facts
from agentaudit.export.rows import SealedRows
from agentaudit.format import layout
from agentaudit.format.codecs import PACKAGE_CODEC
from agentaudit.model.base import Digest
from agentaudit.model.tagfiles import PackageFile
from agentaudit.package.case import Case, seal_of
from agentaudit.package.check_case import check_exhibit
from agentaudit.package.derive import ROW_MAX
from agentaudit.package.tree import Tree, resolved


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
            package = _relied_on(tree, one, custody)
            told = read_acts(tree, names=names)
            rows.append(SealedRows(tree, package.exhibit, package.adapter, told.failures, names))
            parts.append(Part(exhibit_facts(tree, package, one, told.acts, names=names), rows[-1]))
        facts = _export_facts(case, custody, parts, left_out, names=names)
        yield Opened(Dossier(facts, tuple(parts), custody.lines if custody is not None else ()), tuple(rows))
        for part, sealed in zip(parts, rows, strict=True):
            _still_the_same(sealed.tree, part.facts)


def _export_facts(
    case: Case | None,
    custody: CustodyTold | None,
    parts: list[Part],
    left_out: tuple[tuple[str, str], ...],
    *,
    names: bool,
) -> ExportFacts:
    said = (part.facts.attention for part in parts)
    return ExportFacts(
        attention=tuple(dict.fromkeys(words for words in said if words is not None)),
        format="agentaudit-manifest/1",
        case=case.file if case is not None else None,
        custody_head=custody.head if custody is not None else None,
        made_by=f"agentaudit {__version__}",
        names_shown=names,
        left_out=left_out,
    )


def _relied_on(tree: Tree, one: Checked, custody: CustodyTold | None) -> PackageFile:
    """What an intact exhibit says of itself, when the custody log has nothing against it."""
    package = _package(tree)
    if one.verdict.integrity != "intact" or one.verdict.seal is None or package is None:
        raise PackageFault(f"{one.path} is not intact, so nothing is exported from it", f"agentaudit verify {one.path}")
    against = _against(one, package, custody) if custody is not None else None
    if against is not None:
        raise PackageFault(
            f"the custody log contradicts {package.exhibit} ({against}), so nothing is exported from it",
            f"agentaudit verify {resolved(one.path).parent}",
        )
    return package


def _against(one: Checked, package: PackageFile, custody: CustodyTold) -> str | None:
    """The code of what the log has against an exhibit; None when it has nothing."""
    if package.exhibit not in custody.index.begun:
        return "C008"
    ours = package.case == custody.case and package.exhibit == resolved(one.path).name
    found = check_exhibit(custody.index, package.exhibit, one.verdict.seal, package.custody_head, ours)
    return next((code for code, _, _ in found), None)


def _package(tree: Tree) -> PackageFile | None:
    try:
        package = PACKAGE_CODEC.decode(tree.read(layout.PACKAGE, ROW_MAX).removesuffix(b"\n"))
    except (OSError, NotCanonical):
        return None
    return package if isinstance(package, PackageFile) else None


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
