"""Preserving a local store: begin, go on, close as it stands; each ends in a sealed exhibit.

- Nothing is written in the store and no agent is started; the case may not lie inside it.
- Going on takes the selection and the survey from the journal; a survey that was not finished is made anew.
- Closing as it stands opens nothing of the store: what was not copied is a gap.
"""

import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

from agentaudit.acquire.databases import conclusions
from agentaudit.acquire.hands import Hands
from agentaudit.acquire.kinds import StoreKind, kind_of, tell
from agentaudit.acquire.lookingagain import FirstLook, look_again
from agentaudit.acquire.preserve import Preserving
from agentaudit.acquire.progress import Progress, State
from agentaudit.acquire.request import PreserveBundle, ResumePreservation, Surroundings
from agentaudit.acquire.resurvey import Surveyed, surveyed
from agentaudit.acquire.runs import Run, check_place, hand_of, recorded_partial, result_of, take_up
from agentaudit.acquire.storegaps import bundle_gaps, decision_gaps
from agentaudit.acquire.surveying import Store, Survey, open_roots, open_store, room_of, take_survey
from agentaudit.acquire.wanted import Wanted
from agentaudit.errors import Interrupted, UsageFault
from agentaudit.format import layout
from agentaudit.model.actors import EndpointClass
from agentaudit.model.journal import CustodyHead, Noted, Opened
from agentaudit.model.results import SealedResult
from agentaudit.model.selection import BundleSelection, HandedOver, StoreSelection, keeper_of
from agentaudit.package.begin import begin_exhibit
from agentaudit.package.case import Case, Hand, load_case
from agentaudit.package.disk import Disk
from agentaudit.package.recorded import Nothing, Recorded
from agentaudit.package.seal import seal_exhibit
from agentaudit.package.tree import resolved
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
        _keep_apart(case, store, progress)
        progress.show(State("surveying"))
        survey = take_survey(store, request.selection, 1, lambda: _stop(around), around.now)
        check_place(case.path, progress, room_of(survey))
        hand = hand_of(case, request.said, around, disk)
        opening = _opening(request, case, store, around, hand)
        exhibit = begin_exhibit(case, hand, SOURCE, request.selection, opening, hold=True)
        with releasing(exhibit):
            first = Recorded(exhibit.root).opened
            run = Run(case, hand, exhibit, Nothing(), first, around, progress)
            with closing(_work(run, store, request.workers)) as work:
                work.note(request.gaps)
                wanted = _all(survey)
                return _copy_and_seal(run, work, wanted, _first(work, survey, 1, wanted))


def resume_preservation(
    request: ResumePreservation, around: Surroundings, progress: Progress, disk: Disk | None = None
) -> SealedResult:
    """Go on with an interrupted preservation: what is in its journal is not read again; then seal it.

    Raises SourceRefused (5) where a root of its survey is gone.
    """
    case = load_case(request.case)
    root = case.path / f"{request.exhibit.removesuffix(layout.PARTIAL)}{layout.PARTIAL}"
    check_place(case.path, progress)
    hand = hand_of(case, request.said, around, disk)
    selection = recorded_partial(root).opened.selection
    if not isinstance(selection, BundleSelection | HandedOver):
        raise UsageFault(f"{root.name} was not preserved from a store", "resume it with the command that began it")
    before = surveyed(root, kind_of(keeper_of(selection)))
    opening = (
        open_roots(before.roots, request.surrounding, selection)
        if before.whole
        else open_store(selection, request.surrounding)
    )
    with opening as store:
        _keep_apart(case, store, progress)
        exhibit = reopen_exhibit(root, hand.disk, hand.now)
        with releasing(exhibit):
            run = take_up(case, hand, exhibit, around=around, progress=progress, network=None, sealing=False)
            if run.earlier.closed is not None:
                return _seal(run)
            left = tuple(before.left(store, lambda: _stop(around))) if before.whole else ()
            with closing(_work(run, store, request.workers)) as work:
                if not before.whole:
                    return _survey_anew(run, work, before, selection)
                before.feed(work.bundles)
                work.note((*decision_gaps(keeper_of(selection), before.entries), *before.owed()))
                work.note(before.later())
                return _copy_and_seal(run, work, left, before.first)


