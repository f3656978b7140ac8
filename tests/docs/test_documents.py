"""The documents against themselves and against the code."""

import ast
import re
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from agentaudit import errors
from agentaudit.adapters.bridge.coverage import coverage_of_api, coverage_of_files
from agentaudit.adapters.claude_code.coverage import coverage_limits as claude_code_limits
from agentaudit.adapters.claude_code.roles import Category as ClaudeCodeCategory
from agentaudit.adapters.codex.coverage import coverage_limits as codex_limits
from agentaudit.adapters.codex.roles import Category as CodexCategory
from agentaudit.adapters.compliance.coverage import Narrowed, coverage_limits
from agentaudit.adapters.openai_logs.coverage import coverage_of_api as openai_log_limits
from agentaudit.adapters.openai_logs.coverage import coverage_of_files as openai_log_file_limits
from agentaudit.adapters.otlp.coverage import coverage_limits as telemetry_limits
from agentaudit.cli.docs import DOCUMENTS as DOCUMENTS_PRINTED
from agentaudit.cli.docs import text
from agentaudit.model.custody import CustodyEvent
from agentaudit.model.event import Event
from agentaudit.model.losses import GapCode

ROOT = Path(__file__).resolve().parents[2]
CODE = ROOT / "agentaudit"
DOCUMENTS = tuple(
    sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("playbooks/*.md"), *ROOT.glob("fixtures/*.md")])
)
DECISIONS = tuple(sorted(ROOT.glob("docs/decisions/[0-9]*.md")))
HEADINGS = ("## Context", "## Decision", "## Consequences")
DECISION_LINES_MAX = 60

