"""`agentaudit export-manifest`: what a person types, and what stands on disk afterwards."""

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import jsonschema
import pytest

from agentaudit.cli.keys import VARIABLE
from agentaudit.demo.scenario import demo_world
from agentaudit.demo.server import LoopbackServer
from agentaudit.export.schemas import schema
from agentaudit.format import layout
from tests.cli.conftest import FAST, PEOPLE
from tests.cli.terminal import Terminal

EVERY = tuple(word for one in ("json", "csv", "md", "html", "dat", "case") for word in ("--format", one))
CANARY = "Kanarienvogel7319"


def reports(case: Path) -> list[str]:
    """The names of the reports of a case."""
    return sorted(path.name for path in (case / layout.REPORTS).iterdir()) if (case / layout.REPORTS).exists() else []


def test_a_case_is_exported_whole(case: Path) -> None:
    """Without options every sealed exhibit goes into a new report, as JSON and HTML, and the path is the result."""
    terminal = Terminal()
    assert terminal.run("export-manifest", str(case)) == 0, terminal.err
    assert terminal.out == f"{case / 'reports' / 'R-0001'}\n"
    assert "exported EX-0001, EX-0002 as json, html: 4 files" in terminal.err
    assert "DEMONSTRATION." in terminal.err
    assert "recorded as row 6 of the custody log" in terminal.err
    names = {path.name for path in (case / "reports" / "R-0001").iterdir()}
    assert names == {"export.json", "fact-sheet.txt", "manifest.json", "manifest.html", "sha256sums.txt"}
    assert Terminal().run("verify", str(case)) == 0


def test_the_result_is_a_document(case: Path) -> None:
    """`--json` prints where, what and which digest, and fits its schema."""
    terminal = Terminal()
    assert terminal.run("export-manifest", str(case), "--format", "csv", "--json", "--quiet") == 0
    assert terminal.err == ""
    told = json.loads(terminal.out)
    jsonschema.validate(told, json.loads(schema("exported.json")))
    assert told["formats"] == ["csv"]


def test_one_exhibit_can_be_chosen(case: Path) -> None:
    """A chosen exhibit is told alone, and the document says which others there are."""
    terminal = Terminal()
    assert terminal.run("export-manifest", str(case), "--exhibit", "EX-0002", "--quiet") == 0
    assert terminal.err == ""
    told = json.loads((case / "reports" / "R-0001" / "manifest.json").read_bytes())
    assert [one["exhibit"] for one in told["exhibits"]] == ["EX-0002"]
    assert told["left_out"] == [["EX-0001", "not asked for"]]


def test_an_exhibit_is_exported_into_the_case_around_it(case: Path, tmp_path: Path) -> None:
    """A named exhibit belongs to the case beside it; alone it goes where it is told."""
    terminal = Terminal()
    assert terminal.run("export-manifest", str(case / "EX-0001")) == 0
    assert reports(case) == ["R-0001"]
    alone = Path(shutil.copytree(case / "EX-0001", tmp_path / "handed" / "EX-0001"))
    assert terminal.run("export-manifest", str(alone)) == 7
    assert "--out" in terminal.err
    assert terminal.run("export-manifest", str(alone), "--out", str(tmp_path / "out")) == 0
    assert "recorded nowhere" in terminal.err


def test_content_is_announced(case: Path) -> None:
    """The load file's texts hold content, and the person is told."""
    terminal = Terminal()
    assert terminal.run("export-manifest", str(case), "--format", "dat") == 0
    assert "beside the load file hold CONTENT" in terminal.err


def test_words_that_make_no_sense_are_refused(case: Path) -> None:
    """An unknown format, a choice among one exhibit, a blank examiner: 2, and nothing is written."""
    terminal = Terminal()
    assert terminal.run("export-manifest", str(case), "--format", "pdf") == 2
    assert "one of json, csv, md, html, dat, case" in terminal.err
    assert terminal.run("export-manifest", str(case / "EX-0001"), "--exhibit", "EX-0002") == 2
    assert terminal.run("export-manifest", str(case), "--examiner", " ") == 2
    assert reports(case) == []


