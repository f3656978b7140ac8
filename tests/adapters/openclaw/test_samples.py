"""The captured ledger gives the facts that its README states."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agentaudit.adapters.openclaw.documents import Explained, Failed, Page, read_document
from agentaudit.adapters.openclaw.events import event_row
from agentaudit.adapters.openclaw.explaining import explained_stream
from agentaudit.adapters.openclaw.extract import Extract, extract_ledger
from agentaudit.adapters.openclaw.ledgerdatabase import read_database
from agentaudit.encoding.foreign import decode
from agentaudit.encoding.sqliteimage import SqliteImage, image_of
from agentaudit.encoding.sqlitetables import Wanted, read_image
from agentaudit.model.stream import OrderRun, Place

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "samples" / "openclaw-2026.9.6"
pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the captured ledger is not here")


def image(name: str) -> SqliteImage:
    """The image of a captured database."""
    made = image_of((SAMPLES / name).read_bytes())
    assert isinstance(made, SqliteImage)
    return made


def page(name: str) -> Page:
    """A captured page."""
    found = read_document((SAMPLES / name).read_bytes())
    assert isinstance(found, Page)
    return found


def test_the_page_holds_eight_events_of_the_closed_union() -> None:
    """Sequences 8 to 1, newest first, and not one mark."""
    rows = [event_row(event, "s", Place(item="i")) for _, event in page("audit.json").events]
    assert [row.order for row in rows] == [8, 7, 6, 5, 4, 3, 2, 1]
    assert {row.marks for row in rows} == {()}
    assert page("audit.json").cursor is None
    assert page("audit-page1.json").cursor == "7"


def test_a_dead_gateway_is_no_empty_page() -> None:
    """What the command says on stdout when nobody answers is a failure."""
    assert read_document((SAMPLES / "audit-gateway-down.json").read_bytes()) == Failed("cli_error")


def test_the_states_of_the_explanation_are_carried() -> None:
    """The Gateway's words stand as they are."""
    found = read_document((SAMPLES / "explain.json").read_bytes())
    assert isinstance(found, Explained)
    words = dict(explained_stream(found.document, "e", "f", "i", 0).words)
    assert (words["identity_state"], words["context_coverage_state"], words["invoker"]) == (
        "present",
        "unattributed",
        "absent",
    )


def test_the_database_says_what_the_page_says() -> None:
    """The same events, from rows; the lazy tables of messages are absent."""
    found = read_database(image("state/openclaw.sqlite").octets, "database/1", "i")
    ledger = [row for row in found.events if row.place.pointer == "/audit_events"]
    pages = [event_row(event, "s", Place(item="i")) for _, event in page("audit.json").events]
    assert [(r.id, r.at, r.order, r.kind, r.keys, r.words) for r in ledger] == [
        (r.id, r.at, r.order, r.kind, r.keys, r.words) for r in reversed(pages)
    ]
    assert found.streams[0].runs == (OrderRun(first=1, last=8, events=8),)
    assert found.streams[0].producers == (("openclaw", "2026.9.6", 13),)
    standing = {row.name: dict(row.words)["standing"] for row in found.streams[1:]}
    assert standing["outbound_message_progress"] == "absent"
    assert standing["operator_approvals"] == "empty"
    assert standing["execution_decision_facts"] == "rows"


def test_the_digest_of_a_call_is_that_of_the_raw_id() -> None:
    """All three calls of the ledger are found by hashing the ids in the agent's own transcript."""
    found = read_image(image("agents-main/openclaw-agent.sqlite"), [Wanted("transcript_events", ("event_json",))])
    assert isinstance(found, tuple)
    raw = {word for _, (cell,) in found[0].rows if isinstance(cell, bytes) for word in _strings(decode(cell))}
    hashed = {f"sha256:{hashlib.sha256(word.encode()).hexdigest()}" for word in raw}
    calls = {event["toolCallId"] for _, event in page("audit.json").events if "toolCallId" in event}
    assert len(calls) == 3
    assert calls <= hashed


def test_the_key_is_nowhere_in_the_extract() -> None:
    """The original holds its 32 bytes; the extract has the ledger and not the key, and no other table."""
    original = image("state/openclaw.sqlite")
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(original.octets)
        (key,) = connection.execute("SELECT key FROM audit_identity_keys").fetchone()
    made = extract_ledger(original)
    assert isinstance(made, Extract)
    assert key in original.octets
    assert key not in made.octets
    assert dict(made.rows)["audit_events"] == 8
    assert dict(made.spent)["audit_events"] == 8
    assert b"PRIVATE KEY" in original.octets
    assert b"PRIVATE KEY" not in made.octets
    again = read_database(made.octets, "database/1", "i")
    first = read_database(original.octets, "database/1", "i")
    assert again.events == first.events


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [word for one in held for word in _strings(one)]
