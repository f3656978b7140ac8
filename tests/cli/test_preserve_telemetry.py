"""`preserve-telemetry` as it is typed: from files that somebody gave to a sealed exhibit with events and streams."""

import gzip
import json
from pathlib import Path

import pytest

from agentaudit.format import layout
from tests.cli.terminal import Terminal
from tests.support.telemetry import BEGIN_MS, Log, Sent, collector_json, framed, log, own_json, pretty_json, protobuf

CANARY = "Kanarienvogel4711"
SECRET = b"a credential that must never be packed"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with one session in several forms, a rotated set, an index, settings, a credential, a way out."""
    folder = tmp_path / f"of {CANARY}"
    (folder / "bodies").mkdir(parents=True)
    sents = [Sent([call(2 * order), result(2 * order + 1)]) for order in range(6)]
    (folder / "a.jsonl").write_bytes(own_json(sents[0]) + b"\n")
    (folder / "b.json").write_bytes(pretty_json(sents[1]))
    (folder / "c.json.gz").write_bytes(gzip.compress(collector_json(sents[2]) + b"\n"))
    (folder / "d.bin").write_bytes(framed([protobuf(sents[3])]))
    (folder / "data-2026-01-01T00-00-05.000.json").write_bytes(framed([collector_json(sents[4])], packed=True))
    (folder / "data.json").write_bytes(framed([collector_json(sents[5])], packed=True)[:-3])
    (folder / "hec.json").write_bytes(b'{"event":"%s","fields":{}}' % CANARY.encode())
    line = {"request_file": f"{CANARY}.request.json", "response_file": f"../../{CANARY}.json", "request_id": "r"}
    (folder / "bodies" / "index.jsonl").write_text(json.dumps(line) + "\n")
    (folder / "bodies" / f"{CANARY}.request.json").write_text(json.dumps({"model": "m", "messages": [CANARY]}))
    (tmp_path / f"{CANARY}.json").write_text("outside")
    (folder / "settings.json").write_text(json.dumps({"env": {"OTEL_LOG_USER_PROMPTS": "1"}, "x": CANARY}))
    (folder / "owner.token").write_bytes(SECRET)
    (folder / "way out").symlink_to(tmp_path)
    return folder


def call(order: int) -> Log:
    """A decision with content in its details."""
    return log("tool_decision", order, tool_use_id=f"t{order}", decision="accept", tool_parameters=CANARY)


def result(order: int) -> Log:
    """The result of the call before it, with content, and an attribute that nobody knows."""
    return log(
        "tool_result", order, tool_use_id=f"t{order - 1}", success="true", tool_input=CANARY, user__email=CANARY,
        unheard_of=CANARY, prompt__id="p",
    )  # fmt: skip


def rows(exhibit: str, name: str) -> list[dict[str, object]]:
    """The rows of a tag file."""
    return [json.loads(line) for line in (Path(exhibit) / name).read_bytes().splitlines()]


def preserved(case: Path, *paths: Path, more: tuple[str, ...] = ("--include", "settings")) -> str:
    """The exhibit that came of these paths, settings among them."""
    terminal = Terminal()
    assert terminal.run("preserve-telemetry", str(case), *map(str, paths), *more) == 0, terminal.err
    assert CANARY not in terminal.both
    assert "framing" not in terminal.err  # none was looked at, and nothing of none is told
    return terminal.out.strip()


def test_files_are_preserved_read_shown_and_verified(logs: Path, empty_case: Path) -> None:
    """From the command line to a sealed exhibit whose events and streams a check draws from the files again."""
    terminal = Terminal()
    assert terminal.run("preserve-telemetry", str(empty_case), str(logs), "--dry-run") == 0
    assert CANARY not in terminal.both
    assert terminal.run("preserve-telemetry", str(empty_case), str(logs), "--dry-run", "--json") == 0
    exhibit = preserved(empty_case, logs)
    assert terminal.run("verify", exhibit) == 0, terminal.both
    assert "intact" in terminal.both
    assert terminal.run("show", exhibit) == 0
    assert "handed over: telemetry" in terminal.out
    assert "session/000001" in terminal.out
    assert CANARY not in terminal.both
    assert terminal.run("show", exhibit, "--json") == 0
    shown = json.loads(terminal.out)
    assert {row["stream"] for row in shown["streams"]} == {row["stream"] for row in rows(exhibit, layout.STREAMS)}


def test_what_the_files_say_together_is_one_session(logs: Path, empty_case: Path) -> None:
    """Ten of twelve events are here: the last frame is cut; numbers run on from form to form."""
    exhibit = preserved(empty_case, logs)
    assert [row["order"] for row in rows(exhibit, layout.EVENTS) if row["kind"] != "raw_body_index"] == list(range(10))
    streams = {str(row["stream"]): row for row in rows(exhibit, layout.STREAMS)}
    assert streams["process/000001"]["runs"] == [{"events": 10, "first": 0, "last": 9}]
    assert streams["session/000001"]["counts"] == [["accepted", 5], ["decisions", 5], ["processes", 1], ["results", 5]]
    forms = {str(row["form"]) for row in streams.values() if row["kind"] == "file"}
    assert forms == {
        "claude_settings", "otlp_collector_json", "otlp_framed_json_zstd", "otlp_framed_proto", "otlp_http_json",
        "otlp_http_json_pretty", "raw_body", "raw_body_index", "splunk_hec", "unreadable",
    }  # fmt: skip
    codes = {str(one["code"]) for row in streams.values() for one in row["findings"]}  # type: ignore[attr-defined]
    assert codes == {"body_absent", "last_frame_cut", "no_settings_event"}
    assert streams["folder/000001"]["form"] == "rotated_set"


def test_content_and_secrets_stay_where_they_belong(logs: Path, empty_case: Path) -> None:
    """What is content is found under `data/` alone; names of files in provenance only; a credential nowhere."""
    exhibit = Path(preserved(empty_case, logs))
    files = [path for path in exhibit.rglob("*") if path.is_file()]
    assert not any(SECRET in path.read_bytes() for path in files)
    holding = {str(path.relative_to(exhibit)) for path in files if CANARY.encode() in path.read_bytes()}
    outside = {name for name in holding if not name.startswith("data/")}
    assert any(name.startswith("data/") for name in holding)
    assert outside <= {layout.JOURNAL, layout.ENTRIES, layout.ITEMS, layout.PACKAGE, layout.STREAMS}
    assert not any(path.read_bytes() == b"outside" for path in files)
    streams = rows(str(exhibit), layout.STREAMS)
    assert CANARY not in str([{**row, "name": None} for row in streams])


def test_a_changed_event_is_found(logs: Path, empty_case: Path) -> None:
    """The rows are drawn from the kept files again: one that says something else is a finding."""
    exhibit = preserved(empty_case, logs)
    place = Path(exhibit) / layout.EVENTS
    place.parent.chmod(0o700)
    place.chmod(0o600)
    place.write_bytes(place.read_bytes().replace(b'"accept"', b'"reject"', 1))
    terminal = Terminal()
    assert terminal.run("verify", exhibit) == 4


def test_damage_of_a_file_ends_nothing(tmp_path: Path, empty_case: Path) -> None:
    """A file cut in its middle, one of rubbish, an empty one: sealed as they are, with what was found."""
    good = own_json(Sent([log("api_request", 0, ms=BEGIN_MS)])) + b"\n"
    (tmp_path / "cut.jsonl").write_bytes(good + good[:100])
    (tmp_path / "rubbish.jsonl").write_bytes(b"{\xff" * 100)
    (tmp_path / "empty.jsonl").write_bytes(b"")
    exhibit = preserved(empty_case, *(tmp_path / f"{name}.jsonl" for name in ("cut", "empty", "rubbish")))
    found = [[one["code"] for one in row["findings"]] for row in rows(exhibit, layout.STREAMS) if row["kind"] == "file"]  # type: ignore[attr-defined]
    assert found == [["last_document_cut"], [], ["last_document_cut"]]
    assert Terminal().run("verify", exhibit) == 0


def test_settings_stay_out_unless_they_are_asked_for(logs: Path, empty_case: Path) -> None:
    """They are counted, and what they say of the telemetry is shown and noted; asked for, they are read as a file."""
    terminal = Terminal()
    assert terminal.run("preserve-telemetry", str(empty_case), str(logs), "--dry-run") == 0
    assert "1  databases, settings or a shared store: --include takes it in" in terminal.out
    assert "r1 OTEL_LOG_USER_PROMPTS = True" in terminal.out
    assert terminal.run("preserve-telemetry", str(empty_case), str(logs)) == 0
    assert "1  category_opt_in" in terminal.err
    exhibit = terminal.out.strip()
    forms = {row["form"] for row in rows(exhibit, layout.STREAMS) if row["kind"] == "file"}
    assert "claude_settings" not in forms
    assert '"OTEL_LOG_USER_PROMPTS"' in (Path(exhibit) / layout.JOURNAL).read_text()
    included = preserved(empty_case, logs)
    assert "claude_settings" in {row["form"] for row in rows(included, layout.STREAMS) if row["kind"] == "file"}
    assert terminal.run("show", included) == 0
    assert "with: settings" in terminal.out


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("somewhere", "--resume", "EX-0001"),
        ("--dry-run", "--resume", "EX-0001"),
        ("--include", "settings", "--resume", "EX-0001"),
        ("somewhere", "--include", "credentials"),
    ],
)
def test_what_makes_no_sense_is_refused(words: tuple[str, ...], empty_case: Path) -> None:
    """Nothing was named, or more was said than a resumption takes."""
    assert Terminal().run("preserve-telemetry", str(empty_case), *words) == 2


def test_a_resumption_of_nothing_is_refused(empty_case: Path) -> None:
    """There is no such exhibit."""
    assert Terminal().run("preserve-telemetry", str(empty_case), "--resume", "EX-0001") == 7
