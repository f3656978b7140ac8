"""The use cases of collection: begin, resume, close as it stands; each ends in a sealed exhibit.

- The custody row comes before the first request, the journal's first row before the first answer.
- Resuming takes selection and limits from the journal, never from the command line.
- Closing as it stands asks nothing: what was never asked is a gap.
"""

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from agentaudit.acquire.endpoint import endpoint_class, without_credentials
from agentaudit.acquire.journalling import Earlier, Scribe
from agentaudit.acquire.progress import Progress
from agentaudit.acquire.pump import Pump
from agentaudit.acquire.request import CollectSessions, Reach, ResumeCollection, Said, SealPartial, Surroundings
from agentaudit.adapters.compliance.reading import CompliancePageReader
from agentaudit.errors import DestinationFault, NotSealed, UsageFault
from agentaudit.format import layout
from agentaudit.model.actors import Network
from agentaudit.model.journal import CustodyHead, Opened, Resumed
from agentaudit.model.limits import ByteLimits, ReadLimits
from agentaudit.model.results import GapTotal, SealedResult
from agentaudit.model.walk import Ask
from agentaudit.package.begin import begin_exhibit, resumed_row
from agentaudit.package.case import Case, Hand, load_case
from agentaudit.package.disk import Disk, SystemDisk
from agentaudit.package.heal import remove_derived, set_aside
from agentaudit.package.recorded import Nothing, Recorded
from agentaudit.package.seal import SealedExhibit, seal_exhibit
from agentaudit.package.writer import OpenExhibit, releasing, reopen_exhibit
from agentaudit.sources.compliance.budget import Budget
from agentaudit.sources.compliance.keys import refuse_family
from agentaudit.sources.compliance.plan import CompliancePlan
from agentaudit.sources.compliance.policy import CompliancePolicy
from agentaudit.sources.compliance.transport import HttpTransport, file_digest, request_headers
from agentaudit.sources.compliance.watch import WatchfulPolicy

SOURCE = "compliance"
FREE_MIN_BYTES = 64 * 1024 * 1024
FREE_LOW_BYTES = 1024 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Run:
    """What one run works with."""

    case: Case
    hand: Hand
    exhibit: OpenExhibit
    earlier: Earlier
    opened: Opened
    around: Surroundings
    progress: Progress


def collect_sessions(
    request: CollectSessions, around: Surroundings, progress: Progress, disk: Disk | None = None
) -> SealedResult:
    """Collect into a new exhibit and seal it.

    Raises SourceRefused (5), SourceUnreachable (6), DestinationFault (7) and Interrupted with a partial kept.
    """
    case = load_case(request.case)
    refuse_family(request.reach.key)
    _check_space(case.path, progress)
    hand = _hand(case, request.said, around, disk)
    transport = _transport(request.reach, request.read_limits, around)
    adapter = CompliancePageReader()

    def opened(exhibit: str, head: CustodyHead) -> Opened:
        return Opened(
            case=case.file.number,
            exhibit=exhibit,
            source=SOURCE,
            adapter=adapter.name,
            endpoint_class=endpoint_class(request.reach.api_root),
            selection=request.selection,
            limits=request.limits,
            read_limits=request.read_limits,
            actors=hand.actors,
            custody_head=head,
            argv=request.argv,
            tool=around.tool,
            host=around.host,
            network=_network(request.reach, transport),
        )

    exhibit = begin_exhibit(case, hand, SOURCE, request.selection, opened)
    with releasing(exhibit):
        first = Recorded(exhibit.root).opened
        run = _Run(case, hand, exhibit, Nothing(), first, around, progress)
        return _finish(run, transport, request.reach)


def resume_collection(
    request: ResumeCollection, around: Surroundings, progress: Progress, disk: Disk | None = None
) -> SealedResult:
    """Go on with an interrupted exhibit: what its journal answers is not asked again; then seal it."""
    case = load_case(request.case)
    root = case.path / f"{request.exhibit.removesuffix(layout.PARTIAL)}{layout.PARTIAL}"
    refuse_family(request.reach.key)
    _check_space(case.path, progress)
    hand = _hand(case, request.said, around, disk)
    recorded = _recorded(root)
    _same_endpoint(recorded.opened, request.reach)
    transport = _transport(request.reach, recorded.opened.read_limits or ReadLimits(), around)
    network = _network(request.reach, transport)
    exhibit = reopen_exhibit(recorded.root, hand.disk, hand.now)
    with releasing(exhibit):
        run = _reopen(case, hand, exhibit, around=around, progress=progress, network=network)
        return _finish(run, None if run.earlier.closed else transport, request.reach)


def seal_partial(
    request: SealPartial, around: Surroundings, progress: Progress, disk: Disk | None = None
) -> SealedResult:
    """Close an interrupted exhibit as it stands: nothing is asked, the rest is a gap."""
    root = request.partial.resolve()
    if not root.name.endswith(layout.PARTIAL):
        raise UsageFault(f"{request.partial} is not a partial exhibit", "name the folder that ends in .partial")
    case = load_case(root.parent)
    hand = _hand(case, request.said, around, disk)
    exhibit = reopen_exhibit(_recorded(root).root, hand.disk, hand.now)
    with releasing(exhibit):
        return _finish(_reopen(case, hand, exhibit, around=around, progress=progress, network=None), None, None)