def close_preservation(run: Run) -> SealedResult:
    """Seal an interrupted preservation as it stands: nothing of the store is opened, the rest is a gap."""
    if run.earlier.closed is None:
        kind = _kind(run)
        before, bundles = surveyed(run.exhibit.root, kind), kind.bundles(run.opened)
        before.feed(bundles)
        decided = decision_gaps(kind.agent, before.entries) if before.whole else ()
        for row in conclusions(bundles, run.exhibit.root):
            tell(bundles, row)
            run.exhibit.stage(row)
        for gap in (*decided, *before.owed(), *before.not_copied(), *before.later(), *bundle_gaps(bundles)):
            run.exhibit.stage(Noted(gap=gap))
        run.exhibit.settle()
    return _seal(run)


def _opening(
    request: PreserveBundle, case: Case, store: Store, around: Surroundings, hand: Hand
) -> Callable[[str, CustodyHead], Opened]:
    """The first row, once the exhibit has its number."""

    def opened(exhibit: str, head: CustodyHead) -> Opened:
        return Opened(
            case=case.file.number,
            exhibit=exhibit,
            source=SOURCE,
            adapter=kind_of(keeper_of(request.selection)).reader.name,
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

    return opened


def _survey_anew(run: Run, work: Preserving, before: Surveyed, selection: StoreSelection) -> SealedResult:
    """A survey that was cut short counts for nothing: the store is surveyed again, under the next number."""
    survey = take_survey(work.store, selection, before.number + 1, work.check, run.around.now)
    work.hands.deny(work.store.denied)
    work.supersede(sorted(before.open_walks))
    wanted = _all(survey)
    return _copy_and_seal(run, work, wanted, _first(work, survey, before.number + 1, wanted))


def _first(work: Preserving, survey: Survey, number: int, wanted: tuple[Wanted, ...]) -> FirstLook:
    """Commit a survey, and keep what a second look is held against."""
    entries, facts = work.survey(survey, number, wanted)
    roots = {root.facts.root: root.look for root in survey.roots.chosen if root.look is not None}
    return FirstLook(number, entries, facts, tuple(planned.seen for planned in survey.plan.planned), roots)


def _all(survey: Survey) -> tuple[Wanted, ...]:
    return tuple(Wanted(planned) for planned in survey.plan.planned if planned.path is not None)


def _copy_and_seal(run: Run, work: Preserving, wanted: tuple[Wanted, ...], first: FirstLook | None) -> SealedResult:
    """Copy what is wanted, and look at the store once more, unless that was done."""
    work.copy(wanted)
    selection = run.opened.selection
    if first is not None and isinstance(selection, BundleSelection | HandedOver):
        look_again(run.exhibit, work.store, first, selection, now=run.around.now, check=work.check)
    work.finish()
    run.progress.show(replace(work.state, phase="sealing"))
    return _seal(run)


def _seal(run: Run) -> SealedResult:
    sealed = seal_exhibit(run.exhibit, run.case, run.hand, _kind(run).reader, run.earlier.closed)
    return result_of(run.case, sealed)


def _work(run: Run, store: Store, workers: int) -> Preserving:
    roots = {root.facts.root: root.path for root in store.roots.chosen}
    hands = Hands(store.readers, roots, workers or min(WORKERS_MAX, os.cpu_count() or 1))
    hands.deny(store.denied)
    state = State("surveying", unit="file")
    return Preserving(run.exhibit, store, hands, run.around, run.progress, state, _kind(run).bundles(run.opened))


def _kind(run: Run) -> StoreKind:
    """The kind of store that the exhibit was begun with."""
    selection = run.opened.selection
    if not isinstance(selection, BundleSelection | HandedOver):
        raise UsageFault(f"{run.exhibit.root.name} was not preserved from a store", "resume it with its own command")
    return kind_of(keeper_of(selection))


def _stop(around: Surroundings) -> None:
    signum = around.stop()
    if signum is not None:
        raise Interrupted(signum)


def _keep_apart(case: Case, store: Store, progress: Progress) -> None:
    """A case inside the store would be written into the evidence; on its volume it writes over what was deleted."""
    place = os.fsencode(resolved(case.path))
    for root in store.roots.chosen:
        inside = place == root.path or place.startswith(root.path.rstrip(b"/") + b"/")
        if inside and root.only is None:
            raise UsageFault("the case lies inside the store", "open the case somewhere else")
    device = str(case.path.stat().st_dev)
    if any(root.facts.device == device for root in store.roots.chosen):
        progress.warn("the case lies on the volume of the store: what is written may cover what was deleted there")


def _endpoint_class(store: Store) -> EndpointClass:
    """`synthetic` for the demonstration's own store, which says so by a file in it; else `store`."""
    made = any(os.path.lexists(os.path.join(root.path, DEMONSTRATION)) for root in store.roots.chosen)  # noqa: PTH118
    return "synthetic" if made else "store"
