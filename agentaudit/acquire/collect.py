"""The use cases of collection, whatever the API: begin, resume, close as it stands; each ends in a sealed exhibit.

- The custody row comes before the first request, the journal's first row before the first answer.
- Resuming takes selection and limits from the journal, never from the command line.
- Closing as it stands asks nothing: what was never asked is a gap.
"""

from dataclasses import replace

from agentaudit.acquire.apis import ApiKind, api_of, api_of_exhibit
from agentaudit.acquire.endpoint import without_credentials
from agentaudit.acquire.journalling import Scribe
from agentaudit.acquire.progress import Progress
from agentaudit.acquire.pump import Pump
from agentaudit.acquire.request import Collect, Reach, ResumeCollection, Surroundings
from agentaudit.acquire.runs import Run, check_place, hand_of, recorded_partial, result_of, take_up
from agentaudit.errors import UsageFault
from agentaudit.format import layout
from agentaudit.model.actors import Network
from agentaudit.model.journal import CustodyHead, Opened
from agentaudit.model.limits import ReadLimits
from agentaudit.model.results import SealedResult
from agentaudit.model.selection import Selection
from agentaudit.model.walk import Ask
from agentaudit.package.begin import begin_exhibit
from agentaudit.package.case import Case, Hand, load_case
from agentaudit.package.disk import Disk
from agentaudit.package.recorded import Nothing, Recorded
from agentaudit.package.seal import seal_exhibit
from agentaudit.package.writer import releasing, reopen_exhibit
from agentaudit.sources.compliance.peer import file_digest
from agentaudit.sources.compliance.transport import HttpTransport


def collect(request: Collect, around: Surroundings, progress: Progress, disk: Disk | None = None) -> SealedResult:
    """Collect into a new exhibit and seal it.

    Raises SourceRefused (5), SourceUnreachable (6), DestinationFault (7) and Interrupted with a partial kept.
    """
    kind = _kind(request.selection)
    case = load_case(request.case)
    kind.refuse(request.reach.key)
    check_place(case.path, progress)
    hand = hand_of(case, request.said, around, disk)
    transport = _transport(kind, request.reach, request.read_limits, around)

    def opened(exhibit: str, head: CustodyHead) -> Opened:
        return _opened(request, case, hand, exhibit=exhibit, head=head, network=_network(request.reach, transport))

    exhibit = begin_exhibit(case, hand, kind.source, request.selection, opened)
    with releasing(exhibit):
        first = Recorded(exhibit.root).opened
        run = Run(case, hand, exhibit, Nothing(), first, around, progress)
        return _finish(run, transport, request.reach)


def _opened(request: Collect, case: Case, hand: Hand, *, exhibit: str, head: CustodyHead, network: Network) -> Opened:
    """The first row of the journal."""
    kind = _kind(request.selection)
    return Opened(
        case=case.file.number,
        exhibit=exhibit,
        source=kind.source,
        adapter=kind.reader.name,
        endpoint_class=kind.endpoint(request.reach.api_root),
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
    check_place(case.path, progress)
    hand = hand_of(case, request.said, around, disk)
    recorded = recorded_partial(root)
    kind = api_of_exhibit(recorded.opened)
    kind.refuse(request.reach.key)
    _same_endpoint(recorded.opened, request.reach)
    transport = _transport(kind, request.reach, recorded.opened.read_limits or ReadLimits(), around)
    network = _network(request.reach, transport)
    exhibit = reopen_exhibit(recorded.root, hand.disk, hand.now)
    with releasing(exhibit):
        run = take_up(case, hand, exhibit, around=around, progress=progress, network=network, sealing=False)
        return _finish(run, None if run.earlier.closed else transport, request.reach)


def close_collection(run: Run) -> SealedResult:
    """Seal an interrupted collection as it stands: nothing is asked, the rest is a gap."""
    return _finish(run, None, None)


def first_requests(request: Collect) -> tuple[Ask, ...]:
    """The requests that a collection would begin with: the first of each task that is known before any answer."""
    plan = _kind(request.selection).plan(request)
    asks = (next(task, None) for stage in plan.stages() for task in stage.tasks)
    return tuple(ask for ask in asks if ask is not None)


def _finish(run: Run, transport: HttpTransport | None, reach: Reach | None) -> SealedResult:
    """Pump what is left to ask, then seal."""
    if run.earlier.closed is None:
        _pump(run, transport, reach)
    reader = api_of_exhibit(run.opened).reader
    sealed = seal_exhibit(run.exhibit, run.case, run.hand, reader, run.earlier.closed)
    return result_of(run.case, sealed)


def _pump(run: Run, transport: HttpTransport | None, reach: Reach | None) -> None:
    kind = api_of_exhibit(run.opened)
    pump = Pump(
        scribe=Scribe(run.exhibit, run.earlier, run.around),
        policy=kind.policy(run.opened.read_limits or ReadLimits(), run.progress.warn),
        budget=kind.budget(reach.requests_per_minute if reach else 1),
        transport=None if transport is None else kind.transport(transport),
        around=run.around,
        progress=run.progress,
        connections=reach.connections if reach else 1,
    )
    pump.run(kind.plan(run.opened))
    run.progress.show(replace(pump.state, phase="sealing", waiting=""))


def _kind(selection: Selection) -> ApiKind:
    kind = api_of(selection)
    if kind is None:
        raise UsageFault("nothing of an API is selected", "use the command that preserves files")
    return kind


def _transport(kind: ApiKind, reach: Reach, limits: ReadLimits, around: Surroundings) -> HttpTransport:
    return HttpTransport(
        api_root=reach.api_root.rstrip("/"),
        key=reach.key,
        limits=limits,
        key_header=kind.credential.header,
        key_prefix=kind.credential.prefix,
        headers=kind.headers(around.tool.version),
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
