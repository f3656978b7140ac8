"""The extract: the ledger's rows and nothing else; damage and hostile databases are values."""

import sqlite3
from base64 import b64encode
from contextlib import closing
from pathlib import Path

import pytest

from agentaudit.adapters.openclaw.extract import Asked, Extract, KeyLeft, asked_for, extract_ledger, is_extract
from agentaudit.encoding.sqliteimage import SqliteImage
from agentaudit.encoding.sqlitetables import Unreadable
from tests.encoding.databases import files_of, frame_at, image
from tests.support.gatewaying import CANARY, COMMAND, KEY, KEY_ID, TOKEN, fill, standing_copy, usual, write_database


def of(folder: Path, *acts: str, lazy: bool = True) -> SqliteImage:
    """A database with the usual content, after these acts."""
    path = folder / "made.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        fill(connection, usual(), lazy=lazy)
        for act in acts:
            connection.execute(act)
    return image(path.read_bytes())


def made(from_image: SqliteImage, asked: Asked | None = None) -> Extract:
    """The extract, where there is one."""
    found = extract_ledger(from_image) if asked is None else extract_ledger(from_image, asked)
    assert isinstance(found, Extract)
    return found


def rows(extract: Extract, asking: str) -> list[tuple[object, ...]]:
    """What SQLite reads of it."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(extract.octets)
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return connection.execute(asking).fetchall()


def test_rows_of_the_ledger_come_along_and_nothing_else(tmp_path: Path) -> None:
    """No key, no token, no command that was shown, no transcript, no error's text; what was left out is named."""
    extract = made(of(tmp_path))
    for secret in (KEY, KEY.hex().encode(), TOKEN.encode(), CANARY.encode(), COMMAND.encode(), b"PRIVATE KEY"):
        assert (secret in extract.octets) is (secret == CANARY.encode())
    assert rows(extract, "SELECT count(*) FROM audit_events") == [(6,)]
    assert rows(extract, "SELECT * FROM audit_identity_keys")[0][1] == KEY_ID
    assert set(extract.columns) == {
        ("audit_identity_keys", "key"),
        ("operator_approvals", "presentation_json"),
        ("operator_approvals", "resolution_ref"),
        ("cron_run_receipts", "error_text"),
    }
    assert (extract.left_out, dict(extract.spent)) == (2, {"audit_events": 6})


def test_a_session_key_is_an_id_of_the_ledger(tmp_path: Path) -> None:
    """It is all of the canary that stays, and it stands in its own column alone."""
    extract = made(of(tmp_path, "UPDATE audit_events SET session_key = NULL"))
    assert CANARY.encode() not in extract.octets


def test_what_is_asked_for_comes_along(tmp_path: Path) -> None:
    """The key with the one word, content with the other; a token never."""
    original = of(tmp_path)
    keyed = made(original, Asked(identity_key=True))
    assert KEY in keyed.octets
    assert COMMAND.encode() not in keyed.octets
    full = made(original, Asked(content=True))
    assert KEY not in full.octets
    assert rows(full, "SELECT presentation_json FROM operator_approvals")[0][0] == f'{{"command": "{COMMAND}"}}'
    assert CANARY in str(rows(full, "SELECT event_json FROM transcript_events"))
    assert TOKEN.encode() not in full.octets + keyed.octets
    assert asked_for(("content", "identity-key")) == Asked(identity_key=True, content=True)


@pytest.mark.parametrize("asked", [Asked(), Asked(identity_key=True, content=True)])
def test_an_extract_is_the_extract_of_itself(tmp_path: Path, asked: Asked) -> None:
    """The same rows give the same bytes; a raw database is no extract."""
    original = of(tmp_path)
    extract = made(original, asked)
    assert is_extract(extract.octets, asked)
    assert not is_extract(original.octets, asked)
    assert not is_extract(b"", asked)


