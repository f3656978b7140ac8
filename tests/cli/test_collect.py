"""`collect-sessions` on the command line: refusals, keys, dry runs, results."""

import json
import signal
import time
from datetime import UTC, datetime
from pathlib import Path

import jsonschema
import msgspec
import pytest

from agentaudit.cli.keys import VARIABLE
from agentaudit.demo.errors import Documented
from agentaudit.demo.scenario import demo_world
from agentaudit.demo.server import LoopbackServer
from agentaudit.demo.world import World
from agentaudit.format import layout
from agentaudit.model.limits import ReadLimits
from agentaudit.model.results import SealedResult
from tests.cli.conftest import FAST
from tests.cli.terminal import Terminal, made_key, spawned

Story = tuple[World, str]


def exhibits(case: Path) -> list[str]:
    """The exhibit folders of a case."""
    return sorted(entry.name for entry in case.iterdir() if layout.exhibit_number(entry.name))


def matches_schema(kind: type[msgspec.Struct], text: str) -> bool:
    """True when the document satisfies the JSON Schema of its type."""
    jsonschema.validate(json.loads(text), msgspec.json.schema(kind))
    return True


@pytest.mark.parametrize(
    "options",
    [
        ("--session", "clls_1", "--active-from", "7d"),
        ("--active-from", "7d", "--created-from", "7d"),
        ("--active-from", "2026-03-02", "--active-until", "2026-03-01"),
        ("--active-from", "2026-03-02T00:00:00"),
        ("--session", "clls_1", "--list-only"),
        ("--session", "clls_1", "--user", "user_1"),
        ("--session", "unknown_1"),
        ("--user", "somebody@example.org"),
        ("--organization", "Harbour"),
        ("--tool-input-max-bytes", "0"),
        ("--tool-result-max-bytes", "much"),
        ("--requests-per-minute", "601"),
        ("--connections", "17"),
        ("--api-root", "http://api.example"),
        ("--proxy", "http://u:p@proxy.example"),
        ("--ca-file", "/nowhere"),
        ("--sessions-from", "/nowhere"),
        ("--key-file", "/nowhere"),
        ("--key-file", "/nowhere", "--key-stdin"),
        ("--resume", "EX-0001", "--list-only"),
        ("--resume", "EX-0001", "--tool-input-max-bytes", "max"),
        ("--resume", "EX-0001", "--dry-run"),
        ("--resume", "the second"),
        ("--examiner", " "),
    ],
)
def test_what_makes_no_sense_starts_nothing(untouched: Path, terminal: Terminal, options: tuple[str, ...]) -> None:
    """Status 2, two lines, and the case is as it was."""
    before = (untouched / layout.CUSTODY).read_bytes()
    assert terminal.run("collect-sessions", str(untouched), *options) == 2, terminal.err
    assert len(terminal.err.splitlines()) == 2
    assert terminal.out == ""
    assert (untouched / layout.CUSTODY).read_bytes() == before
    assert exhibits(untouched) == []


def test_a_folder_that_is_no_case_is_refused(tmp_path: Path, terminal: Terminal) -> None:
    """A slip of the keyboard does not start a second case."""
    for options in ((), ("--dry-run",), ("--from", "EX-0001"), ("--resume", "EX-0001")):
        assert terminal.run("collect-sessions", str(tmp_path), *options) == 7, terminal.err
    assert not list(tmp_path.iterdir())


def test_without_a_key_nothing_is_asked_and_the_next_step_is_said(untouched: Path) -> None:
    """Status 5: the source cannot be asked."""
    terminal = Terminal()
    assert terminal.run("collect-sessions", str(untouched)) == 5
    assert f"next: set {VARIABLE}" in terminal.err
    assert exhibits(untouched) == []


def test_a_key_that_stands_in_the_command_line_is_refused(untouched: Path) -> None:
    """Whatever its form: the command line is recorded."""
    terminal = Terminal({VARIABLE: "an-odd-key"})
    assert terminal.run("collect-sessions", str(untouched), "--note", "an-odd-key") == 2
    assert exhibits(untouched) == []


@pytest.mark.parametrize("way", ["environment", "file", "stdin"])
def test_a_key_is_neither_printed_nor_stored(tmp_path: Path, empty_case: Path, story: Story, way: str) -> None:
    """Whichever way it comes: only its fingerprint is found."""
    key, root = story[0].key(), ("--api-root", story[1], *FAST)
    path = tmp_path / "key"
    path.write_text(key)
    path.chmod(0o600)
    options = {"environment": (), "file": ("--key-file", str(path)), "stdin": ("--key-stdin",)}[way]
    terminal = Terminal({VARIABLE: key} if way == "environment" else {}, stdin=key.encode() if way == "stdin" else b"")
    assert terminal.run("collect-sessions", str(empty_case), "--list-only", *root, *options) == 0, terminal.err
    assert key not in terminal.both
    stored = b"".join(file.read_bytes() for file in empty_case.rglob("*") if file.is_file())
    assert key.encode() not in stored
    assert b"key_fingerprint" in stored


