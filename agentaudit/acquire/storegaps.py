"""The gaps of a preserved store: what was left out by rule, what could not be read, what is named and not there.

- What our own rules left out is one gap a root and rule, with its count; entries.jsonl has each one.
- A file that could not be read is a gap of its own; so is one that never held still.
- What a transcript names and the store lacks is unavailable at the source: the store says so itself.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from agentaudit.acquire.surveying import Survey
from agentaudit.adapters.claude_code.planning import Planned
from agentaudit.adapters.claude_code.policy import Rule
from agentaudit.adapters.claude_code.reading import StoreBundles
from agentaudit.model.base import UNSET, Unset
from agentaudit.model.bundle import SessionBundle
from agentaudit.model.local import true_name
from agentaudit.model.losses import Gap, GapCode, GapKind
from agentaudit.sources.local.read import Read, Unread

_CHANGED = frozenset({"shrank", "rewritten", "replaced"})
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


def survey_walk(root: str, number: int) -> str:
    """The id of the walk that a survey of a root is."""
    return f"claude-code/{root}/survey{number:02d}"


def decision_gaps(planned: Iterable[Planned], survey: int) -> Iterator[Gap]:
    """What is left out by rule, counted by root and code; and each entry that could not be looked at."""
    counts: Counter[tuple[str, GapCode]] = Counter()
    for one in planned:
        code = _code(one.entry.rule)
        if code is not None:
            counts[one.entry.root, code] += 1
        if one.entry.rule == "not_seen" or (one.seen.kind == "folder" and one.seen.problem is not None):
            yield _entry_gap(one, survey, _PROBLEMS.get(one.seen.problem or "", "unreadable"))
    for (root, code), count in sorted(counts.items()):
        yield Gap(kind="excluded", code=code, basis="rule", walk=survey_walk(root, survey), count=count)


def missing_gaps(survey: Survey) -> Iterator[Gap]:
    """What was named and is nowhere."""
    for session in survey.plan.missing_sessions:
        yield Gap(kind="not_obtained", code="session_absent", basis="absence", subject=session)
    for project in survey.plan.missing_projects:
        yield Gap(kind="not_obtained", code="project_absent", basis="absence", subject=project)
    for path, _ in survey.roots.absent:
        yield Gap(kind="not_obtained", code="root_absent", basis="absence", subject=true_name(path))


def read_gap(planned: Planned, read: Read | Unread, survey: int) -> Gap | None:
    """The gap of a file's last read; None when its copy is what the file was."""
    if isinstance(read, Unread):
        code = _PROBLEMS.get(read.problem, "unreadable")
        return _entry_gap(planned, survey, code, kind="excluded" if code == "credentials" else "not_obtained")
    return _entry_gap(planned, survey, "changed_while_read") if read.change in _CHANGED else None


def bundle_gaps(bundles: StoreBundles) -> Iterator[Gap]:
    """What the bundles that are preserved name and lack."""
    wanted = bundles.wanted()
    for bundle in bundles.bundles():
        if bundle.key in wanted:
            yield from _lacks(bundle)


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


def _entry_gap(one: Planned, survey: int, code: GapCode, kind: GapKind = "not_obtained") -> Gap:
    return Gap(
        kind=kind,
        code=code,
        basis="rule" if kind == "excluded" else "status",
        walk=survey_walk(one.entry.root, survey),
        index=one.entry.number,
        session=UNSET if one.entry.session is None else one.entry.session,
    )


def _code(rule: str) -> GapCode | None:
    return next((code for name, code in _RULES.items() if name == rule), None)
