"""`preserve-gateway-ledger`, from the command line to the verdict; the world is made here."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from agentaudit.acquire.ledgerstaging import stage_state

KEY = bytes(range(32, 64))
EVENTS = "sequence, event_id, source_id, schema_version, source_sequence, occurred_at, kind, action, status, run_id"


def state(folder: Path) -> Path:
    """A state folder whose ledger lies in the log alone, copied while the Gateway stands."""
    place = folder / "live.sqlite"
    made = folder / "state-dir" / "state"
    made.mkdir(parents=True)
    with closing(sqlite3.connect(place, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"CREATE TABLE audit_events ({EVENTS}, secret_note)")
        connection.execute("CREATE TABLE audit_identity_keys (id INTEGER PRIMARY KEY, key_id, key BLOB, created_at)")
        connection.execute("CREATE TABLE device_identities (private_key_pem)")
        connection.execute("INSERT INTO audit_identity_keys VALUES (1, 'k', ?, 5)", (KEY,))
        connection.execute("INSERT INTO device_identities VALUES ('canary-device')")
        for number in (3, 4, 7):
            row = (number, f"e{number}", f"s{number}", 1, 1, 1000 + number, "agent_run", "agent.run.started", "started")
            connection.execute("INSERT INTO audit_events VALUES (?,?,?,?,?,?,?,?,?,?,NULL)", (*row, f"r{number}"))
        (made / "openclaw.sqlite").write_bytes(place.read_bytes())
        (made / "openclaw.sqlite-wal").write_bytes(place.with_name("live.sqlite-wal").read_bytes())
    settings = {"logging": {"audit": {"messages": "direct"}}, "gateway": {"auth": {"token": "canary-token"}}}
    (folder / "state-dir" / "openclaw.json").write_text(json.dumps(settings))
    return folder / "state-dir"


def staged(folder: Path, of: Path) -> dict[str, bytes]:
    """What staging writes."""
    place = folder / "staged"
    place.mkdir()
    stage_state(of, place)
    return {path.name: path.read_bytes() for path in place.iterdir()}


def test_the_ledger_comes_out_of_the_log_and_no_key_with_it(tmp_path: Path) -> None:
    """The extract holds the rows that lay in the log alone; key, device keys and tokens are nowhere."""
    files = staged(tmp_path, state(tmp_path))
    whole = b"".join(files.values())
    assert KEY not in whole
    assert b"canary" not in whole
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(files["agentaudit-extract-000001.sqlite"])
        assert connection.execute("SELECT sequence, run_id FROM audit_events").fetchall() == [
            (3, "r3"),
            (4, "r4"),
            (7, "r7"),
        ]
        columns = [row[1] for row in connection.execute("PRAGMA table_info(audit_identity_keys)")]
    assert columns == ["id", "key_id", "created_at"]
    note = json.loads(files["agentaudit-extract-000001.json"])
    assert (note["log"], note["left_out"], [one["end"] for one in note["files"]]) == ("applied", 1, ["", "-wal"])
    audit = dict(json.loads(files["agentaudit-settings.json"])["audit"])
    assert audit == {"enabled": "unset", "executionIdentity": "unset", "messages": "direct"}


def test_a_missing_log_is_said(tmp_path: Path) -> None:
    """Without its log the database has no table, and the note says that there was none."""
    of = state(tmp_path)
    (of / "state" / "openclaw.sqlite-wal").unlink()
    note = json.loads(staged(tmp_path, of)["agentaudit-extract-000001.json"])
    assert (note["log"], note["rows"]) == ("absent", [])
