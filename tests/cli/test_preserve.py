"""`preserve-local-bundle` on the command line: what is told, what is refused, what `show` says afterwards."""

import json
import os
from pathlib import Path

import jsonschema
import msgspec
import pytest

from agentaudit.acquire.progress import State
from agentaudit.cli.bundlerows import WIDE, bundle_cells, bundle_columns, bundle_lines, bundle_shown, framing_words
from agentaudit.cli.progress import sentence
from agentaudit.cli.show import ExhibitResult, asked_for
from agentaudit.cli.summary import summary
from agentaudit.demo.store import demo_store, session_id
from agentaudit.model.base import UNSET
from agentaudit.model.results import Preserved, SealedResult, SurveyResult
from agentaudit.model.sessionrow import BundleRow
from agentaudit.model.shown import BundlesShown
from agentaudit.review import exhibit_sessions
from tests.cli.terminal import Terminal
from tests.support.disks import FailingDisk, Killed
from tests.support.storing import Storing

PEOPLE = ("--examiner", "E. Examiner", "--authority", "Order 7")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of the demo."""
    return demo_store(tmp_path_factory.mktemp("local") / "home" / ".claude")


@pytest.fixture(scope="module")
def preserved(store: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Terminal]:
    """A case with everything of it; and what was written on the way."""
    case, terminal = tmp_path_factory.mktemp("case") / "case", Terminal()
    assert terminal.run("open", str(case), "--number", "N-1", "--title", "T", *PEOPLE) == 0
    assert terminal.run("preserve-local-bundle", str(case), "--root", str(store), "--all") == 0, terminal.err
    return case, terminal


def names(store: Path) -> set[str]:
    """Names that nobody should see unless asked."""
    return {path.name for path in (store / "projects").iterdir()} | {
        session_id(name) for name in ("first", "second", "third", "husk")
    }


def test_the_summary_speaks_of_files_and_their_framing(preserved: tuple[Path, Terminal]) -> None:
    """Files and bytes, lines with findings by class; neither messages nor pages."""
    told = preserved[1].err
    assert "files      8, 16.5 kB" in told
    assert "1 cut+object, 1 glued" in " ".join(told.split())
    assert "messages" not in told
    assert "pages" not in told
    assert told.count("DEMONSTRATION") == 1
    assert preserved[1].out == f"{preserved[0] / 'EX-0001'}\n"


def test_a_survey_shows_labels_and_is_a_document(store: Path, preserved: tuple[Path, Terminal]) -> None:
    """Nothing is begun; the document is of its schema; names come only when they are asked for."""
    case = preserved[0]
    arguments = ("preserve-local-bundle", str(case), "--root", str(store), "--dry-run")
    terminal = Terminal()
    for options in ((), ("--json",)):
        assert terminal.run(*arguments, *options) == 0, terminal.err
        assert not [name for name in names(store) if name in terminal.both]
    jsonschema.validate(json.loads(terminal.out), msgspec.json.schema(SurveyResult))
    assert terminal.run(*arguments, "--show-names") == 0
    assert names(store) - {"-w-linked"} <= {name for name in names(store) if name in terminal.out}
    assert "other witnesses" in terminal.out
    assert "cleanupPeriodDays = 30" in terminal.out
    assert sorted(path.name for path in case.iterdir()) == ["EX-0001", "case.json", "custody.jsonl"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "nothing is selected"),
        (("--all", "--session", "x"), "contradict"),
        (("--all", "--include", "history", "--exclude", "history"), "excluded and included"),
        (("--all", "--include", "credentials"), "is no category"),
        (("--all", "--agent", "nobody"), "is not known"),
        (("--resume", "EX-0001", "--all"), "own selection"),
    ],
)
def test_arguments_that_make_no_sense_are_status_2(
    store: Path, preserved: tuple[Path, Terminal], options: tuple[str, ...], message: str
) -> None:
    """And nothing is started."""
    terminal = Terminal()
    root = () if "--resume" in options else ("--root", str(store))
    assert terminal.run("preserve-local-bundle", str(preserved[0]), *root, *options) == 2
    assert message in terminal.err


def test_a_survey_tells_what_the_store_says_of_itself(tmp_path: Path, preserved: tuple[Path, Terminal]) -> None:
    """Listing caches of each root added up, and releases that lie on the machine."""
    root = tmp_path / ".claude"
    for project, listed in (("-a", (1, 2)), ("-b", (3,)), ("-c", None)):
        folder = root / "projects" / project
        folder.mkdir(parents=True)
        (folder / "1.jsonl").write_bytes(b"{}\n")
        listing = {"entries": [{"sessionId": str(number)} for number in listed]} if listed else []
        (folder / "sessions-index.json").write_text(json.dumps(listing))
    os.truncate(root / "projects" / "-a" / "1.jsonl", 2**41)
    package = root / "local/node_modules/@anthropic-ai/claude-code/package.json"
    package.parent.mkdir(parents=True)
    package.write_text('{"version":"2.0.1"}')
    terminal = Terminal()
    assert terminal.run("preserve-local-bundle", str(preserved[0]), "--root", str(root), "--dry-run") == 0
    told = " ".join(terminal.out.split())
    assert "listing caches r1 3 sessions named, 2 without a transcript; 1 transcript not named" in told
    assert "not named; 1 cache of no known form" in told
    assert "installed r1 2.0.1, installed inside the root" in told
    assert "would copy 6 files, 2,199.0 GB, which take" in told
    assert "the rest are holes" in told


def test_a_folder_that_is_no_case_and_a_store_that_is_none(store: Path, tmp_path: Path) -> None:
    """Status 7 for the case, 5 for the store."""
    terminal = Terminal()
    assert terminal.run("preserve-local-bundle", str(tmp_path / "no"), "--root", str(store), "--dry-run") == 7
    case = tmp_path / "case"
    assert terminal.run("open", str(case), "--number", "N", "--title", "T", *PEOPLE) == 0
    assert terminal.run("preserve-local-bundle", str(case), "--root", str(tmp_path / "none"), "--all") == 5


def test_the_root_of_the_environment_is_the_default(
    store: Path, preserved: tuple[Path, Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`CLAUDE_CONFIG_DIR` is used where no root is named; else the home folder's."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(store))
    terminal = Terminal()
    assert terminal.run("preserve-local-bundle", str(preserved[0]), "--dry-run") == 0
    assert "environment" in terminal.out
    monkeypatch.delenv("CLAUDE_CONFIG_DIR")
    monkeypatch.setenv("HOME", str(store.parent))
    assert terminal.run("preserve-local-bundle", str(preserved[0]), "--dry-run") == 0
    assert "default" in terminal.out


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_show_tells_a_local_exhibit_without_names(
    store: Path, preserved: tuple[Path, Terminal], options: tuple[str, ...]
) -> None:
    """What was asked for, roots and sessions by label; the same label that the survey shows."""
    terminal = Terminal()
    assert terminal.run("show", str(preserved[0] / "EX-0001"), *options) == 0, terminal.err
    assert not [name for name in (*names(store), str(store)) if name in terminal.both]
    assert "s000004" in terminal.out
    if options:
        jsonschema.validate(json.loads(terminal.out), msgspec.json.schema(ExhibitResult))
    else:
        assert "asked for  claude-code: every session, 1 named root" in terminal.out
        assert "1 cut+object, 1 glued, 1 incomplete_tail, 1 nul_run" in terminal.out
        assert "transcript missing" in terminal.out
        assert "1 spilled result named and absent, 1 subagent named and absent" in terminal.out


def test_show_tells_names_when_they_are_asked_for(store: Path, preserved: tuple[Path, Terminal]) -> None:
    """Ids, project folders, and where the root lies."""
    terminal = Terminal()
    assert terminal.run("show", str(preserved[0] / "EX-0001"), "--show-names") == 0
    assert session_id("first") in terminal.out
    assert "project  -w-harbour" in terminal.out
    assert str(store) in terminal.out


def test_an_interrupted_one_is_shown_resumed_and_checked(store: Path, tmp_path: Path) -> None:
    """`show` names the command that goes on with it; with `--resume` it ends as any other."""
    case, terminal = tmp_path / "case", Terminal()
    assert terminal.run("open", str(case), "--number", "N", "--title", "T", *PEOPLE) == 0
    with pytest.raises(Killed):
        Storing(case, (store,)).preserve(disk=(disk := FailingDisk(5, only="create")))
    disk.release()
    assert terminal.run("show", str(case / "EX-0001.partial")) == 0
    assert f"agentaudit preserve-local-bundle {case} --resume EX-0001" in terminal.err
    assert "r1  #" in terminal.out
    assert terminal.run("preserve-local-bundle", str(case), "--resume", "EX-0001", "--json") == 0
    document = json.loads(terminal.out)
    jsonschema.validate(document, msgspec.json.schema(SealedResult))
    assert document["preserved"]["files"] == 8
    assert terminal.run("verify", str(case)) == 0


def test_a_selection_of_a_store_is_one_sentence_with_numbers() -> None:
    """Ids, projects and roots are counted."""
    asked = BundlesShown(
        agent="claude-code", roots=0, sessions=2, projects=1, everything=False, excluded=("debug",), included=("plans",)
    )
    assert asked_for(asked) == (
        "claude-code: chosen sessions, 2 sessions by id, 1 project, the root of this user, with plans, without debug"
    )


def bundle_row(preserved: tuple[Path, Terminal]) -> BundleRow:
    """The first bundle."""
    row = next(iter(exhibit_sessions(preserved[0] / "EX-0001")))
    assert isinstance(row, BundleRow)
    return row


@pytest.mark.parametrize("width", [WIDE - 1, WIDE])
def test_each_width_has_as_many_cells_as_headings(preserved: tuple[Path, Terminal], width: int) -> None:
    """A narrow table leaves whole columns out."""
    one = bundle_shown(bundle_row(preserved), names=False)
    assert len(bundle_cells(one, width)) == len(bundle_columns(width))
    assert list(bundle_lines(one)) == []


def test_odd_bundles_are_told(preserved: tuple[Path, Terminal]) -> None:
    """Without a project, in a root inside the root, with many releases, running, twice, left out, unread."""
    row = bundle_row(preserved)
    bundle = msgspec.structs.replace(
        row.bundle, project=None, nested="a/.claude", also_in=("s000009",), running=(7,), project_cwds=2,
        spilled_absent=UNSET, spilled_unnamed=("a", "b"), subagents_absent=UNSET,
    )  # fmt: skip
    odd = msgspec.structs.replace(
        row, bundle=bundle, decision="excluded", rule="not_selected", outcome=None, gaps=2,
        versions=(("1.0", 1), ("2.0", 1), ("3.0", 1)),
    )  # fmt: skip
    one = bundle_shown(odd, names=True)
    cells = bundle_cells(one, WIDE)
    assert cells[1] == "-"
    assert cells[4] == "1.0, 2.0 and 1 more"
    assert cells[-1] == (
        "excluded: not selected, 2 spilled results that nothing names, 2 gaps, same id as s000009, its project folder "
        "stands for 2 working folders, a process says it writes it"
    )
    assert one.spilled_absent is None
    assert [line.split()[-1] for line in bundle_lines(one)][1:] == ["-", "a/.claude"]


def test_words_for_framing() -> None:
    """Lines by class; nothing where there is no finding."""
    assert framing_words((("cut", 1_200), ("glued", 1))) == "1,200 cut, 1 glued"
    assert framing_words(()) == ""


def test_the_summary_tells_what_changed_and_what_is_sound(preserved: tuple[Path, Terminal]) -> None:
    """A file that grew is named by number; lines without findings are said to be what they are."""
    terminal = Terminal()
    assert terminal.run("show", str(preserved[0] / "EX-0001"), "--json") == 0
    counts = json.loads(terminal.out)["shown"]["counts"]
    fields = {"case": "N", "exhibit": "E", "path": "p", "endpoint_class": "store", "outcome": "all_given"}
    empty: dict[str, list[str]] = {"gaps": [], "session_outcomes": [], "warnings": []}
    seal = "sha256:" + "0" * 64
    result = msgspec.convert({"result": "sealed", "seal": seal, "counts": counts, **fields, **empty}, SealedResult)
    grew = Preserved(files=2, framed=1, lines=3, framing=(), changes=(("grew", 1),))
    still = Preserved(files=2, framed=1, lines=0, framing=(), changes=())
    for one, words in ((grew, ("each one complete JSON object", "1 grew")), (still, ("0 lines in 1 file",))):
        lines = summary(msgspec.structs.replace(result, preserved=one), "next", 100)
        told = " ".join(" ".join(lines).split())
        assert all(word in told for word in words)
        assert ("changed" in told) == bool(one.changes)


def test_progress_of_a_copy_is_a_bar_by_bytes() -> None:
    """Copied of how much; it never runs over."""
    state = State("copying", tasks_done=1, tasks_total=4, pages=1, octets=50_000, unit="file", octets_total=200_000)
    assert sentence(state, 0.0) == "copying: 1 of 4, 1 file, [#####...............] 50.0 kB of 200.0 kB"
    full = State("copying", octets=9, unit="file", octets_total=0)
    assert "[####################]" in sentence(full, 2.0)
    assert "2.0 files/s" in sentence(full, 2.0)


def test_a_root_that_cannot_be_entered_is_status_5(store: Path, tmp_path: Path) -> None:
    """A file is no root."""
    case, terminal = tmp_path / "case", Terminal()
    assert terminal.run("open", str(case), "--number", "N", "--title", "T", *PEOPLE) == 0
    assert terminal.run("preserve-local-bundle", str(case), "--root", str(store / "settings.json"), "--all") == 5
    assert os.listdir(case)  # noqa: PTH208 - only the case's own files