def test_a_refused_key_is_not_repeated(empty_case: Path, story: Story) -> None:
    """The source says no, and the key stays where it was."""
    key = made_key()
    terminal = Terminal({VARIABLE: key})
    assert terminal.run("collect-sessions", str(empty_case), "--api-root", story[1], *FAST) == 5
    assert key not in terminal.both
    assert terminal.err.splitlines()[-1].startswith("next: ")


def test_an_api_key_of_another_family_is_told_before_anything_is_asked(untouched: Path, story: Story) -> None:
    """Status 5 with the one next step; no exhibit begins."""
    terminal = Terminal({VARIABLE: story[0].key("model")})
    assert terminal.run("collect-sessions", str(untouched), "--api-root", story[1]) == 5
    assert exhibits(untouched) == []


def test_a_source_that_is_not_there_is_status_6(
    empty_case: Path, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A closed port is not a refusal; the partial is kept."""
    monkeypatch.setattr("agentaudit.cli.collect.ReadLimits", lambda: ReadLimits(attempts=1))
    # The discard port of loopback: nothing listens there.
    status = terminal.run("collect-sessions", str(empty_case), "--api-root", "http://127.0.0.1:9", "--connections", "1")
    assert status == 6, terminal.err
    assert exhibits(empty_case) == ["EX-0001.partial"]


def test_a_sealed_exhibit_is_a_document_or_a_summary(empty_case: Path, terminal: Terminal, story: Story) -> None:
    """`--json` prints one document and no summary; without it the exhibit's path is the result."""
    argv = ("collect-sessions", str(empty_case), "--list-only", "--api-root", story[1], *FAST)
    assert terminal.run(*argv, "--json") == 0, terminal.err
    assert matches_schema(SealedResult, terminal.out)
    assert "Seal" not in terminal.err
    assert terminal.run(*argv) == 0
    assert terminal.out == f"{empty_case}/EX-0002\n"
    assert "DEMONSTRATION" in terminal.err
    assert f"next: agentaudit show {empty_case}/EX-0002 --show-names" in terminal.err
    assert terminal.run(*argv, "--quiet") == 0
    assert (terminal.out, terminal.err) == (f"{empty_case}/EX-0003\n", "")


def test_an_open_case_folder_is_warned_about_and_recorded(empty_case: Path, terminal: Terminal, story: Story) -> None:
    """The warning stands once on the screen, in the result, and as a fact of the host in the package."""
    empty_case.chmod(0o750)
    argv = ("collect-sessions", str(empty_case), "--list-only", "--api-root", story[1], *FAST)
    assert terminal.run(*argv) == 0
    assert terminal.err.count("can be read by others") == 1
    assert terminal.run(*argv, "--json") == 0
    assert any("can be read by others" in sentence for sentence in json.loads(terminal.out)["warnings"])
    package = json.loads((empty_case / "EX-0001" / layout.PACKAGE).read_bytes())
    assert package["host"]["case_folder_open_to_others"] is True


def test_an_incomplete_exhibit_is_status_3_and_says_why(empty_case: Path, terminal: Terminal, story: Story) -> None:
    """A page that the source cannot serve is a gap; the exhibit is sealed all the same."""
    assert terminal.run("collect-sessions", str(empty_case), "--api-root", story[1], *FAST) == 3, terminal.err
    assert "page_unreadable_at_source" in terminal.err
    assert "complete" not in terminal.err.replace("incomplete", "")
    assert exhibits(empty_case) == ["EX-0001"]


def test_a_smaller_limit_is_counted_as_ours(empty_case: Path, terminal: Terminal, story: Story) -> None:
    """The summary says how many blocks it clipped and how to get them whole."""
    options = ("--tool-input-max-bytes", "100", "--tool-result-max-bytes", "100")
    terminal.run("collect-sessions", str(empty_case), "--api-root", story[1], *FAST, *options)
    line = next(line for line in terminal.err.splitlines() if "by our limit" in line)
    assert int(line.split()[0]) > 0
    assert "--tool-input-max-bytes max" in terminal.err


def test_reviewed_sessions_are_narrowed_and_recorded(collected: Path) -> None:
    """`--from` records the exhibit and its seal, and asks for nothing else."""
    package = json.loads((collected / "EX-0002" / layout.PACKAGE).read_bytes())
    listed = json.loads((collected / "EX-0001" / layout.PACKAGE).read_bytes())
    assert package["selection"]["reviewed"]["exhibit"] == listed["exhibit"] == "EX-0001"
    assert len(package["selection"]["sessions"]) == 4
    assert package["selection"]["families"] == ["local"]


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (("--session", "clls_never_listed"), 2),
        (("--user", "user_nobody"), 2),
        (("--active-from", "7d"), 2),
        (("--list-only",), 2),
    ],
)
def test_nothing_but_reviewed_sessions_is_taken_from_an_exhibit(
    case: Path, terminal: Terminal, options: tuple[str, ...], status: int
) -> None:
    """An id that was not reviewed, or filters that leave nothing, make no sense."""
    assert terminal.run("collect-sessions", str(case), "--from", "EX-0001", "--dry-run", *options) == status
    assert exhibits(case) == ["EX-0001", "EX-0002"]