# The nouns of the format and of the code, each with the class that bears it (empty: a noun of the format alone).
NOUNS = {
    "Case": "Case",
    "Exhibit": "",
    "Examiner": "",
    "Authority": "",
    "Actors": "Actors",
    "Custody log": "",
    "Hand": "Hand",
    "Selection": "SessionSelection",
    "Window": "Window",
    "Reach": "Reach",
    "Endpoint class": "",
    "Byte limit": "ByteLimits",
    "Read limit": "ReadLimits",
    "Source": "",
    "Acquisition": "",
    "Plan": "Plan",
    "Task": "",
    "Walk": "WalkRow",
    "Page": "Page",
    "Cursor": "",
    "Ask": "Ask",
    "Request": "Request",
    "Attempt": "Attempted",
    "Exchange": "Exchange",
    "Answer": "Answer",
    "Failure": "Failure",
    "Kept": "Kept",
    "Missed": "Missed",
    "Ended": "Ended",
    "Learned": "",
    "Policy": "Policy",
    "Budget": "Budget",
    "Transport": "Transport",
    "Connection": "Connection",
    "Pump": "Pump",
    "Barrier": "",
    "Progress": "Progress",
    "Surroundings": "Surroundings",
    "Observation": "",
    "Capture": "",
    "Evidence item": "ItemRow",
    "Provenance": "ItemProvenance",
    "Message provenance": "ProvenanceWords",
    "Session": "SessionRow",
    "Record": "RecordRow",
    "Block": "BlockRow",
    "Truncation": "Truncation",
    "Gap": "Gap",
    "Coverage limit": "CoverageLimit",
    "Clock comparison": "ClockComparison",
    "Package": "PackageFile",
    "Payload": "PayloadFile",
    "Tag file": "",
    "Manifest": "Manifest",
    "Tag manifest": "",
    "Closed world": "",
    "Digest": "",
    "Instant": "",
    "Journal": "",
    "Act": "Act",
    "Fold": "",
    "Reading": "Reading",
    "Page reader": "PageReader",
    "Adapter": "",
    "Tally": "Tally",
    "Outcome": "",
    "Partial": "",
    "Set aside": "SetAside",
    "Torn tail": "TornTail",
    "Seal": "",
    "Attestation": "",
    "Verdict": "Verdict",
    "Integrity": "",
    "Authenticity": "",
    "Finding": "Finding",
    "Code": "Code",
    "Severity": "",
    "Ledger": "Ledger",
    "World": "World",
    "Canary": "Canary",
    "Playbook": "Playbook",
    "Export": "",
    "Working copy": "",
    "Join": "Join",
    "Standing": "",
    "Extract": "ExtractFile",
    "Hand-over": "",
    "Witness": "Witness",
    "Signature": "",
    "Time stamp": "",
    "Head": "CustodyHead",
    "Store": "Store",
    "Store kind": "StoreKind",
    "Root": "Root",
    "Handle": "Handles",
    "Look": "Look",
    "Survey": "Survey",
    "Entry": "Entry",
    "True name": "",
    "Role": "",
    "Category": "",
    "Rule": "",
    "Denied file": "",
    "Switch": "RootSwitch",
    "Bundle": "SessionBundle",
    "Thread": "",
    "Rollout": "RolloutFacts",
    "Spilled result": "Spilled",
    "Subagent": "",
    "Store witness": "HistoryWitness",
    "Job": "CopyJob",
    "Hands": "Hands",
    "Copier": "Copiers",
    "Go": "Go",
    "Projection": "ProjectionFacts",
    "Framing": "FramingFacts",
    "Fault class": "",
    "Note": "FramingNote",
    "Stream fault": "",
    "Facts": "TranscriptFacts",
    "Recheck": "Recheck",
    "Copy reader": "CopyReader",
}
AVOIDED = frozenset({"artifact", "manager", "handler", "helper", "helpers", "util", "utils"})

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`[^`\n]*`")
_MODULE = re.compile(r"`((?:[\w.-]+/)+[\w.-]*\.py|(?:agentaudit|tests)/(?:[\w.-]+/)*)`")
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HELP = re.compile(r"^`\$ agentaudit ([\w-]+(?: \w+)?) --help`\n\n```text\n(.*?)^```", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def prose(path: Path) -> str:
    """The text of a document without its fenced blocks and code spans."""
    return _SPAN.sub("", _FENCE.sub("", path.read_text("utf-8")))


def broken_links(path: Path) -> list[str]:
    """The relative links of a document that lead nowhere: to no file, or to no heading of it."""
    found = []
    for target in _LINK.findall(_FENCE.sub("", path.read_text("utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        if not file.exists() or (anchor and file.is_file() and anchor not in anchors(file)):
            found.append(target)
    return found


def anchors(path: Path) -> set[str]:
    """The anchors of a document's headings, as forges derive them."""
    heads = re.findall(r"^#{1,6} +(.+?)\s*$", _FENCE.sub("", path.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.replace("`", "").lower()).replace(" ", "-") for head in heads}


def strange_options(text: str, commands: str) -> list[str]:
    """The commands and options in the plain fenced blocks of a page that the help blocks of another do not have."""
    helps = {name: set(re.findall(r"--[a-z][a-z-]+", block)) for name, block in _HELP.findall(commands)}
    plain = "".join(body for info, body in _BLOCK.findall(text) if not info)
    blocks = plain.replace("\\\n", " ")
    found = []
    for first, rest in re.findall(r"^(?:    )?agentaudit ([\w-]+)(.*)$", blocks, re.MULTILINE):
        options = set(re.findall(r"(?<=\s)--[a-z][a-z-]+", rest))
        longer = " ".join((first, *rest.split()[:1]))
        command = longer if longer in helps else first
        found += [command] if command not in helps else sorted(options - helps[command])
    return found


def rows(path: Path) -> list[tuple[str, ...]]:
    """The body rows of every table of a document, as cells."""
    lines = [line.strip() for line in path.read_text("utf-8").splitlines()]
    tables = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines if line.startswith("|")]
    heads = {n - 1 for n, cells in enumerate(tables) if all(re.fullmatch(r":?-+:?", cell) for cell in cells)}
    return [cells for n, cells in enumerate(tables) if n not in heads and n - 1 not in heads]


