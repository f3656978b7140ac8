"""The kinds of store that handed-over files are: one for each source, by the adapter that reads it."""

from typing import assert_never

from agentaudit.acquire.handedpeeking import peek_bytes, peek_telemetry
from agentaudit.acquire.kinds import Given, NoBundles, Peek, Plan, StoreKind
from agentaudit.acquire.peeking import Peeked
from agentaudit.adapters.bridge.reading import BridgeReader
from agentaudit.adapters.bridge.secrets import is_bridge_secret
from agentaudit.adapters.codex import naming as codex_names
from agentaudit.adapters.handed_over.places import is_secret_name
from agentaudit.adapters.handed_over.planning import Keeping
from agentaudit.adapters.openai_logs.handed import is_log_secret
from agentaudit.adapters.openai_logs.reading import OpenAiLogReader
from agentaudit.adapters.openclaw.reading import LedgerReader
from agentaudit.adapters.openclaw.withholding import is_withheld_name
from agentaudit.adapters.otlp.reading import TelemetryReader
from agentaudit.format.readings import PageReader
from agentaudit.model.selection import Deposit


def deposit_kind(deposit: Deposit) -> StoreKind:
    """The kind of store that handed-over files of a source are."""
    match deposit:
        case "telemetry":
            return _TELEMETRY
        case "bridge":
            return _BRIDGE
        case "gateway-ledger":
            return _GATEWAY_LEDGER
        case "openai-logs":
            return _OPENAI_LOGS
        case _:
            assert_never(deposit)


def handed_over(
    reader: PageReader, keeping: Keeping, peek: Peek = lambda _entries, _readers, _selection: Peeked()
) -> StoreKind:
    """The kind of store that handed-over files of a source are: its adapter, which names are credentials, what is kept.

    `peek` judges the files by their bytes.
    """
    deposit = keeping.deposit

    def plan(given: Given) -> Plan:
        included = given.selection.included
        return keeping.plan(given.number, given.entries, given.denied, given.peeked.forms, included)

    return StoreKind(
        agent=deposit,
        reader=reader,
        roots=None,
        categories=keeping.opt_in,
        packed=frozenset(),
        bundles=NoBundles,
        is_secret=lambda parts: keeping.place(parts).secret is not None,
        denied_files=keeping.denied_files,
        token_files=keeping.denied_files,
        peek=peek,
        plan=plan,
        replan=keeping.replan,
        again=codex_names.again,
        sets=keeping.databases,
    )


_TELEMETRY = handed_over(
    TelemetryReader(),
    Keeping("telemetry", is_secret_name, opt_in=frozenset({"databases", "settings"})),
    peek_telemetry,
)
_BRIDGE = handed_over(BridgeReader(), Keeping("bridge", is_bridge_secret), peek_bytes)
# Each file is judged by all of its bytes: no name makes it a part of a database.
_GATEWAY_LEDGER = handed_over(LedgerReader(), Keeping("gateway-ledger", is_withheld_name, grouped=False), peek_bytes)
_OPENAI_LOGS = handed_over(
    OpenAiLogReader(), Keeping("openai-logs", is_log_secret, opt_in=frozenset({"settings"})), peek_bytes
)
