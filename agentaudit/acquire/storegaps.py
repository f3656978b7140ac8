"""The gaps of a preserved store: what was left out by rule, what could not be read, what is named and not there.

- What our own rules left out is one gap a root and rule, with its count; entries.jsonl has each one.
- A file that could not be read is a gap of its own; so is one that never held still.
- What a transcript names and the store lacks is unavailable at the source: the store says so itself.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import assert_never

from agentaudit.acquire.kinds import Bundles, NoBundles
from agentaudit.acquire.surveying import DENIED_ERRORS, Survey
from agentaudit.adapters.claude_code.reading import StoreBundles
from agentaudit.adapters.codex.reading import HomeBundles
from agentaudit.adapters.stores.ruling import Rule
from agentaudit.model.base import UNSET, Unset
from agentaudit.model.bundle import SessionBundle
from agentaudit.model.local import Change, true_name
from agentaudit.model.losses import Gap, GapCode, GapKind
from agentaudit.model.selection import Keeper
from agentaudit.model.storejournal import Entry, StoreLookedAgain
from agentaudit.sources.local.read import Read, Unread

_CHANGED: frozenset[Change] = frozenset({"shrank", "rewritten", "replaced"})
_RULES: Mapping[Rule, GapCode] = MappingProxyType(
    {
        "credentials_location": "credentials",
        "credentials_name": "credentials",
        "credentials_inode": "credentials",
        "category_excluded": "category_excluded",
        "category_opt_in": "category_opt_in",
        "not_selected": "not_selected",
        "metadata_only": "listed_only",
        "link": "link",
        "special": "special_file",
    }
)
_PROBLEMS: Mapping[str, GapCode] = MappingProxyType(
    {
        "vanished": "vanished",
        "replaced": "vanished",
        "placeholder": "placeholder",
        "sparse_over_limit": "sparse_over_limit",
        "denied": "credentials",
    }
)


def survey_walk(agent: Keeper, root: str, number: int) -> str:
    """The id of the walk that a survey of a root is."""
    return f"{agent}/{root}/survey{number:02d}"


def decision_gaps(agent: Keeper, entries: Iterable[Entry]) -> Iterator[Gap]:
    """What is left out by rule, counted by survey, root and code; and each entry that could not be looked at."""
    counts: Counter[tuple[int, str, GapCode]] = Counter()
    for entry in entries:
        code = _code(entry.rule)
        if code is not None:
            counts[entry.survey, entry.root, code] += 1
        problem = None if isinstance(entry.problem, Unset) else entry.problem
        if entry.rule == "not_seen" or (entry.kind == "folder" and problem is not None):
            yield entry_gap(agent, entry, _PROBLEMS.get(problem or "", "unreadable"))
    for (survey, root, code), count in sorted(counts.items()):
        yield Gap(kind="excluded", code=code, basis="rule", walk=survey_walk(agent, root, survey), count=count)


def missing_gaps(survey: Survey) -> Iterator[Gap]:
    """What was named and is nowhere; and each root that is there and may not be entered."""
    for session in survey.plan.missing_sessions:
        yield Gap(kind="not_obtained", code="session_absent", basis="absence", subject=session)
    for project in survey.plan.missing_projects:
        yield Gap(kind="not_obtained", code="project_absent", basis="absence", subject=project)
    for path, error in survey.roots.absent:
        if error in DENIED_ERRORS:
            yield Gap(kind="not_obtained", code="unreadable", basis="status", subject=true_name(path))
        else:
            yield Gap(kind="not_obtained", code="root_absent", basis="absence", subject=true_name(path))


def read_gap(agent: Keeper, entry: Entry, read: Read | Unread) -> Gap | None:
    """The gap of a file's last read; None when its copy is what the file was."""
    if isinstance(read, Unread):
        return problem_gap(agent, entry, read.problem)
    return entry_gap(agent, entry, "changed_while_read") if is_unstable(read.change) else None


def problem_gap(agent: Keeper, entry: Entry, problem: str) -> Gap:
    """The gap of a file that could not be read, by why it could not be."""
    code = _PROBLEMS.get(problem, "unreadable")
    return entry_gap(agent, entry, code, kind="excluded" if code == "credentials" else "not_obtained")


def later_gaps(agent: Keeper, row: StoreLookedAgain) -> Iterator[Gap]:
    """What a second look found that is not here: counted by root. A copied file whose name is gone is here."""
    for root in row.roots:
        walk = survey_walk(agent, root.root, row.survey)
        codes: tuple[tuple[GapCode, int], ...] = (
            ("appeared_later", root.appeared),
            ("changed_later", root.listed_changed),
        )
        for code, count in codes:
            if count:
                yield Gap(kind="excluded", code=code, basis="rule", walk=walk, count=count)
        if root.problem is not None:
            code = _PROBLEMS.get(root.problem, "unreadable")
            yield Gap(kind="not_obtained", code=code, basis="status", walk=walk)


def is_unstable(change: Change) -> bool:
    """Whether what was read under such a change may be a mix, or is no longer what lies there."""
    return change in _CHANGED


def bundle_gaps(bundles: Bundles) -> Iterator[Gap]:
    """What the bundles that are preserved name and lack."""
    match bundles:
        case StoreBundles():
            wanted = bundles.wanted()
            for bundle in bundles.bundles():
                if bundle.key in wanted:
                    yield from _lacks(bundle)
        case HomeBundles():
            yield from bundles.gaps()
        case NoBundles():
            return
        case _:
            assert_never(bundles)


def _lacks(bundle: SessionBundle) -> Iterator[Gap]:
    if bundle.transcript != "present" and bundle.project is not None:
        yield Gap(kind="unavailable", code="transcript_absent", basis="absence", session=bundle.key)
    absent = () if isinstance(bundle.spilled_absent, Unset) else bundle.spilled_absent
    if absent:
        yield Gap(
            kind="unavailable", code="spilled_result_absent", basis="field", session=bundle.key, count=len(absent)
        )
    agents = () if isinstance(bundle.subagents_absent, Unset) else bundle.subagents_absent
    if agents:
        yield Gap(kind="unavailable", code="subagent_absent", basis="field", session=bundle.key, count=len(agents))


def entry_gap(agent: Keeper, entry: Entry, code: GapCode, kind: GapKind = "not_obtained") -> Gap:
    """The gap that an entry is, named by its survey and number."""
    return Gap(
        kind=kind,
        code=code,
        basis="rule" if kind == "excluded" else "status",
        walk=survey_walk(agent, entry.root, entry.survey),
        index=entry.number,
        session=UNSET if entry.session is None else entry.session,
    )


def _code(rule: str) -> GapCode | None:
    return next((code for name, code in _RULES.items() if name == rule), None)