def first_requests(request: CollectSessions) -> tuple[Ask, ...]:
    """The requests that a collection would begin with: the first of each task that is known before any answer."""
    plan = CompliancePlan(request.selection, request.limits)
    asks = (next(task, None) for stage in plan.stages() for task in stage.tasks)
    return tuple(ask for ask in asks if ask is not None)


def _finish(run: _Run, transport: HttpTransport | None, reach: Reach | None) -> SealedResult:
    """Pump what is left to ask, then seal."""
    if run.earlier.closed is None:
        _pump(run, transport, reach)
    sealed = seal_exhibit(run.exhibit, run.case, run.hand, CompliancePageReader(), run.earlier.closed)
    return _result(run.case, sealed)


def _pump(run: _Run, transport: HttpTransport | None, reach: Reach | None) -> None:
    pump = Pump(
        scribe=Scribe(run.exhibit, run.earlier, run.around),
        policy=WatchfulPolicy(CompliancePolicy(run.opened.read_limits or ReadLimits()), run.progress.warn),
        budget=Budget(reach.requests_per_minute if reach else 1),
        transport=transport,
        around=run.around,
        progress=run.progress,
        connections=reach.connections if reach else 1,
    )
    pump.run(CompliancePlan(run.opened.selection, run.opened.limits or ByteLimits()))
    run.progress.show(replace(pump.state, phase="sealing", waiting=""))


def _reopen(
    case: Case, hand: Hand, exhibit: OpenExhibit, *, around: Surroundings, progress: Progress, network: Network | None
) -> _Run:
    """Set aside what a crash left, and say so in both logs; a closed journal is only sealed again."""
    recorded = Recorded(exhibit.root)  # read once the lock is held: nobody else writes from here on
    case.append(resumed_row(hand, recorded.opened.exhibit, sealing=network is None), hand)
    if recorded.closed is None:
        remove_derived(exhibit)
        aside, torn = set_aside(exhibit, recorded)
        exhibit.stage(
            Resumed(
                purpose="seal" if network is None else "resume",
                actors=hand.actors,
                tool=around.tool,
                host=around.host,
                network=network,
                rows=recorded.rows,
                set_aside=aside,
                torn_tail=torn,
            )
        )
        exhibit.settle()
    return _Run(case, hand, exhibit, recorded, recorded.opened, around, progress)


def _recorded(root: Path) -> Recorded:
    if not root.is_dir():
        sealed = root.with_name(root.name.removesuffix(layout.PARTIAL))
        if sealed.is_dir():
            raise DestinationFault(f"{sealed} is sealed already", "nothing is left to resume")
        raise DestinationFault(f"{root} is not there", "name an exhibit such as EX-0002")
    if not (root / layout.JOURNAL).is_file():
        raise NotSealed(f"{root} holds no journal: its run ended before the first row", "begin a new exhibit")
    return Recorded(root)


def _result(case: Case, sealed: SealedExhibit) -> SealedResult:
    tally = sealed.derived.tally
    return SealedResult(
        case=case.file.number,
        exhibit=sealed.path.name,
        path=str(sealed.path),
        endpoint_class=sealed.derived.opened.endpoint_class,
        seal=sealed.seal,
        outcome=sealed.closed.outcome,
        counts=sealed.closed.counts,
        gaps=tuple(GapTotal(kind=kind, code=code, count=count) for kind, code, count in tally.gap_totals()),
        session_outcomes=tally.session_outcomes(),
        warnings=(),
    )


def _hand(case: Case, said: Said, around: Surroundings, disk: Disk | None) -> Hand:
    actors = case.actors(said.examiner, said.authority, said.note, said.clock_note)
    return Hand(actors, around.host, around.tool, around.now, disk or SystemDisk())


def _transport(reach: Reach, limits: ReadLimits, around: Surroundings) -> HttpTransport:
    return HttpTransport(
        api_root=reach.api_root.rstrip("/"),
        key=reach.key,
        limits=limits,
        headers=request_headers(around.tool.version),
        now=around.now,
        monotonic_ms=around.monotonic_ms,
        ca_file=reach.ca_file,
        proxy=reach.proxy,
    )


def _network(reach: Reach, transport: HttpTransport) -> Network:
    return Network(
        api_root=transport.api_root,
        proxy=without_credentials(reach.proxy) if reach.proxy else None,
        ca_file_digest=file_digest(reach.ca_file) if reach.ca_file else None,
        tls_verified=transport.api_root.startswith("https:"),
        request_headers=transport.headers,
        key_fingerprint=reach.key.fingerprint,
        requests_per_minute=reach.requests_per_minute,
        connections=reach.connections,
    )


def _same_endpoint(opened: Opened, reach: Reach) -> None:
    """One exhibit speaks of one source: its answers may not come from two."""
    if opened.network is None:
        raise UsageFault(f"{opened.exhibit} was not collected from an API", "resume it with the command that began it")
    if opened.network.api_root != reach.api_root.rstrip("/"):
        raise UsageFault("the exhibit was begun against another API root", f"give --api-root {opened.network.api_root}")


def _check_space(path: Path, progress: Progress) -> None:
    """Refuse to begin on a full volume, and warn on a nearly full one."""
    free = shutil.disk_usage(path).free
    if free < FREE_MIN_BYTES:
        raise DestinationFault(f"{path} lies on a volume with {free} bytes free", "make room, or use another volume")
    if free < FREE_LOW_BYTES:
        progress.warn(f"the case's volume has {free // 2**20} MiB free; a collection can need more")
