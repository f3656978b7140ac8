"""The use cases of collection: begin, resume, close as it stands; each ends in a sealed exhibit.

- The custody row comes before the first request, the journal's first row before the first answer.
- Resuming takes selection and limits from the journal, never from the command line.
- Closing as it stands asks nothing: what was never asked is a gap.
"""

from dataclasses import replace

from agentaudit.acquire.endpoint import endpoint_class, without_credentials
from agentaudit.acquire.journalling import Scribe
from agentaudit.acquire.progress import Progress
from agentaudit.acquire.pump import Pump
from agentaudit.acquire.request import CollectSessions, Reach, ResumeCollection, Surroundings
from agentaudit.acquire.runs import Run, check_place, hand_of, recorded_partial, result_of, take_up
from agentaudit.adapters.compliance.reading import CompliancePageReader
from agentaudit.errors import UsageFault
from agentaudit.format import layout
from agentaudit.model.actors import Network
from agentaudit.model.journal import CustodyHead, Opened
from agentaudit.model.limits import ByteLimits, ReadLimits
from agentaudit.model.results import SealedResult
from agentaudit.model.selection import SessionSelection
from agentaudit.model.walk import Ask
from agentaudit.package.begin import begin_exhibit
from agentaudit.package.case import Case, Hand, load_case
from agentaudit.package.disk import Disk
from agentaudit.package.recorded import Nothing, Recorded
from agentaudit.package.seal import seal_exhibit
from agentaudit.package.writer import releasing, reopen_exhibit
from agentaudit.sources.compliance.budget import Budget
from agentaudit.sources.compliance.keys import refuse_family
from agentaudit.sources.compliance.plan import CompliancePlan
from agentaudit.sources.compliance.policy import CompliancePolicy
from agentaudit.sources.compliance.transport import HttpTransport, file_digest, request_headers
from agentaudit.sources.compliance.watch import WatchfulPolicy

SOURCE = "compliance"


def collect_sessions(
    request: CollectSessions, around: Surroundings, progress: Progress, disk: Disk | None = None
) -> SealedResult:
    """Collect into a new exhibit and seal it.

    Raises SourceRefused (5), SourceUnreachable (6), DestinationFault (7) and Interrupted with a partial kept.
    """
    case = load_case(request.case)
    refuse_family(request.reach.key)
    check_place(case.path, progress)
    hand = hand_of(case, request.said, around, disk)
    transport = _transport(request.reach, request.read_limits, around)

    def opened(exhibit: str, head: CustodyHead) -> Opened:
        return _opened(request, case, hand, exhibit=exhibit, head=head, network=_network(request.reach, transport))

    exhibit = begin_exhibit(case, hand, SOURCE, request.selection, opened)
    with releasing(exhibit):
        first = Recorded(exhibit.root).opened
        run = Run(case, hand, exhibit, Nothing(), first, around, progress)
        return _finish(run, transport, request.reach)


def _opened(
    request: CollectSessions, case: Case, hand: Hand, *, exhibit: str, head: CustodyHead, network: Network
) -> Opened:
    """The first row of the journal."""
    return Opened(
        case=case.file.number,
        exhibit=exhibit,
        source=SOURCE,
        adapter=CompliancePageReader().name,
        endpoint_class=endpoint_class(request.reach.api_root),
        selection=request.selection,
        limits=request.limits,
        read_limits=request.read_limits,
        actors=hand.actors,
        custody_head=head,
        argv=request.argv,
        tool=hand.tool,
        host=hand.host,
        network=network,
    )


def resume_collection(
    request: ResumeCollection, around: Surroundings, progress: Progress, disk: Disk | None = None
) -> SealedResult:
    """Go on with an interrupted exhibit: what its journal answers is not asked again; then seal it."""
    case = load_case(request.case)
    root = case.path / f"{request.exhibit.removesuffix(layout.PARTIAL)}{layout.PARTIAL}"
    refuse_family(request.reach.key)
    check_place(case.path, progress)
    hand = hand_of(case, request.said, around, disk)
    recorded = recorded_partial(root)
    _same_endpoint(recorded.opened, request.reach)
    transport = _transport(request.reach, recorded.opened.read_limits or ReadLimits(), around)
    network = _network(request.reach, transport)
    exhibit = reopen_exhibit(recorded.root, hand.disk, hand.now)
    with releasing(exhibit):
        run = take_up(case, hand, exhibit, around=around, progress=progress, network=network, sealing=False)
        return _finish(run, None if run.earlier.closed else transport, request.reach)


def close_collection(run: Run) -> SealedResult:
    """Seal an interrupted collection as it stands: nothing is asked, the rest is a gap."""
    return _finish(run, None, None)


def first_requests(request: CollectSessions) -> tuple[Ask, ...]:
    """The requests that a collection would begin with: the first of each task that is known before any answer."""
    plan = CompliancePlan(request.selection, request.limits)
    asks = (next(task, None) for stage in plan.stages() for task in stage.tasks)
    return tuple(ask for ask in asks if ask is not None)


def _finish(run: Run, transport: HttpTransport | None, reach: Reach | None) -> SealedResult:
    """Pump what is left to ask, then seal."""
    if run.earlier.closed is None:
        _pump(run, transport, reach)
    sealed = seal_exhibit(run.exhibit, run.case, run.hand, CompliancePageReader(), run.earlier.closed)
    return result_of(run.case, sealed)


def _pump(run: Run, transport: HttpTransport | None, reach: Reach | None) -> None:
    pump = Pump(
        scribe=Scribe(run.exhibit, run.earlier, run.around),
        policy=WatchfulPolicy(CompliancePolicy(run.opened.read_limits or ReadLimits()), run.progress.warn),
        budget=Budget(reach.requests_per_minute if reach else 1),
        transport=transport,
        around=run.around,
        progress=run.progress,
        connections=reach.connections if reach else 1,
    )
    pump.run(CompliancePlan(_sessions(run.opened), run.opened.limits or ByteLimits()))
    run.progress.show(replace(pump.state, phase="sealing", waiting=""))


def _sessions(opened: Opened) -> SessionSelection:
    if not isinstance(opened.selection, SessionSelection):
        raise UsageFault(f"{opened.exhibit} was not collected from an API", "resume it with the command that began it")
    return opened.selection


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