def class_names() -> set[str]:
    """The name of every class of the package."""
    trees = (ast.parse(path.read_text("utf-8")) for path in CODE.rglob("*.py"))
    return {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def avoided_in(name: str) -> set[str]:
    """The avoided words in a name of a module or a class."""
    return {word.lower() for word in _WORD.findall(name)} & AVOIDED


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_relative_link_resolves(path: Path) -> None:
    """A relative link of a document leads to a file that is there, and to a heading that it has."""
    assert broken_links(path) == []


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    """A link to a missing file or a missing heading is reported; one in a fenced block is not a link."""
    page = tmp_path / "page.md"
    page.write_text("# Top\n[a](gone.md) [b](#top) [c](#none) [d](https://x.example)\n```\n[e](gone.md)\n```\n")
    assert broken_links(page) == ["gone.md", "#none"]


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.stem[:4])
def test_a_decision_has_its_three_headings_and_fits_a_page(path: Path) -> None:
    """A decision is one page with a numbered title and context, decision, consequences, in that order."""
    lines = path.read_text("utf-8").splitlines()
    assert lines[0].startswith(f"# {path.stem[:4]}: ")
    assert tuple(line for line in lines if line.startswith("## ")) == HEADINGS
    assert len(lines) <= DECISION_LINES_MAX


def test_decisions_are_numbered_without_a_hole() -> None:
    """The numbers of the decisions count from 1, each used once."""
    assert [int(path.stem[:4]) for path in DECISIONS] == list(range(1, len(DECISIONS) + 1))


@pytest.mark.parametrize("term", NOUNS)
def test_each_noun_of_the_house_has_a_line_in_the_glossary(term: str) -> None:
    """A noun that the format or the code uses stands in the glossary."""
    assert term in {cells[0] for cells in rows(ROOT / "docs/glossary.md")}


def test_the_glossary_says_each_term_once_and_leaves_no_cell_empty() -> None:
    """A term has one line with a meaning and where it comes from."""
    table = rows(ROOT / "docs/glossary.md")
    counted = Counter(cells[0].lower() for cells in table)
    assert [term for term, count in counted.items() if count > 1] == []
    assert [cells for cells in table if len(cells) != 3 or not all(cells)] == []


def test_the_listed_nouns_name_classes_that_exist() -> None:
    """The list of nouns cannot speak of a class that the code no longer has."""
    assert {name for name in NOUNS.values() if name} - class_names() == set()


def test_no_module_or_class_bears_an_avoided_word() -> None:
    """The avoided words name nothing in the package."""
    modules = {path.relative_to(CODE).with_suffix("").as_posix() for path in CODE.rglob("*.py")}
    assert {name for name in modules | class_names() if avoided_in(name)} == set()


@pytest.mark.parametrize("name", ["SessionManager", "cli/helpers", "utils", "HTTPHandler", "ArtifactRow"])
def test_an_avoided_word_is_found_in_a_name(name: str) -> None:
    """The search for avoided words says no to names that bear one."""
    assert avoided_in(name)


def test_the_exit_statuses_of_the_readme_are_those_of_the_errors() -> None:
    """The README's table names each status once, and each error class stands at its own status."""
    table = {cells[0]: cells for cells in rows(ROOT / "README.md") if re.fullmatch(r"\d+(, \d+)?", cells[0])}
    classes = [
        kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.AgentAuditError)
    ]
    for kind in classes:
        status = "130, 143" if kind is errors.Interrupted else str(kind.status)
        assert kind.__name__ in table[status][2]
    assert list(table) == ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "130, 143"]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_document_holds_no_machine_path(path: Path) -> None:
    """No document names a path of the machine on which it was written."""
    assert re.findall(r"/(?:work|home|tmp|root)/\S+", prose(path)) == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_modules_and_folders_that_a_document_names_exist(path: Path) -> None:
    """A module or a folder of code that a document names is there, below the root or below the package."""
    named = _MODULE.findall(_FENCE.sub("", path.read_text("utf-8")))
    assert [name for name in named if not (ROOT / name).exists() and not (CODE / name).exists()] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_commands_of_a_document_use_options_that_exist(path: Path) -> None:
    """Every command line of a document names a command and options that its help block has."""
    assert strange_options(path.read_text("utf-8"), (ROOT / "docs/commands.md").read_text("utf-8")) == []