def test_what_was_deleted_does_not_come_along(tmp_path: Path) -> None:
    """It lies on in the original's pages, and not in the extract."""
    original = of(tmp_path, "UPDATE audit_events SET session_key = NULL", "DELETE FROM audit_events WHERE sequence = 3")
    assert CANARY.encode() in original.octets
    assert CANARY.encode() not in made(original).octets
    assert rows(made(original), "SELECT sequence FROM audit_events") == [(1,), (2,), (4,), (5,), (6,)]


@pytest.mark.parametrize("form", ["bytes", "hex", "base64", "upper"])
def test_a_key_in_another_column_gives_nothing_out(tmp_path: Path, form: str) -> None:
    """That it is not there is looked for."""
    written = {"hex": KEY.hex(), "upper": KEY.hex().upper(), "base64": b64encode(KEY).decode()}.get(form)
    value = f"X'{KEY.hex()}'" if written is None else f"'{written}'"
    original = of(tmp_path, f"UPDATE audit_events SET actor_id = {value}")  # noqa: S608 - ours
    assert extract_ledger(original) == KeyLeft()
    assert isinstance(extract_ledger(original, Asked(identity_key=True)), Extract)


def test_columns_that_nobody_knows_stay_out(tmp_path: Path) -> None:
    """Of a newer release they are named, and not kept."""
    acts = (
        "ALTER TABLE audit_events ADD COLUMN prompt_text TEXT",
        f"UPDATE audit_events SET prompt_text = '{COMMAND}', session_key = NULL",  # noqa: S608 - ours
        "ALTER TABLE audit_identity_keys RENAME COLUMN key TO newer_key",
    )
    extract = made(of(tmp_path, *acts))
    assert ("audit_events", "prompt_text") in extract.columns
    assert ("audit_identity_keys", "newer_key") in extract.columns
    assert COMMAND.encode() not in extract.octets
    assert KEY not in extract.octets


def test_lazy_tables_are_not_made(tmp_path: Path) -> None:
    """What is absent in the original is absent in the extract."""
    names = {name for (name,) in rows(made(of(tmp_path, lazy=False)), "SELECT name FROM sqlite_master")}
    assert names == {"audit_events", "audit_identity_keys", "operator_approvals", "schema_meta"}


def test_odd_tables_do_not_end_it(tmp_path: Path) -> None:
    """A table without rowid, one without a known column, text that is no UTF-8, a number that stands as a text."""
    acts = (
        "CREATE TABLE operator_approval_execution_identities (approval_id PRIMARY KEY, source_context_id)WITHOUT ROWID",
        "INSERT INTO operator_approval_execution_identities VALUES ('a', 1.5)",
        "CREATE TABLE operator_approval_standing_grants (pattern TEXT)",
        "INSERT INTO operator_approval_standing_grants VALUES ('rm')",
        "UPDATE audit_events SET agent_id = CAST(X'ff41' AS TEXT) WHERE sequence = 1",
        "UPDATE audit_events SET occurred_at = 'soon' WHERE sequence = 2",
    )
    extract = made(of(tmp_path, *acts))
    assert rows(extract, "SELECT * FROM operator_approval_execution_identities") == [("a", 1.5)]
    assert dict(extract.rows)["operator_approval_standing_grants"] == 0
    assert rows(extract, "SELECT agent_id FROM audit_events WHERE sequence = 1") == [(b"\xffA",)]
    assert rows(extract, "SELECT occurred_at FROM audit_events WHERE sequence = 2") == [("soon",)]
    assert is_extract(extract.octets, Asked())


@pytest.mark.parametrize(
    "trap",
    [
        "CREATE VIEW audit_events AS SELECT 1 AS sequence, key AS agent_id FROM audit_identity_keys",
        "CREATE VIRTUAL TABLE audit_events USING fts5(agent_id)",
    ],
)
def test_what_only_looks_like_a_table_is_not_read(tmp_path: Path, trap: str) -> None:
    """A view and a virtual table under the ledger's name give nothing."""
    extract = made(of(tmp_path, "DROP TABLE audit_events", trap))
    assert "audit_events" not in dict(extract.rows)


