"""An extract, read: events, tables that are absent or empty, contexts that were lost."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agentaudit.adapters.openclaw.events import event_row
from agentaudit.adapters.openclaw.ledgerdatabase import LedgerDatabase, read_database
from agentaudit.adapters.openclaw.sequences import DAY_MS
from agentaudit.model.base import UNSET
from agentaudit.model.stream import Place, StreamRow
from tests.support.gatewaying import BEGIN_MS, COMMAND, Event, fill, message, put, usual

ACTS = "DELETE FROM execution_decision_facts", "DELETE FROM outbound_message_progress"


def read(folder: Path, *acts: str, events: tuple[Event, ...] = (), lazy: bool = True) -> LedgerDatabase:
    """What is read of a database with the usual content, after those acts."""
    path = folder / "made.sqlite"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        fill(connection, events or usual(), lazy=lazy)
        for act in acts:
            connection.execute(act)
    return read_database(path.read_bytes(), "database/000001", "i")


def stream(found: LedgerDatabase, name: str | None = None) -> StreamRow:
    """The stream of a table, or of the database."""
    return next(one for one in found.streams if one.name == name)


def codes(row: StreamRow) -> dict[str, int]:
    """Findings with their counts."""
    return {one.code: one.count for one in row.findings}


def test_rows_say_what_a_page_says(tmp_path: Path) -> None:
    """The same event, from its row; messages too."""
    events = (*usual(), message(7), message(8, "outbound"))
    found = read(tmp_path, events=events)
    ledger = [one for one in found.events if one.place.pointer == "/audit_events"]
    pages = [event_row(one, "s", Place(item="i")) for one in events]
    assert [(one.id, one.at, one.order, one.kind, one.keys, one.words, one.marks) for one in ledger] == [
        (one.id, one.at, one.order, one.kind, one.keys, one.words, one.marks) for one in pages
    ]
    assert [one.place.row for one in ledger] == [1, 2, 3, 4, 5, 6, 7, 8]


def test_the_database_says_which_it_is(tmp_path: Path) -> None:
    """Its release, its part and the version of its schema."""
    row = stream(read(tmp_path))
    assert (row.form, row.producers) == ("openclaw-database", (("openclaw", "2026.9.6", 12),))
    assert dict(row.words) == {"role": "global", "schema_version": "18"}
    assert (row.first_at, row.last_at) == (str(BEGIN_MS + 1), str(BEGIN_MS + 6))
    assert codes(row) == {}


def test_a_database_that_says_nothing_of_itself_is_read(tmp_path: Path) -> None:
    """Without its rows of meta, and with odd ones."""
    bare = stream(read(tmp_path, "UPDATE schema_meta SET role = NULL, schema_version = 'x'"))
    assert bare.words == ()
    assert stream(read(tmp_path, "DELETE FROM schema_meta")).producers == ()
    none = stream(read(tmp_path, "DELETE FROM audit_events", *ACTS, "DELETE FROM execution_identity_contexts"))
    assert (none.first_at, none.runs) == (None, ())


def test_absent_is_not_empty(tmp_path: Path) -> None:
    """A lazy table that was never made is told from one without rows; caps are told."""
    found = read(tmp_path, "DELETE FROM operator_approvals", lazy=False)
    standing = {one.name: dict(one.words)["standing"] for one in found.streams if one.kind == "table"}
    assert standing["outbound_message_progress"] == "absent"
    assert standing["operator_approvals"] == "empty"
    assert standing["audit_events"] == "rows"
    assert dict(stream(found, "audit_events").counts)["cap"] == 100_000
    assert "cap" not in dict(stream(found, "operator_approvals").counts)


def test_a_table_at_its_cap_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And one with more rows than are read."""
    monkeypatch.setattr("agentaudit.adapters.openclaw.tables.CAPS", {"audit_events": 6})
    assert codes(stream(read(tmp_path), "audit_events")) == {"at_cap": 1}
    monkeypatch.setattr("agentaudit.adapters.openclaw.tables.CAPS", {"audit_events": 7})
    assert codes(stream(read(tmp_path), "audit_events")) == {}
    monkeypatch.setattr("agentaudit.encoding.sqlitetables.read_image.__kwdefaults__", {"rows_max": 5, "steps": 20_000})
    assert codes(stream(read(tmp_path), "audit_events")) == {"rows_over_limit": 1}


