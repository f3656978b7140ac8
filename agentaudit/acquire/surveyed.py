"""A survey as its result: what a dry run shows, and nothing is copied.

- Names are labels unless they were asked for; a label is the same in every run, so that it can be used to select.
"""

from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

from agentaudit.acquire.kinds import folder_label, kind_of
from agentaudit.acquire.request import PreserveBundle
from agentaudit.acquire.surveying import Check, Survey, open_store, room_of, take_survey
from agentaudit.adapters.stores.planned import Planned
from agentaudit.model.bundle import SessionBundle
from agentaudit.model.local import true_name
from agentaudit.model.results import SurveyedRoot, SurveyedSession, SurveyResult
from agentaudit.model.selection import keeper_of
from agentaudit.model.text import SourceText

Show: TypeAlias = Callable[[SourceText], SourceText]

_SUBAGENTS = frozenset({"subagent", "old_agent", "workflow_agent"})


def survey_store(request: PreserveBundle, *, names: bool, check: Check = lambda: None) -> SurveyResult:
    """Survey the store of a request; SourceRefused (5) where there is none. Nothing is written anywhere."""
    with open_store(request.selection, request.surrounding) as store:
        survey = take_survey(store, request.selection, 1, check)
    show: Show = (lambda name: name) if names else folder_label
    bundles = kind_of(keeper_of(request.selection)).bundles(None)
    for planned in survey.plan.planned:
        bundles.entry(planned.entry)
    facts = survey.peeked.facts(1)
    bundles.store(facts)
    by_session = _by_session(survey)
    copied = [one for one in survey.plan.planned if one.path is not None]
    return SurveyResult(
        agent=keeper_of(request.selection),
        roots=_roots(survey, show),
        sessions=tuple(_session(one, by_session.get(one.key, []), show) for one in bundles.bundles()),
        files=len(copied),
        bytes=_size(copied),
        room_bytes=room_of(survey),
        left_out=_left_out(list(survey.plan.planned)),
        missing_sessions=survey.plan.missing_sessions,
        missing_projects=survey.plan.missing_projects,
        absent_roots=tuple(true_name(path) for path, _ in survey.roots.absent),
        history_sessions_without_transcript=_without_transcript(survey, bundles.bundles()),
        switches=tuple((one.root, one.switch.name, str(one.switch.value)) for one in facts.switches),
        indexes=facts.indexes,
        installed=facts.installed,
    )


def _by_session(survey: Survey) -> dict[str, list[Planned]]:
    found: dict[str, list[Planned]] = {}
    for planned in survey.plan.planned:
        if planned.entry.session is not None:
            found.setdefault(planned.entry.session, []).append(planned)
    return found


def _session(bundle: SessionBundle, members: list[Planned], show: Show) -> SurveyedSession:
    copied = [one for one in members if one.path is not None]
    roles = {total.role: total.count for total in bundle.roles}
    return SurveyedSession(
        session=bundle.key,
        root=bundle.root,
        project=None if bundle.project is None else show(bundle.project),
        id=show(bundle.session),
        transcript=bundle.transcript,
        bytes=bundle.bytes,
        modified_at=bundle.modified_at,
        subagents=sum(roles.get(role, 0) for role in _SUBAGENTS),
        spilled_results=roles.get("tool_result", 0),
        preserved_files=len(copied),
        preserved_bytes=_size(copied),
        left_out=_left_out(members),
        running=bundle.running,
        also_in=bundle.also_in,
    )


def _left_out(members: list[Planned]) -> tuple[tuple[str, int], ...]:
    counts = Counter(one.entry.rule for one in members if one.path is None and one.entry.rule != "folder")
    return tuple(sorted(counts.items()))


def _size(members: list[Planned]) -> int:
    return sum(one.seen.look.size for one in members if one.seen.look is not None)


def _roots(survey: Survey, show: Show) -> tuple[SurveyedRoot, ...]:
    counts = Counter(one.seen.root for one in survey.plan.planned)
    return tuple(
        SurveyedRoot(
            root=root.facts.root,
            path=show(root.facts.path),
            found=root.facts.found,
            file_system=root.facts.file_system,
            read_only=root.facts.read_only,
            access_times_kept=root.facts.access_times_kept,
            entries=None if root.facts.found == "reported" else counts[root.facts.root],
        )
        for root in (*survey.roots.chosen, *survey.roots.reported)
    )


def _without_transcript(survey: Survey, bundles: tuple[SessionBundle, ...]) -> int:
    """Sessions that a history names and no transcript of its root holds."""
    present = {(one.root, one.session) for one in bundles if one.transcript == "present"}
    return sum((one.root, one.session) not in present for one in survey.peeked.history)