def test_an_option_that_does_not_exist_is_found() -> None:
    """A command line with an unknown option, or of an unknown command, is reported."""
    helps = "`$ agentaudit open --help`\n\n```text\n  --number N\n```\n"
    helps += "`$ agentaudit custody add --help`\n\n```text\n  --to NAME\n```\n"
    page = (
        "```\nagentaudit open \\\n  --number 1 --force\nagentaudit gone\nagentaudit custody add C --to B --by D\n```\n"
    )
    assert strange_options(page, helps) == ["--force", "gone", "--by"]


@pytest.mark.parametrize("name", ["glossary.md", "threat-model.md"])
def test_the_shipped_documents_are_those_of_the_repository(name: str) -> None:
    """A document that `agentaudit docs` prints is the same text as the one under docs/."""
    assert text(DOCUMENTS_PRINTED[name.removesuffix(".md")]) == (ROOT / "docs" / name).read_text("utf-8")


def named_in(*documents: str) -> set[str]:
    """The code spans of these documents that have the form of a code, or of a word with hyphens."""
    return {code for name in documents for code in re.findall(r"`([a-z_.-]+)`", (ROOT / name).read_text("utf-8"))}


def test_the_evidence_models_name_every_coded_limit() -> None:
    """A limit of coverage cannot be added without a line in the published model of its source."""
    exhibit = Narrowed("", ("local", "remote"), 0, None, 0, ())
    assert {limit.code for limit in coverage_limits(exhibit)} - named_in("docs/evidence-model.md") == set()
    bridge = {limit.code for limit in (*coverage_of_api(), *coverage_of_files())}
    assert bridge - named_in("docs/evidence-model-bridge.md") == set()
    telemetry = {limit.code for limit in telemetry_limits()}
    assert telemetry - named_in("docs/evidence-model-telemetry.md") == set()
    openai = {limit.code for limit in (*openai_log_limits(), *openai_log_file_limits())}
    assert openai - named_in("docs/evidence-model-openai-logs.md") == set()
    limits = (*claude_code_limits("", ()), *codex_limits("", ()))
    assert {limit.code for limit in limits} - named_in("docs/evidence-model-stores.md") == set()


def test_the_evidence_models_name_every_gap_code() -> None:
    """A code of a gap cannot be added without a line in a published model."""
    names = ("", "-stores", "-bridge", "-openai-logs")
    models = tuple(f"docs/evidence-model{name}.md" for name in names)
    assert set(get_args(GapCode)) - named_in(*models) == set()


def test_the_model_of_stores_names_every_category() -> None:
    """What `--include` and `--exclude` take stands in the published model, category by category."""
    categories = {*get_args(ClaudeCodeCategory), *get_args(CodexCategory)}
    assert categories - named_in("docs/evidence-model-stores.md") == set()


def test_the_format_names_every_act() -> None:
    """Each act of a journal and of a custody log stands in the text of the format, not only in its list of keys."""
    text_alone = (CODE / "format/FORMAT.md").read_text("utf-8").partition("\n## 13. ")[0]
    acts = {kind.__struct_config__.tag for union in (Event, CustodyEvent) for kind in get_args(union)}
    assert {str(act) for act in acts} - set(re.findall(r"`([a-z_]+)`", text_alone)) == set()
