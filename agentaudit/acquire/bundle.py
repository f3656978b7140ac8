"""Preserving a local store: begin, go on, close as it stands; each ends in a sealed exhibit.

- Nothing is written in the store and no agent is started; the case may not lie inside it.
- Going on takes the selection and the survey from the journal; a survey that was not finished is made anew.
- Closing as it stands opens nothing of the store: what was not copied is a gap.
"""

import os
from dataclasses import replace

from agentaudit.acquire.hands import Hands
from agentaudit.acquire.preserve import Preserving
from agentaudit.acquire.progress import Progress, State
from agentaudit.acquire.request import PreserveBundle, ResumePreservation, Surroundings
from agentaudit.acquire.resurvey import Surveyed, surveyed
from agentaudit.acquire.runs import Run, check_place, hand_of, recorded_partial, result_of, take_up
from agentaudit.acquire.surveying import Store, Survey, open_store, take_survey
from agentaudit.adapters.claude_code.planning import Planned
from agentaudit.adapters.claude_code.reading import ClaudeCodeReader, StoreBundles
from agentaudit.errors import UsageFault
from agentaudit.format import layout
from agentaudit.model.actors import EndpointClass
from agentaudit.model.base import UNSET
from agentaudit.model.journal import CustodyHead, Noted, Opened
from agentaudit.model.losses import Gap
from agentaudit.model.results import SealedResult
from agentaudit.model.selection import BundleSelection
from agentaudit.package.begin import begin_exhibit
from agentaudit.package.case import Case, load_case
from agentaudit.package.disk import Disk
from agentaudit.package.recorded import Nothing, Recorded
from agentaudit.package.seal import seal_exhibit
from agentaudit.package.writer import releasing, reopen_exhibit

SOURCE = "local"
WORKERS_MAX = 4
DEMONSTRATION = b"agentaudit-demonstration"


def preserve_bundle(
    request: PreserveBundle, around: Surroundings, progress: Progress, disk: Disk | None = None
) -> SealedResult:
    """Preserve into a new exhibit and seal it.

    Raises SourceRefused (5) where there is no store, DestinationFault (7) and Interrupted with a partial kept.
    """
    case = load_case(request.case)
    with open_store(request.selection, request.surrounding) as store:
        _keep_apart(case, store)
        progress.show(State("surveying"))
        survey = take_survey(store, request.selection)
        check_place(case.path, progress, _wanted(survey))
        hand = hand_of(case, request.said, around, disk)

        def opened(exhibit: str, head: CustodyHead) -> Opened:
            return Opened(
                case=case.file.number,
                exhibit=exhibit,
                source=SOURCE,
                adapter=ClaudeCodeReader().name,
                endpoint_class=_endpoint_class(store),
                selection=request.selection,
                limits=None,
                read_limits=None,
                actors=hand.actors,
                custody_head=head,
                argv=request.argv,
                tool=around.tool,
                host=around.host,
                network=None,
            )

        exhibit = begin_exhibit(case, hand, SOURCE, request.selection, opened)
        with releasing(exhibit):
            first = Recorded(exhibit.root).opened
            run = Run(case, hand, exhibit, Nothing(), first, around, progress)
            work = _work(run, store, request.workers)
            work.survey(survey, 1)
            return _copy_and_seal(run, work, survey.plan.planned, 1)


def resume_preservation(
    request: ResumePreservation, around: Surroundings, progress: Progress, disk: Disk | None = None
) -> SealedResult:
    """Go on with an interrupted preservation: what is in its journal is not read again; then seal it."""
    case = load_case(request.case)
    root = case.path / f"{request.exhibit.removesuffix(layout.PARTIAL)}{layout.PARTIAL}"
    check_place(case.path, progress)
    hand = hand_of(case, request.said, around, disk)
    selection = recorded_partial(root).opened.selection
    if not isinstance(selection, BundleSelection):
        raise UsageFault(f"{root.name} was not preserved from a store", "resume it with the command that began it")
    with open_store(selection, request.surrounding) as store:
        exhibit = reopen_exhibit(root, hand.disk, hand.now)
        with releasing(exhibit):
            run = take_up(case, hand, exhibit, around=around, progress=progress, network=None, sealing=False)
            if run.earlier.closed is not None:
                return _seal(run)
            before = surveyed(exhibit.root)
            if not before.whole:
                survey = take_survey(store, selection, before.number + 1)
                work = _work(run, store, request.workers)
                work.survey(survey, before.number + 1)
                return _copy_and_seal(run, work, survey.plan.planned, before.number + 1)
            plan = before.plan(store, selection)
            work = _work(run, store, request.workers)
            before.feed(work.bundles)
            return _copy_and_seal(run, work, plan, before.number)


def close_preservation(run: Run) -> SealedResult:
    """Seal an interrupted preservation as it stands: nothing of the store is opened, the rest is a gap."""
    if run.earlier.closed is None:
        before = surveyed(run.exhibit.root)
        for gap in _not_copied(before):
            run.exhibit.stage(Noted(gap=gap))
        run.exhibit.settle()
    return _seal(run)


def _copy_and_seal(run: Run, work: Preserving, planned: tuple[Planned, ...], number: int) -> SealedResult:
    work.copy(list(planned), number)
    work.finish()
    run.progress.show(replace(work.state, phase="sealing"))
    return _seal(run)


def _seal(run: Run) -> SealedResult:
    sealed = seal_exhibit(run.exhibit, run.case, run.hand, ClaudeCodeReader(), run.earlier.closed)
    return result_of(run.case, sealed)


def _work(run: Run, store: Store, workers: int) -> Preserving:
    roots = {root.facts.root: root.path for root in store.roots.chosen}
    count = workers or min(WORKERS_MAX, os.cpu_count() or 1)
    hands = Hands(store.readers, roots, store.denied, count)
    return Preserving(run.exhibit, store, hands, run.around, run.progress, State("surveying"), StoreBundles(run.opened))


def _not_copied(before: Surveyed) -> tuple[Gap, ...]:
    gaps = [
        Gap(
            kind="not_obtained",
            code="interrupted",
            basis="absence",
            walk=before.walk(entry.root),
            index=entry.number,
            session=UNSET if entry.session is None else entry.session,
        )
        for entry in before.entries
        if entry.decision == "preserve" and entry.number not in before.kept
    ]
    if not before.whole:
        gaps.append(Gap(kind="not_obtained", code="interrupted", basis="absence", walk=before.walk("r1")))
    return tuple(gaps)


def _keep_apart(case: Case, store: Store) -> None:
    """A case inside the store would be written into the evidence, and preserved with it."""
    place = os.fsencode(case.path.resolve())
    for root in store.roots.chosen:
        if place == root.path or place.startswith(root.path + b"/"):
            raise UsageFault("the case lies inside the store", "open the case somewhere else")


def _wanted(survey: Survey) -> int:
    return sum(one.seen.look.size for one in survey.plan.planned if one.path is not None and one.seen.look is not None)


def _endpoint_class(store: Store) -> EndpointClass:
    """`synthetic` for the demonstration's own store, which says so by a file in it; else `store`."""
    made = any(os.path.lexists(os.path.join(root.path, DEMONSTRATION)) for root in store.roots.chosen)  # noqa: PTH118
    return "synthetic" if made else "store"