def test_rows_of_other_tables_are_events_without_texts(tmp_path: Path) -> None:
    """An approval, a fact, a context, a message on its way, its binding, a receipt."""
    found = read(tmp_path)
    kinds = {one.kind: one for one in found.events}
    assert dict(kinds["operator_approval"].words)["decision"] == "allow-always"
    assert dict(kinds["decision_fact"].words)["reason_code"] == "model_route_selected"
    assert dict(kinds["decision_fact"].keys) == {"context": "context-1", "execution": "execution-1", "run": "run-1"}
    assert dict(kinds["outbound_progress"].words)["outcome"] == "queued"
    assert dict(kinds["message_binding"].keys)["execution"] == "execution-1"
    assert dict(kinds["cron_receipt"].words) == {"status": "error"}
    assert COMMAND not in repr(found)


def test_a_row_that_lacks_what_it_should_have_is_a_row(tmp_path: Path) -> None:
    """Without an id, a time, one of the three ids, an actor, a kind."""
    acts = (
        "UPDATE execution_decision_facts SET receipt_id = NULL, occurred_at = 'x', run_id = NULL",
        "CREATE TABLE bare (sequence, kind, actor_type, event_id)",
        "INSERT INTO bare VALUES (1, NULL, NULL, X'00')",
        "DROP TABLE audit_events",
        "ALTER TABLE bare RENAME TO audit_events",
    )
    found = read(tmp_path, *acts)
    fact = next(one for one in found.events if one.kind == "decision_fact")
    assert (fact.id, fact.at, fact.keys) == (UNSET, UNSET, ())
    bare = next(one for one in found.events if one.place.pointer == "/audit_events")
    assert (bare.kind, "field_lacking" in bare.marks) == ("", True)


@pytest.mark.parametrize(
    ("acts", "expected"),
    [
        (("DELETE FROM execution_identity_contexts", *ACTS), {"context_undated": 2}),
        (("DELETE FROM execution_identity_contexts",), {"context_missing": 2, "context_undated": 2}),
        (("UPDATE execution_identity_contexts SET run_id = 'other'",), {"context_other_ids": 3}),
        (("UPDATE execution_identity_contexts SET created_at = 'x'",), {}),
        (("UPDATE execution_decision_facts SET context_id = NULL",), {}),
        (("DROP TABLE execution_identity_contexts",), {"context_missing": 2, "context_undated": 2}),
        (
            ("UPDATE execution_identity_contexts SET context_id = NULL, created_at = 0", *ACTS[:1]),
            {"context_missing": 1, "context_undated": 2},
        ),
    ],
)
def test_a_lost_context_is_said(tmp_path: Path, acts: tuple[str, ...], expected: dict[str, int]) -> None:
    """Missing, of other ids, or without a time by which it could be told; a run id alone joins nothing."""
    found = {code: count for code, count in codes(stream(read(tmp_path, *acts))).items() if code.startswith("context")}
    assert found == expected


def test_an_expired_context_is_told_from_a_missing_one(tmp_path: Path) -> None:
    """One from before the oldest that is held, or thirty days older than the newest row, may have expired."""
    path = tmp_path / "made.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        fill(connection, usual())
        connection.execute("DELETE FROM execution_decision_facts")
        for number, at in ((1, BEGIN_MS - 1), (2, BEGIN_MS + 1), (3, BEGIN_MS - 31 * DAY_MS)):
            fact = ("a", "f", "allowed", "unknown", "r", "o", "s", at, 2, "{}")
            put(connection, "execution_decision_facts", f"receipt-{number}", "gone", "e", "r", *fact)
    found = codes(stream(read_database(path.read_bytes(), "database/000001", "i")))
    assert found == {"context_expired": 2, "context_missing": 1}


def test_a_database_without_any_time_dates_nothing(tmp_path: Path) -> None:
    """A context that is lost there is undated."""
    acts = ("UPDATE execution_decision_facts SET occurred_at = 'x'", "DELETE FROM outbound_message_progress")
    more = ("UPDATE audit_events SET occurred_at = 'x'", "DELETE FROM execution_identity_contexts")
    assert codes(stream(read(tmp_path, *acts, *more)))["context_undated"] == 3


def test_damage_is_said_and_nothing_is_read(tmp_path: Path) -> None:
    """No database, a cut one, one of noise."""
    empty = read_database(b"", "d", "i")
    assert (empty.events, codes(empty.streams[0])) == ((), {"database_empty": 1})
    read(tmp_path)
    main = (tmp_path / "made.sqlite").read_bytes()
    broken = read_database(main[:4096] + b"\xff" * (len(main) - 4096), "d", "i")
    assert (broken.events, codes(broken.streams[0])) == ((), {"database_damaged": 1})
    assert str(dict(broken.streams[0].words)["error"]).startswith("SQLITE_")


def test_a_database_of_something_else_is_not_called_a_gateway_s(tmp_path: Path) -> None:
    """It has no ledger."""
    assert stream(read(tmp_path, "DROP TABLE audit_events")).form == "sqlite"
