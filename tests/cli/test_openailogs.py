"""`collect-openai-logs` on the command line: the API, downloaded files, refusals, what is never printed."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from agentaudit.acquire.bundle import preserve_bundle
from agentaudit.acquire.progress import Silent, State
from agentaudit.acquire.request import PreserveBundle
from agentaudit.cli.handing import handed_over
from agentaudit.cli.preserve import surrounding
from agentaudit.errors import Interrupted
from agentaudit.format import layout
from agentaudit.model.actors import Said
from agentaudit.model.stream import EventRow, StreamRow
from tests.cli.terminal import Terminal
from tests.support.around import surroundings
from tests.support.openai_logs import CANARY, WORKSPACE, Platform, error, lines, record, served, usual

SINCE = ("--ended-after", "2026-10-01")
FAST = ("--requests-per-minute", "60000")


class Stopping(Silent):
    """A listener after whose first word of copying the run is interrupted."""

    signum: int | None = None

    def show(self, state: State) -> None:
        """Stop once copying has begun."""
        if state.phase == "copying":
            self.signum = 2


@pytest.fixture
def platform() -> Iterator[tuple[Platform, str]]:
    """The usual platform, served."""
    world = usual()
    with served(world) as url:
        yield world, url


def _rows(case: Path) -> tuple[list[EventRow], dict[str, StreamRow]]:
    events = (case / "EX-0001" / layout.EVENTS).read_bytes().splitlines()
    streams = (case / "EX-0001" / layout.STREAMS).read_bytes().splitlines()
    rows = [msgspec.json.decode(line, type=StreamRow) for line in streams]
    return [msgspec.json.decode(line, type=EventRow) for line in events], {row.stream: row for row in rows}


def _found(row: StreamRow) -> dict[str, int]:
    return {finding.code: finding.count for finding in row.findings}


def test_the_api_is_collected_and_verified(empty_case: Path, platform: tuple[Platform, str]) -> None:
    """The key comes from the environment; neither it nor an address nor content is printed."""
    world, url = platform
    terminal = Terminal({"COMPLIANCE_API_KEY": world.secret})
    argv = ("collect-openai-logs", str(empty_case), "--workspace", WORKSPACE, "--api-root", url, *FAST, *SINCE)
    assert terminal.run(*argv) == 0, terminal.err
    told = terminal.both
    assert terminal.run("verify", str(empty_case)) == 0, terminal.out
    assert terminal.run("show", str(empty_case / "EX-0001")) == 0
    assert "file/000003" in terminal.out
    for secret in (CANARY, world.secret, WORKSPACE, *(signature[:40] for signature in world.signatures)):
        assert secret not in told + terminal.both
    assert terminal.run("export-manifest", str(empty_case), "--format", "json", "--format", "html") == 0, terminal.err
    for path in empty_case.rglob("*"):
        if path.is_file():
            octets = path.read_bytes()
            assert world.secret.encode() not in octets
            assert not any(signature[:40].encode() in octets for signature in world.signatures), path


def test_the_default_window_is_what_is_retained(empty_case: Path, platform: tuple[Platform, str]) -> None:
    """Thirty-one days back from now, and stated in the exhibit."""
    terminal = Terminal({"COMPLIANCE_API_KEY": platform[0].secret})
    argv = ("collect-openai-logs", str(empty_case), "--workspace", WORKSPACE, "--api-root", platform[1], *FAST)
    assert terminal.run(*argv) == 0, terminal.err
    asked = json.loads((empty_case / "EX-0001" / layout.PACKAGE).read_text())["selection"]
    assert (asked["owner_kind"], asked["event_types"]) == ("workspace", ["CODEX_LOG"])
    assert dict(platform[0].requests[0].query)["after"] == asked["after"]


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--workspace", WORKSPACE, "--organization", "org-1"),
        ("--workspace", "org-1"),
        ("--organization", "1"),
        ("--workspace", "a/b"),
        ("--workspace", WORKSPACE, "--event-type", "codex log"),
        ("--workspace", WORKSPACE, "--ended-after", "yesterday"),
        ("--workspace", WORKSPACE, "--requests-per-minute", "601"),
        ("--workspace", WORKSPACE, "--api-root", "http://api.example"),
        ("--resume", "EX-0001", "--workspace", WORKSPACE),
        ("--resume", "EX-0001", "--dry-run"),
        ("--resume", "nothing"),
        ("file.jsonl", "--workspace", WORKSPACE),
        ("file.jsonl", "--key-stdin"),
    ],
)
def test_what_makes_no_sense_starts_nothing(untouched: Path, options: tuple[str, ...]) -> None:
    """Status 2, and no exhibit."""
    terminal = Terminal()
    assert terminal.run("collect-openai-logs", str(untouched), *options) == 2, terminal.err
    assert sorted(path.name for path in untouched.iterdir()) == sorted(["case.json", "custody.jsonl"])


def test_without_a_key_nothing_is_asked(untouched: Path, platform: tuple[Platform, str]) -> None:
    """Status 5, and how to give one."""
    terminal = Terminal()
    argv = ("collect-openai-logs", str(untouched), "--workspace", WORKSPACE, "--api-root", platform[1])
    assert terminal.run(*argv) == 5
    assert "--key-file" in terminal.err
    assert platform[0].requests == []


@pytest.mark.parametrize(("names", "shown"), [((), False), (("--show-names",), True)])
def test_a_dry_run_asks_nothing_and_hides_whose_logs_are_meant(
    untouched: Path, names: tuple[str, ...], *, shown: bool
) -> None:
    """The first request of each list stands there."""
    terminal = Terminal()
    argv = ("--dry-run", "--organization", "org-acme", "--event-type", "AUTH_LOG", "--event-type", "CODEX_LOG", *names)
    assert terminal.run("collect-openai-logs", str(untouched), *argv) == 0, terminal.err
    assert terminal.out.count("/logs?event_type=") == 2
    assert "/v1/compliance/organizations/" in terminal.out
    assert ("org-acme" in terminal.out) is shown


def test_an_incomplete_collection_answers_3(empty_case: Path, platform: tuple[Platform, str]) -> None:
    """A file that stays unlike its list is kept, and a gap with advice."""
    world, url = platform
    world.files[0].says = {"file_sha256": "0" * 64}
    terminal = Terminal({"COMPLIANCE_API_KEY": world.secret})
    argv = ("collect-openai-logs", str(empty_case), "--workspace", WORKSPACE, "--api-root", url, *FAST, *SINCE)
    assert terminal.run(*argv) == 3, terminal.err
    assert "file_unlike_listed" in terminal.err
    assert terminal.run("verify", str(empty_case)) == 0, terminal.out


def test_a_run_that_was_refused_goes_on(empty_case: Path, platform: tuple[Platform, str]) -> None:
    """Status 5 with a partial; its resumption seals it."""
    world, url = platform
    world.during = lambda _request: error(403, "no_scope")
    terminal = Terminal({"COMPLIANCE_API_KEY": world.secret})
    way = ("--api-root", url, *FAST)
    argv = ("collect-openai-logs", str(empty_case), "--workspace", WORKSPACE, *way, *SINCE)
    assert terminal.run(*argv) == 5, terminal.err
    world.during = lambda _request: None
    assert terminal.run("collect-openai-logs", str(empty_case), "--resume", "EX-0001", *way) == 0, terminal.err
    assert terminal.run("verify", str(empty_case)) == 0, terminal.out


def test_an_interrupted_preservation_goes_on_by_the_same_command(empty_case: Path, tmp_path: Path) -> None:
    """Its own journal says that files were handed over: no key is needed."""
    stopping = Stopping()
    folder = _folder(tmp_path, usual())
    request = PreserveBundle(
        empty_case, handed_over("openai-logs", [folder]), surrounding(), Said(), ("agentaudit",), workers=1
    )
    with pytest.raises(Interrupted):
        preserve_bundle(request, surroundings(stop=lambda: stopping.signum), stopping)
    terminal = Terminal()
    assert terminal.run("collect-openai-logs", str(empty_case), "--resume", "EX-0001") == 0, terminal.err
    assert len(_rows(empty_case)[0]) == 7
    assert terminal.run("verify", str(empty_case)) == 0, terminal.out


def test_settings_beside_downloaded_files_stay_out_unless_they_are_included(empty_case: Path, tmp_path: Path) -> None:
    """A script's configuration may hold the key: it is counted, and comes in where it is asked for."""
    folder = _folder(tmp_path, usual())
    (folder / "download.toml").write_text('key = "a key"')
    terminal = Terminal()
    assert terminal.run("collect-openai-logs", str(empty_case), str(folder)) == 0, terminal.err
    assert "1  category_opt_in" in terminal.err
    assert terminal.run("collect-openai-logs", str(empty_case), str(folder), "--include", "settings") == 0, terminal.err
    assert "category_opt_in" not in terminal.err
    assert terminal.run("verify", str(empty_case)) == 0, terminal.out


