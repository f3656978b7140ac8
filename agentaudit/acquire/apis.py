"""The APIs that can be collected from: all that differs between them, chosen by the kind of the selection.

- There is one row for each API; the pump, the scribe, the transport and the writer are the same for all.
- A row is made of an adapter, a plan, a policy and a budget; none of them writes, and none opens a connection.
- The key travels in one header, whose name is the API's; no row holds a key.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from agentaudit.acquire.endpoint import endpoint_class, local_service_class, openai_class
from agentaudit.adapters.bridge.reading import BridgeReader
from agentaudit.adapters.compliance.activities import ActivityReader
from agentaudit.adapters.compliance.chats import ChatReader
from agentaudit.adapters.compliance.reading import CompliancePageReader
from agentaudit.adapters.openai_logs.reading import OpenAiLogReader
from agentaudit.errors import UsageFault
from agentaudit.format.readings import PageReader
from agentaudit.model.actors import EndpointClass
from agentaudit.model.attempt import Transport
from agentaudit.model.headers import Headers
from agentaudit.model.journal import Opened
from agentaudit.model.limits import ByteLimits, ReadLimits
from agentaudit.model.selection import (
    ActivitySelection,
    BridgeSelection,
    ChatSelection,
    OpenAiLogSelection,
    Selection,
    SessionSelection,
)
from agentaudit.model.walk import Budget, Plan, Policy
from agentaudit.sources.bridge.budget import EvenBudget
from agentaudit.sources.bridge.plan import BridgePlan
from agentaudit.sources.bridge.policy import BridgePolicy
from agentaudit.sources.bridge.requests import request_headers as bridge_headers
from agentaudit.sources.bridge.tokens import refuse_foreign
from agentaudit.sources.compliance.activities import ActivityPlan
from agentaudit.sources.compliance.budget import Budget as ComplianceBudget
from agentaudit.sources.compliance.chats import ChatPlan
from agentaudit.sources.compliance.keys import Key, refuse_api_key, refuse_family
from agentaudit.sources.compliance.plan import CompliancePlan
from agentaudit.sources.compliance.policy import CompliancePolicy
from agentaudit.sources.compliance.transport import HttpTransport, request_headers
from agentaudit.sources.compliance.watch import WatchfulPolicy
from agentaudit.sources.openai_logs.following import FollowingTransport
from agentaudit.sources.openai_logs.keys import refuse_foreign as refuse_other_vendor
from agentaudit.sources.openai_logs.plan import OpenAiLogPlan
from agentaudit.sources.openai_logs.policy import OpenAiLogPolicy
from agentaudit.sources.openai_logs.requests import request_headers as openai_headers


class Asked(Protocol):
    """What a plan follows from: the selection and the byte limits of a request, or of an exhibit's first row."""

    @property
    def selection(self) -> Selection:
        """What is asked for."""
        ...

    @property
    def limits(self) -> ByteLimits | None:
        """The byte limits that are sent, where the API has any."""
        ...


@dataclass(frozen=True, slots=True)
class Credential:
    """Where the key travels: the name of the header, and what stands before the key in it."""

    header: str
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class ApiKind:
    """One API.

    `refuse` ends with SourceRefused (5) for a key that can never do it. `headers` are those of every request, of our
    version, without the key. `policy` is given the limits of reading and what takes a warning. `transport` is made of
    the one that asks the source alone.
    """

    source: str
    reader: PageReader
    credential: Credential
    refuse: Callable[[Key], None]
    headers: Callable[[str], Headers]
    plan: Callable[[Asked], Plan]
    policy: Callable[[ReadLimits, Callable[[str], None]], Policy]
    budget: Callable[[int], Budget]
    endpoint: Callable[[str], EndpointClass] = endpoint_class
    transport: Callable[[HttpTransport], Transport] = lambda http: http


def api_of(selection: Selection) -> ApiKind | None:
    """The API that a selection asks for; None for one that is read from files."""
    match selection:
        case SessionSelection():
            return _SESSIONS
        case ActivitySelection():
            return _ACTIVITIES
        case ChatSelection():
            return _CHATS
        case BridgeSelection():
            return _BRIDGE
        case OpenAiLogSelection():
            return _OPENAI_LOGS
        case _:
            return None


def api_of_exhibit(opened: Opened) -> ApiKind:
    """The API that an exhibit was begun with; UsageFault (2) for an exhibit that no API gave."""
    kind = api_of(opened.selection)
    if kind is None:
        raise UsageFault(f"{opened.exhibit} was not collected from an API", "resume it with the command that began it")
    return kind


def _plan_sessions(asked: Asked) -> Plan:
    if not isinstance(asked.selection, SessionSelection):
        raise TypeError("a plan of sessions follows from a selection of sessions")
    return CompliancePlan(asked.selection, asked.limits or ByteLimits())


def _watch(limits: ReadLimits, warn: Callable[[str], None]) -> Policy:
    return WatchfulPolicy(CompliancePolicy(limits), warn)


def _plan_activities(asked: Asked) -> Plan:
    if not isinstance(asked.selection, ActivitySelection):
        raise TypeError("a plan of activities follows from a selection of activities")
    return ActivityPlan(asked.selection)


def _plan_chats(asked: Asked) -> Plan:
    if not isinstance(asked.selection, ChatSelection):
        raise TypeError("a plan of chats follows from a selection of chats")
    return ChatPlan(asked.selection)


def _plan_bridge(asked: Asked) -> Plan:
    if not isinstance(asked.selection, BridgeSelection):
        raise TypeError("a plan of the bridge follows from a selection of its jobs")
    return BridgePlan(asked.selection)


def _plan_openai_logs(asked: Asked) -> Plan:
    if not isinstance(asked.selection, OpenAiLogSelection):
        raise TypeError("a plan of log files follows from a selection of log files")
    return OpenAiLogPlan(asked.selection)


_SESSIONS = ApiKind(
    source="compliance",
    reader=CompliancePageReader(),
    credential=Credential("x-api-key"),
    refuse=refuse_family,
    headers=request_headers,
    plan=_plan_sessions,
    policy=_watch,
    budget=ComplianceBudget,
)

_ACTIVITIES = replace(_SESSIONS, reader=ActivityReader(), plan=_plan_activities, refuse=refuse_api_key)
_CHATS = replace(
    _SESSIONS, reader=ChatReader(), plan=_plan_chats, headers=lambda version: request_headers(version, accept="*/*")
)
_BRIDGE = ApiKind(
    source="bridge",
    reader=BridgeReader(),
    credential=Credential("authorization", "Bearer "),
    refuse=refuse_foreign,
    headers=bridge_headers,
    plan=_plan_bridge,
    policy=lambda limits, _warn: BridgePolicy(limits),
    budget=EvenBudget,
    endpoint=local_service_class,
)
_OPENAI_LOGS = ApiKind(
    source="openai-logs",
    reader=OpenAiLogReader(),
    credential=Credential("authorization", "Bearer "),
    refuse=refuse_other_vendor,
    headers=openai_headers,
    plan=_plan_openai_logs,
    policy=lambda limits, _warn: OpenAiLogPolicy(limits),
    budget=EvenBudget,
    endpoint=openai_class,
    transport=FollowingTransport,
)