def test_faults_end_it_with_4(case: Path) -> None:
    """Nothing is exported from a case or an exhibit with faults; an intact one beside it still can be."""
    page = next((case / "EX-0002" / "data").rglob("*.json"))
    page.write_bytes(page.read_bytes() + b" ")
    terminal = Terminal()
    for words in ((str(case),), (str(case / "EX-0002"),), (str(case), "--exhibit", "EX-0002")):
        assert terminal.run("export-manifest", *words) == 4
        assert "nothing is exported from it" in terminal.err
        assert "agentaudit verify" in terminal.err
    assert reports(case) == []
    assert terminal.run("export-manifest", str(case), "--exhibit", "EX-0001") == 0


def test_what_is_not_sealed_ends_it_with_9(case: Path, empty_case: Path) -> None:
    """A partial exhibit, chosen or named, and a case without a sealed one."""
    (case / "EX-0002").rename(case / "EX-0002.partial")
    terminal = Terminal()
    for words in ((str(case), "--exhibit", "EX-0002"), (str(case / "EX-0002.partial"),), (str(empty_case),)):
        assert terminal.run("export-manifest", *words) == 9, terminal.err
    assert terminal.run("export-manifest", str(case)) == 0, terminal.err
    told = json.loads((case / "reports" / "R-0001" / "manifest.json").read_bytes())
    assert told["left_out"] == [["EX-0002", "not sealed yet"]]


def test_what_is_no_package_ends_it_with_8(case: Path, tmp_path: Path) -> None:
    """A folder that is neither, and an exhibit that is not there."""
    terminal = Terminal()
    assert terminal.run("export-manifest", str(tmp_path)) == 8
    assert terminal.run("export-manifest", str(case), "--exhibit", "EX-0009") == 8


def test_a_folder_that_is_there_ends_it_with_7(case: Path, tmp_path: Path) -> None:
    """Nothing is overwritten."""
    terminal = Terminal()
    assert terminal.run("export-manifest", str(case), "--out", str(tmp_path)) == 7


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case whose every content holds the canary, exported in every format, with names and without."""
    world = demo_world(lambda: datetime.now(UTC), canary=CANARY)
    world.set_budget(shared=10**6, remote=10**6)
    case = tmp_path_factory.mktemp("planted") / "case"
    terminal = Terminal({VARIABLE: world.key()})
    with LoopbackServer(world) as server:
        assert terminal.run("open", str(case), "--number", "N-1", "--title", "T", *PEOPLE) == 0
        assert terminal.run("collect-sessions", str(case), "--family", "both", "--api-root", server.url, *FAST) == 3
    for names in ((), ("--show-names",)):
        assert terminal.run("export-manifest", str(case), *EVERY, *names) == 0, terminal.err
        assert CANARY not in terminal.both
    return case


def test_content_is_in_the_texts_and_nowhere_else(planted: Path) -> None:
    """Of a plain export only the texts of the load file hold the canary."""
    folder = planted / "reports" / "R-0001"
    holding = {path.relative_to(folder).parts[0] for path in folder.rglob("*.*") if holds(path)}
    assert holding == {"texts"}


def test_with_names_addresses_appear_and_no_content(planted: Path) -> None:
    """With names the canary stands in addresses of people, and only there."""
    folder = planted / "reports" / "R-0002"
    told = json.loads((folder / "manifest.json").read_bytes())
    places = set(pointers(told))
    assert places == {"/exhibits/#/sessions/#/user_email_address"}
    for name in ("manifest.case.jsonld", "gaps.csv", "items.csv", "truncations.csv", "walks.csv", "fact-sheet.txt"):
        assert not holds(folder / name)


def holds(path: Path) -> bool:
    """True for a file that holds the canary."""
    return path.is_file() and CANARY.encode() in path.read_bytes()


def pointers(item: object, at: str = "") -> list[str]:
    """Where the canary stands in a document."""
    if isinstance(item, dict):
        return [place for name, inner in item.items() for place in pointers(inner, f"{at}/{name}")]
    if isinstance(item, list):
        return [place for inner in item for place in pointers(inner, f"{at}/#")]
    return [at] if CANARY in str(item) else []