@pytest.mark.parametrize(
    "words",
    [
        ("somewhere", "--include", "databases"),
        ("--workspace", WORKSPACE, "--include", "settings"),
        ("--resume", "EX-0001", "--include", "settings"),
    ],
)
def test_a_category_that_makes_no_sense_is_refused(words: tuple[str, ...], empty_case: Path) -> None:
    """Databases have no place there; the API has no settings; a resumption has its own selection."""
    assert Terminal({"COMPLIANCE_API_KEY": "a key"}).run("collect-openai-logs", str(empty_case), *words) == 2


def _folder(root: Path, world: Platform) -> Path:
    folder = root / "downloads"
    (folder / "more").mkdir(parents=True)
    page = json.dumps(world.page("2026-01-01T00:00:00Z"), indent=2)
    (folder / "page.json").write_text(page)
    one, two, three = world.files[:3]
    (folder / "CODEX_LOG_1.jsonl").write_bytes(one.body)
    (folder / "more" / "CODEX_LOG_2.jsonl.gz").write_bytes(gzip.compress(two.body))
    (folder / f"{three.id}.jsonl").write_bytes(three.body)
    (folder / "config.env").write_text(f"COMPLIANCE_API_KEY={world.secret}")
    (folder / "link.jsonl").symlink_to("CODEX_LOG_1.jsonl")
    return folder


