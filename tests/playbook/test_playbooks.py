"""Every playbook against the real command line, and its filters against real files."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from agentaudit.adapters.compliance.reading_copy import ComplianceCopyReader
from agentaudit.cli.app import group
from agentaudit.package.disk import SystemDisk
from agentaudit.playbook.shelf import Playbook, load, names
from agentaudit.transcript.run import MakeTranscript, make_transcript
from tests.support.chatting import chatting
from tests.transcript.odd import checked, odd_case

BOOKS = {name: load(name) for name in names()}

STOCK = frozenset({
    "jq", "sha256sum", "cd", "tar", "age", "sort", "uniq", "env", "sed", "curl", "export", "comm", "wc",
})  # fmt: skip
SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "claude-code-2.1.332"
SECRETS = re.compile(r"sk-ant-|AKIA[0-9A-Z]{8}|gh[pousr]_[A-Za-z0-9]{10}|xox[abp]-|-----BEGIN|eyJ[A-Za-z0-9]{20}")
ASSIGNMENT = re.compile(r"[A-Z_]+=")
PLACEHOLDER = re.compile(r"\b(?:EXHIBIT|REPORT|KEY|OTEL_LOGS|FLAT|CASE/EX-000[12]|RECEIVED/EX-0002|CALLS|DECISIONS)\b")

needs_jq = pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")


def commands(book: Playbook) -> Iterator[str]:
    """Every command line of a playbook."""
    for step in book.steps:
        yield from step.run


ALL = [(name, line) for name, book in BOOKS.items() for line in commands(book)]


def stages(line: str) -> list[list[str]]:
    """The simple commands of a line, as words; redirections stay with their command."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;")
    lexer.whitespace_split = True
    found: list[list[str]] = [[]]
    for word in lexer:
        if set(word) <= set("|&;"):
            found.append([])
        elif found[-1] or not ASSIGNMENT.match(word):
            found[-1].append(word)
    return [stage for stage in found if stage]


def parse(words: list[str]) -> None:
    """Parse the words as the command line would, through its groups, and stop before anything is run."""
    command: click.Command = group()
    context = command.make_context("agentaudit", list(words))
    while isinstance(command, click.Group):
        rest = [*context._protected_args, *context.args]
        _, found, rest = command.resolve_command(context, rest)
        assert found is not None, words
        command, context = found, found.make_context(found.name, rest, parent=context)


OURS = [(name, stage[1:]) for name, line in ALL for stage in stages(line) if stage[0] == "agentaudit"]
FILTERS = [(name, stage[1:]) for name, line in ALL for stage in stages(line) if stage[0] == "jq"]


@pytest.mark.parametrize("name", sorted(BOOKS))
def test_every_field_says_something(name: str) -> None:
    """No field, no point and no step is empty; a playbook has commands and what it cannot show."""
    book = BOOKS[name]
    texts = [book.title, book.question, book.authority]
    for points in (book.shows, book.cannot_show, book.corroborates, book.changes_evidence):
        assert points
        texts += points
    for step in book.steps:
        texts += [step.do, step.result, *step.run]
    assert all(text.strip() for text in texts)
    assert list(commands(book))


@pytest.mark.parametrize(("name", "words"), OURS, ids=lambda value: value if isinstance(value, str) else value[0])
def test_every_command_of_ours_is_one(name: str, words: list[str]) -> None:
    """The command exists, has every option that is given to it, and gets what it must have."""
    del name
    parse(words)


@pytest.mark.parametrize(("name", "line"), ALL)
def test_other_commands_are_stock_tools(name: str, line: str) -> None:
    """Whatever is not ours is a tool that an investigator has."""
    del name
    assert {stage[0] for stage in stages(line)} <= STOCK | {"agentaudit"}


@pytest.mark.parametrize(
    "words",
    [["frobnicate"], ["show", "X", "--frobnicate"], ["transcript", "X"], ["custody", "add", "X", "--event", "eaten"]],
)
def test_a_command_that_is_none_is_seen(words: list[str]) -> None:
    """A strange command, option or choice, and an option that is left out, fail the check above."""
    with pytest.raises((AssertionError, click.UsageError)):
        test_every_command_of_ours_is_one("", words)


def test_a_tool_that_is_none_is_seen() -> None:
    """The words of a pipeline are told apart, so that a stranger in it is found."""
    assert [stage[0] for stage in stages("jq -c '.a | .b' FILE | frobnicate && agentaudit show X")] == [
        "jq",
        "frobnicate",
        "agentaudit",
    ]