def test_a_generated_column_is_not_computed(tmp_path: Path) -> None:
    """It is no stored column, whatever its name."""
    acts = ("DROP TABLE schema_meta", "CREATE TABLE schema_meta (meta_key, role AS (abs(meta_key)))")
    extract = made(of(tmp_path, *acts, "INSERT INTO schema_meta VALUES (-7)"))
    assert rows(extract, "SELECT * FROM schema_meta") == [(-7,)]


def test_triggers_do_not_fire_and_do_not_come_along(tmp_path: Path) -> None:
    """Rows are read, and made anew."""
    trigger = "CREATE TRIGGER t AFTER INSERT ON audit_events BEGIN DELETE FROM audit_events; END"
    extract = made(of(tmp_path, trigger))
    assert rows(extract, "SELECT count(*) FROM sqlite_master WHERE type != 'table'") == [(0,)]
    assert dict(extract.rows)["audit_events"] == 6


def test_a_counter_that_is_odd_says_nothing(tmp_path: Path) -> None:
    """What is no number of a kept table is not a number that was spent."""
    acts = ("UPDATE sqlite_sequence SET seq = 'x'", "INSERT INTO sqlite_sequence VALUES (NULL, 5), ('other', 7)")
    assert made(of(tmp_path, *acts)).spent == ()
    assert made(image(files_of(tmp_path, ("CREATE TABLE a (b)",), wal=False)[0])).spent == ()


def test_damage_is_a_value(tmp_path: Path) -> None:
    """Noise instead of pages gives SQLite's own name for it."""
    original = of(tmp_path)
    broken = SqliteImage(original.octets[:4096] + b"\xff" * (len(original.octets) - 4096), 4096, "absent")
    found = extract_ledger(broken)
    assert isinstance(found, Unreadable)
    assert found.error.startswith("SQLITE_")


def test_work_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that takes too many steps, and a cell that is too long, end it."""
    count = "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)"
    many = f"INSERT INTO schema_meta SELECT i, i, i, i, i, i, i FROM ({count} SELECT i FROM n)"  # noqa: S608
    long = of(tmp_path, many)
    monkeypatch.setattr("agentaudit.adapters.openclaw.extract._STEPS", 0)
    assert extract_ledger(long) == Unreadable("SQLITE_INTERRUPT")
    monkeypatch.setattr("agentaudit.adapters.openclaw.extract._STEPS", 1000)
    monkeypatch.setattr("agentaudit.adapters.openclaw.extract._CELL_MAX", 4096)
    wide = tmp_path / "wide"
    wide.mkdir()
    found = extract_ledger(of(wide, f"UPDATE schema_meta SET role = '{'a' * 5000}'"))  # noqa: S608 - ours
    assert found == Unreadable("SQLITE_TOOBIG")


def test_a_log_that_was_cut_or_flipped_gives_the_acts_before(tmp_path: Path) -> None:
    """The rows of the log's whole acts are there, and no row of what follows the damage."""
    place = standing_copy(tmp_path)
    main, log = place.read_bytes(), (tmp_path / "openclaw.sqlite-wal").read_bytes()
    whole = dict(made(image(main, log)).rows)
    assert whole["audit_events"] == 6
    cut = made(image(main, log[: len(log) // 2]))
    flipped = bytearray(log)
    flipped[frame_at(len(log) // (4096 + 24) // 2)] ^= 1
    assert dict(cut.rows).get("audit_events", 0) <= 6
    assert sum(dict(cut.rows).values()) < sum(whole.values())
    assert sum(dict(made(image(main, bytes(flipped))).rows).values()) < sum(whole.values())
    assert made(image(main)).rows == ()


def test_a_database_is_not_written_to(tmp_path: Path) -> None:
    """The original's bytes are read in memory alone."""
    write_database(tmp_path / "made.sqlite")
    before = (tmp_path / "made.sqlite").read_bytes()
    made(image(before))
    assert (tmp_path / "made.sqlite").read_bytes() == before