def test_a_reviewed_exhibit_may_be_named_by_path(case: Path, terminal: Terminal) -> None:
    """Sessions that were reviewed elsewhere can be collected here."""
    argv = ("collect-sessions", str(case), "--from", str(case / "EX-0001"), "--family", "remote", "--dry-run")
    assert terminal.run(*argv) == 0, terminal.err
    assert "/remote/" in terminal.out


def test_nothing_is_chosen_from_an_exhibit_that_was_changed(case: Path, terminal: Terminal) -> None:
    """A selection rests on an intact list: status 4, and nothing begins."""
    with (case / "EX-0001" / layout.SESSIONS).open("ab") as stream:
        stream.write(b"{}\n")
    assert terminal.run("collect-sessions", str(case), "--from", "EX-0001") == 4
    assert exhibits(case) == ["EX-0001", "EX-0002"]


@pytest.mark.parametrize(("exhibit", "status"), [("EX-0009", 8), ("EX-0003", 9)])
def test_a_reviewed_exhibit_must_be_there_and_sealed(case: Path, terminal: Terminal, exhibit: str, status: int) -> None:
    """What is not sealed is not yet known."""
    (case / "EX-0003.partial").mkdir()
    assert terminal.run("collect-sessions", str(case), "--from", exhibit) == status


@pytest.fixture
def slow() -> tuple[World, LoopbackServer]:
    """A world that answers slowly, and its server, not yet serving."""
    world = demo_world(lambda: datetime.now(UTC))
    return world, LoopbackServer(world, latency_s=0.15)


def test_an_interrupted_run_is_kept_shown_and_resumed(
    empty_case: Path, slow: tuple[World, LoopbackServer], terminal: Terminal
) -> None:
    """SIGTERM ends a real process with 143; what is there can be shown, resumed and then checked."""
    world, server = slow
    with server:
        root = ("--api-root", server.url, *FAST)
        with spawned("collect-sessions", str(empty_case), *root, environ={VARIABLE: world.key()}) as process:
            _wait_for_requests(world, 6)
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=60)
        assert process.returncode == 143, err
        assert err.splitlines()[-1].startswith("next: ")
        assert exhibits(empty_case) == ["EX-0001.partial"]
        assert terminal.run("show", str(empty_case / "EX-0001.partial")) == 0, terminal.err
        assert "partial" in terminal.out
        assert terminal.run("verify", str(empty_case / "EX-0001.partial")) == 9
        assert terminal.run("collect-sessions", str(empty_case), "--resume", "EX-0001", *root) == 3, terminal.err
    assert terminal.run("verify", str(empty_case)) == 0, terminal.both


def test_an_interrupted_run_can_be_sealed_as_it_stands(
    empty_case: Path, slow: tuple[World, LoopbackServer], terminal: Terminal
) -> None:
    """A revoked key ends the run with 5; `seal` closes the partial without asking, with status 3."""
    world, server = slow
    with server:
        root = ("--api-root", server.url, *FAST)
        with spawned("collect-sessions", str(empty_case), *root, environ={VARIABLE: world.key()}) as process:
            _wait_for_requests(world, 6)
            world.revoke_key()
            _, err = process.communicate(timeout=60)
    assert process.returncode == 5, err
    argv = ("seal", str(empty_case / "EX-0001.partial"), "--note", "the key was revoked")
    assert terminal.run(*argv) == 3, terminal.err
    assert "not_asked" in terminal.err or "interrupted" in terminal.err
    assert exhibits(empty_case) == ["EX-0001"]
    assert terminal.run("verify", str(empty_case), "--require-all-given") == 3, terminal.both


def test_a_rate_limit_is_waited_for_and_not_a_loss(empty_case: Path, terminal: Terminal, story: Story) -> None:
    """A 429 costs time, and nothing else."""
    story[0].problem_next(Documented.SHARED_BUDGET, match="/local")
    assert terminal.run("collect-sessions", str(empty_case), "--list-only", "--api-root", story[1], *FAST) == 0


def _wait_for_requests(world: World, count: int) -> None:
    deadline = time.monotonic() + 30
    while len(world.requests) < count and time.monotonic() < deadline:
        time.sleep(0.02)