@pytest.mark.parametrize("name", sorted(BOOKS))
def test_no_secret_stands_in_a_playbook(name: str) -> None:
    """Nothing in them looks like a key of any vendor."""
    assert not SECRETS.search(repr(BOOKS[name]))
    assert SECRETS.search("x" + "sk" + "-ant-" + "x")


@needs_jq
@pytest.mark.parametrize(("name", "words"), FILTERS)
def test_every_filter_compiles(name: str, words: list[str]) -> None:
    """The stock jq takes each filter as it stands, fed with nothing."""
    del name
    options = [word for word in words[:-1] if word.startswith("-")]
    program = next(word for word in words if not word.startswith("-"))
    done = subprocess.run(["jq", *options, program], input=b"", capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which EXHIBIT, REPORT and the telemetry are real files."""
    folder = tmp_path_factory.mktemp("playbooks")
    with odd_case(folder) as (job, _):
        case = job.case
    given = checked(case / "EX-0001")
    with chatting(folder / "chats") as served:
        served.world.library.forget(served.world.library.things("file")[1])
        served.run()
    readers = (ComplianceCopyReader(),)
    make_transcript(MakeTranscript(None, given, "s000001", ("jsonl",), folder / "report", readers), None, SystemDisk())
    return folder


def at(place: Path, line: str) -> str:
    """The line with real files in the place of its words."""
    real = {
        "EXHIBIT": f"{place}/case/EX-0001",
        "CASE/EX-0001": f"{place}/case/EX-0001",
        "CASE/EX-0002": f"{place}/chats/case/EX-0001",
        "RECEIVED/EX-0002": f"{place}/case/EX-0001",
        "REPORT": f"{place}/report",
        "KEY": "s000001",
        "OTEL_LOGS": f"{SAMPLES}/all-gates/logs.jsonl",
        "FLAT": f"{place}/flat.jsonl",
        "CALLS": f"{place}/calls",
        "DECISIONS": f"{place}/decisions",
    }
    return PLACEHOLDER.sub(lambda found: real[found.group()], line)


def shell(line: str) -> str:
    """What a person at a shell sees; a failure anywhere in the pipeline is one."""
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


ON_PACKAGES = [(name, line) for name, line in ALL if line.startswith(("jq", "cd EXHIBIT")) and "FLAT" not in line]
ON_TELEMETRY = [
    (name, [line for line in commands(book) if line.startswith("jq") and "FLAT" in line])
    for name, book in BOOKS.items()
    if any("FLAT" in line for line in commands(book))
]


@needs_jq
@pytest.mark.parametrize(("name", "line"), ON_PACKAGES)
def test_filters_over_an_exhibit_and_a_copy_run(name: str, line: str, place: Path) -> None:
    """Run as they stand on a real exhibit and a real copy, they end well."""
    del name
    shell(at(place, line))


@needs_jq
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the captured telemetry is not here")
@pytest.mark.parametrize(("name", "lines"), ON_TELEMETRY)
def test_filters_over_telemetry_run(name: str, lines: list[str], place: Path) -> None:
    """The first flattens real telemetry to one event a line; the others ask it and end well."""
    del name
    assert "OTEL_LOGS" in lines[0]
    for line in lines:
        shell(at(place, line))
    assert len((place / "flat.jsonl").read_text().splitlines()) == 51


@needs_jq
def test_the_filters_over_chats_find_what_they_are_for(place: Path) -> None:
    """The file that is gone is the one that did not come; each thing that a message names is listed."""
    gone, naming = (
        shell(at(place, line)).splitlines() for line in commands(BOOKS["chats-custodian"]) if line.startswith("jq")
    )
    assert len(gone) == 1
    assert '"gone"' in gone[0]
    assert len(naming) == 8


@needs_jq
def test_the_search_for_open_halves_finds_them(place: Path) -> None:
    """The filter of the interrupted action names each call and result that has no other half, and none that has."""
    (line,) = [line for line in commands(BOOKS["interrupted-action"]) if "join.state" in line]
    found = shell(at(place, line)).splitlines()
    assert len(found) == 4
    assert "toolu_one" not in "".join(found)


@needs_jq
def test_the_credential_search_finds_a_path_and_prints_no_content(place: Path) -> None:
    """A call is found by what its input names; what is printed are ids and ways."""
    (line,) = [line for line in commands(BOOKS["credential-access"]) if "keychain" in line]
    assert shell(at(place, line)) == ""
    found = shell(at(place, line.replace("keychain", "synthetic")))
    assert "toolu_lost" in found
    assert "/synthetic/a" not in found
