"""`preserve-gateway-ledger` as it is typed: what is packed, what stays out, and that no key ever comes along."""

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from agentaudit.format import layout
from agentaudit.model.storejournal import Entry
from agentaudit.model.stream import StreamRow
from tests.cli.terminal import Terminal
from tests.support.gatewaying import (
    CANARY,
    COMMAND,
    KEY,
    SECRETS,
    TOKEN,
    explanation,
    failure,
    pages,
    settings,
    standing_copy,
    usual,
    write_database,
    write_state,
)

COMMAND_NAME = "preserve-gateway-ledger"


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A folder with two pages, an explanation and a failure."""
    folder = tmp_path / "saved pages"
    folder.mkdir()
    for number, octets in enumerate(pages(usual(), 4), 1):
        (folder / f"page-{number}.json").write_bytes(octets)
    (folder / "explain.json").write_bytes(json.dumps(explanation()).encode())
    (folder / "down.json").write_bytes(failure())
    return folder


def streams(exhibit: str | Path) -> dict[str, StreamRow]:
    """The streams of an exhibit."""
    lines = (Path(exhibit) / layout.STREAMS).read_bytes().splitlines()
    return {row.stream: row for row in (msgspec.json.decode(line, type=StreamRow) for line in lines)}


def decided(exhibit: str | Path) -> dict[str, tuple[str, str]]:
    """Decision and rule of each entry, by its name."""
    lines = (Path(exhibit) / layout.ENTRIES).read_bytes().splitlines()
    rows = [msgspec.json.decode(line, type=Entry) for line in lines]
    return {str(row.name): (row.decision, row.rule) for row in rows}


def holding(case: Path, secret: bytes) -> list[str]:
    """The files of the case that hold these bytes."""
    return [str(path) for path in case.rglob("*") if path.is_file() and secret in path.read_bytes()]


def run(case: Path, *words: str, status: int = 0) -> tuple[Terminal, Path]:
    """The command, its terminal and its exhibit; no secret is packed or printed, and the exhibit verifies."""
    terminal = Terminal()
    assert terminal.run(COMMAND_NAME, str(case), *words) == status, terminal.err
    exhibit = Path(terminal.out.strip())
    printed = terminal.both
    assert terminal.run("verify", str(exhibit)) in {0, 3}, terminal.out
    for secret in (CANARY, COMMAND, TOKEN):
        assert secret not in printed + terminal.both
    return terminal, exhibit


def test_pages_are_preserved_shown_and_verified(saved: Path, empty_case: Path) -> None:
    """From the command line to a sealed exhibit; no name of a file and no content is printed or in a row."""
    terminal, exhibit = run(empty_case, str(saved))
    assert set(decided(exhibit).values()) == {("preserve", "selected")}
    assert streams(exhibit)["feed/000001"].events == 6
    assert terminal.run("show", str(exhibit)) == 0
    assert "saved pages" not in terminal.both
    for name in (layout.EVENTS, layout.STREAMS):
        assert CANARY.encode() not in (exhibit / name).read_bytes()
    assert b"ECONNREFUSED" not in (exhibit / layout.STREAMS).read_bytes()


DISGUISES = ("openclaw.sqlite", "openclaw.sqlite.bak", "OPENCLAW.SQLITE", "state", "notes.json", "page.txt", "a.log")


@pytest.mark.parametrize("name", DISGUISES)
def test_a_database_stays_out_under_every_name(name: str, saved: Path, empty_case: Path) -> None:
    """Its bytes tell, also of its log; it is listed, and the rest is packed."""
    (saved / "below").mkdir()
    standing_copy(saved / "below", name)
    write_database(saved / f"closed-{name}")
    (saved / "below" / f"{name}-log-by-another-name").write_bytes((saved / "below" / f"{name}-wal").read_bytes())
    _, exhibit = run(empty_case, str(saved))
    found = decided(exhibit)
    for one in (f"below/{name}", f"below/{name}-wal", f"below/{name}-log-by-another-name", f"closed-{name}"):
        assert found[one] == ("exclude", "credentials_bytes")
    assert found["page-1.json"] == ("preserve", "selected")
    for secret in SECRETS:
        assert holding(empty_case, secret) == []


@pytest.mark.parametrize("name", ["openclaw.json", "openclaw.json.bak", "settings-copy.json", "config.txt", "config"])
def test_a_configuration_stays_out_under_every_name(name: str, saved: Path, empty_case: Path) -> None:
    """By its name, or by what is in it."""
    (saved / name).write_bytes(settings())
    os.link(saved / name, saved / "a hard link")
    _, exhibit = run(empty_case, str(saved))
    assert decided(exhibit)[name][0] == "exclude"
    assert decided(exhibit)["a hard link"][0] == "exclude"
    assert holding(empty_case, TOKEN.encode()) == []


def test_a_file_alone_is_judged_too(tmp_path: Path, empty_case: Path) -> None:
    """A database that was named itself stays out like any."""
    write_database(tmp_path / "alone")
    _, exhibit = run(empty_case, str(tmp_path / "alone"))
    assert decided(exhibit) == {"alone": ("exclude", "credentials_bytes")}
    assert holding(empty_case, KEY) == []


def test_an_extract_of_before_is_let_in_as_what_it_is(tmp_path: Path, empty_case: Path) -> None:
    """One without the key is; one with the key only where it is asked for."""
    write_database(tmp_path / "one")
    plain = run(empty_case, "--database", str(tmp_path / "one"))[1]
    keyed = run(empty_case, "--database", str(tmp_path / "one"), "--with-identity-key")[1]
    handed = tmp_path / "handed"
    handed.mkdir()
    for name, exhibit in (("plain.bin", plain), ("keyed.bin", keyed)):
        shutil.copy(next(exhibit.glob("data/**/*.sqlite")), handed / name)
    assert decided(run(empty_case, str(handed))[1]) == {
        "plain.bin": ("preserve", "selected"),
        "keyed.bin": ("exclude", "credentials_bytes"),
    }
    assert decided(run(empty_case, str(handed), "--with-identity-key")[1])["keyed.bin"] == ("preserve", "selected")


def test_a_state_folder_gives_its_ledger_without_keys(tmp_path: Path, empty_case: Path) -> None:
    """Rows that lay in the log alone, the switches, the originals' digests; no key, token, command or transcript."""
    state = write_state(tmp_path)
    before = {path: path.read_bytes() for path in state.rglob("*") if path.is_file()}
    _, exhibit = run(empty_case, "--state-dir", str(state))
    for secret in (*SECRETS, COMMAND.encode(), b'"text"'):
        assert holding(empty_case, secret) == []
    found = streams(exhibit)
    assert [dict(one.counts)["distinct"] for one in found.values() if one.kind == "database"] == [6, 6]
    notes = [one for one in found.values() if one.form == "agentaudit-note"]
    assert sorted(str(dict(one.words).get("log", "settings")) for one in notes) == ["absent", "applied", "settings"]
    assert {path: path.read_bytes() for path in before} == before
    assert sorted(path for path in state.rglob("*") if path.is_file()) == sorted(before)