def test_downloaded_files_are_preserved_and_held_against_their_list(empty_case: Path, tmp_path: Path) -> None:
    """Packed or not, under any name; the key beside them stays out, and links are not followed."""
    world = usual()
    folder = _folder(tmp_path, world)
    terminal = Terminal()
    assert terminal.run("collect-openai-logs", str(empty_case), str(folder), "--dry-run") == 0, terminal.err
    assert not (empty_case / "EX-0001").exists()
    assert terminal.run("collect-openai-logs", str(empty_case), str(folder)) == 0, terminal.err
    assert CANARY not in terminal.both
    events, streams = _rows(empty_case)
    assert len(events) == 7
    digests = sorted(str(dict(row.words).get("digest")) for row in streams.values() if row.kind == "file")
    assert digests == ["None", "agrees", "agrees", "agrees_unpacked"]
    assert _found(streams["feed/000001"]) == {}
    assert streams["service/000001"].events == 6
    assert terminal.run("verify", str(empty_case)) == 0, terminal.out
    for path in empty_case.rglob("*"):
        assert not path.is_file() or world.secret.encode() not in path.read_bytes(), path
    for name in (layout.EVENTS, layout.STREAMS, layout.JOURNAL, layout.ENTRIES):
        assert CANARY.encode() not in (empty_case / "EX-0001" / name).read_bytes()


def test_damaged_files_are_kept_and_stated(empty_case: Path, tmp_path: Path) -> None:
    """A cut tail, a cut packing, a page of an error, and a text of another encoding: all are kept."""
    folder = tmp_path / "downloads"
    folder.mkdir()
    body = lines(record(1), record(2))
    whole = {
        "a.jsonl": body[:-30], "b.jsonl.gz": gzip.compress(body)[:-9], "c.json": error(403, "x").body,
        "d.jsonl": body.decode().encode("utf-16"), "e.jsonl": b"",
    }  # fmt: skip
    for name, octets in whole.items():
        (folder / name).write_bytes(octets)
    terminal = Terminal()
    assert terminal.run("collect-openai-logs", str(empty_case), str(folder)) == 0, terminal.err
    _, streams = _rows(empty_case)
    files = [row for row in streams.values() if row.kind == "file"]
    assert [row.form for row in files] == [
        "openai_log", "openai_log/gzip", "error_answer", "not_read/utf-16", "empty",
    ]  # fmt: skip
    assert _found(files[0]) == {"tail_cut": 1}
    assert _found(files[1])["stream_truncated"] == 1
    kept = sorted(path.read_bytes() for path in (empty_case / "EX-0001/data").rglob("*") if path.is_file())
    assert kept == sorted(whole.values())
    assert terminal.run("verify", str(empty_case)) == 0, terminal.out