def test_what_is_asked_for_comes_along_and_is_recorded(tmp_path: Path, empty_case: Path) -> None:
    """The key and content are packed under `data` alone; a token never is."""
    write_database(tmp_path / "a copy")
    _, exhibit = run(empty_case, "--database", str(tmp_path / "a copy"), "--with-identity-key", "--with-content")
    for asked in (KEY, COMMAND.encode(), CANARY.encode()):
        assert all("/data/" in path for path in holding(empty_case, asked))
        assert holding(empty_case, asked)
    assert holding(empty_case, TOKEN.encode()) == []
    terminal = Terminal()
    assert terminal.run("show", str(exhibit)) == 0
    assert "identity-key" in terminal.out
    assert "content" in terminal.out


@pytest.mark.parametrize(
    ("damage", "code"),
    [("missing", "log_absent"), ("cut", "log_damaged"), ("flipped", "log_damaged"), ("foreign", "log_not_applied")],
)
def test_a_damaged_log_is_said_and_ends_nothing(damage: str, code: str, tmp_path: Path, empty_case: Path) -> None:
    """The exhibit is sealed, and its stream says what became of the log."""
    place = standing_copy(tmp_path / "copied", "any name")
    log = place.with_name("any name-wal")
    octets = bytearray(log.read_bytes())
    if damage == "missing":
        log.unlink()
    elif damage == "cut":
        log.write_bytes(octets[:-100])
    elif damage == "flipped":
        octets[len(octets) // 2] ^= 1
        log.write_bytes(octets)
    else:
        log.write_bytes(b"noise" * 100)
    _, exhibit = run(empty_case, "--database", str(place))
    assert code in {finding.code for one in streams(exhibit).values() for finding in one.findings}


def test_a_page_that_was_cut_is_kept_and_named(saved: Path, empty_case: Path) -> None:
    """It is no page, and the feed is not at its end."""
    (saved / "page-2.json").write_bytes((saved / "page-2.json").read_bytes()[:-30])
    found = streams(run(empty_case, str(saved))[1])
    assert "not-json" in {one.form for one in found.values()}
    assert {"next_page_not_here", "not_to_end"} <= {one.code for one in found["feed/000001"].findings}


def test_a_hostile_database_gives_nothing_but_rows(tmp_path: Path, empty_case: Path) -> None:
    """A view under the ledger's name, a trigger, wrong types: it is read, and nothing of it runs."""
    path = tmp_path / "hostile"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE audit_identity_keys (id, key_id, key, created_at)")
        connection.execute("INSERT INTO audit_identity_keys VALUES ('x', X'00', ?, 'never')", (KEY,))
        connection.execute("CREATE VIEW audit_events AS SELECT key AS event_id FROM audit_identity_keys")
        connection.execute("CREATE TABLE schema_meta (meta_key, role, schema_version, app_version)")
        connection.execute("INSERT INTO schema_meta VALUES ('primary', 5, 'many', X'ff')")
    _, exhibit = run(empty_case, "--database", str(path))
    assert holding(empty_case, KEY) == []
    assert streams(exhibit)["database/000001"].form == "sqlite"


def test_a_database_whose_key_stands_elsewhere_gives_a_note_alone(tmp_path: Path, empty_case: Path) -> None:
    """Nothing of it is packed, and that is said."""
    write_database(tmp_path / "one")
    with closing(sqlite3.connect(tmp_path / "one", isolation_level=None)) as connection:
        connection.execute("UPDATE audit_events SET actor_id = ?", (KEY.hex(),))
    _, exhibit = run(empty_case, "--database", str(tmp_path / "one"))
    assert holding(empty_case, KEY.hex().encode()) == []
    assert {finding.code for one in streams(exhibit).values() for finding in one.findings} == {"not_extracted"}


def test_what_is_no_database_gives_a_note_alone(saved: Path, empty_case: Path) -> None:
    """Its digest is kept, and that it is none."""
    _, exhibit = run(empty_case, "--database", str(saved / "down.json"))
    (note,) = streams(exhibit).values()
    assert dict(note.words)["problem"] == "foreign"


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ((), 2),
        (("somewhere", "--resume", "EX-0001"), 2),
        (("--dry-run", "--resume", "EX-0001"), 2),
        (("--state-dir", ".", "--resume", "EX-0001"), 2),
        (("--database", ".", "--resume", "EX-0001"), 2),
        (("--with-content", "--resume", "EX-0001"), 2),
        (("--resume", "EX-0001"), 7),
        (("--state-dir", "tests"), 5),
        (("--database", "nowhere"), 5),
        (("--database", "tests"), 5),
    ],
)
def test_what_makes_no_sense_or_is_not_there_starts_nothing(
    words: tuple[str, ...], status: int, untouched: Path
) -> None:
    """No exhibit is begun."""
    assert Terminal().run(COMMAND_NAME, str(untouched), *words) == status
    assert not list(untouched.glob("EX-*"))


def test_a_dry_run_shows_what_would_stay_out(saved: Path, empty_case: Path, tmp_path: Path) -> None:
    """By its rule, without a name; nothing is copied."""
    write_database(saved / "a database")
    terminal = Terminal()
    words = (str(saved), "--state-dir", str(write_state(tmp_path)), "--dry-run")
    assert terminal.run(COMMAND_NAME, str(empty_case), *words) == 0, terminal.err
    assert "cannot be looked into for keys" in terminal.out
    assert "saved pages" not in terminal.both
    assert not list(empty_case.glob("EX-*"))
