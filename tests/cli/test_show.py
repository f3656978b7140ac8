"""`show`: what a case or an exhibit holds, without content."""

import json
import shutil
from pathlib import Path

import jsonschema
import msgspec
import pytest

from agentaudit.cli.sessionrows import WIDE, cells, columns, name_lines, shown
from agentaudit.cli.show import CaseResult, ExhibitResult, asked_for
from agentaudit.demo.world import World
from agentaudit.errors import NotSealed
from agentaudit.format import layout
from agentaudit.model.base import Instant
from agentaudit.model.readings import SessionCounts, SessionRow, SessionSource
from agentaudit.model.shown import SelectionShown
from agentaudit.model.text import Unencodable
from agentaudit.review import exhibit_sessions
from tests.cli.terminal import Terminal


def names_of(world: World) -> set[str]:
    """Everything that identifies a person or an organisation of the world."""
    people = {word for user in world.users for word in (user.id, user.email, user.full_name)}
    return people | {part.uuid for part in world.organizations} | {part.name for part in world.organizations}


def test_a_case_is_told_with_its_exhibits_and_seals(collected: Path) -> None:
    """Number, title, people, custody rows; each exhibit with outcome and seal; no names."""
    terminal = Terminal()
    assert terminal.run("show", str(collected)) == 0
    assert "N-1  T" in terminal.out
    assert terminal.out.count("loopback: not the vendor's") == 2
    assert "seal of EX-0002" in terminal.out
    assert f"next: agentaudit verify {collected}" in terminal.err


def test_an_exhibit_is_told_without_names(collected: Path, story: tuple[World, str]) -> None:
    """Sessions have keys; ids, users and organisations stay in the package."""
    for options in ((), ("--json",), ("--all",)):
        terminal = Terminal()
        assert terminal.run("show", str(collected / "EX-0002"), *options) == 0
        assert "s000001" in terminal.out
        assert not [name for name in names_of(story[0]) if name in terminal.both]
        assert "clls_" not in terminal.both


def test_names_are_told_when_asked_for(collected: Path, story: tuple[World, str]) -> None:
    """The review before a collection needs to know whose sessions these are."""
    terminal = Terminal()
    assert terminal.run("show", str(collected / "EX-0001"), "--show-names") == 0
    told = {name for name in names_of(story[0]) if name in terminal.out}
    assert {user.email for user in story[0].users if user.memberships} & told
    assert terminal.out.count("clls_") == 14
    assert terminal.out.count("cse_") == 4
    assert "started by" in terminal.out


@pytest.mark.parametrize("options", [(), ("--show-names",)])
def test_results_are_documents_of_their_schemas(collected: Path, options: tuple[str, ...]) -> None:
    """A case and an exhibit each print one document."""
    terminal = Terminal()
    assert terminal.run("show", str(collected), "--json", *options) == 0
    jsonschema.validate(json.loads(terminal.out), msgspec.json.schema(CaseResult))
    assert terminal.run("show", str(collected / "EX-0001"), "--json", *options) == 0
    document = json.loads(terminal.out)
    jsonschema.validate(document, msgspec.json.schema(ExhibitResult))
    assert len(document["sessions"]) == 18
    assert all((row["names"] is not None) == bool(options) for row in document["sessions"])


def test_a_demonstration_says_so_first(collected: Path) -> None:
    """Nobody takes a demo exhibit for a real one."""
    terminal = Terminal()
    terminal.run("show", str(collected / "EX-0002"))
    assert terminal.out.startswith("DEMONSTRATION")


def test_many_sessions_are_told_in_part(collected: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first rows, the number of the others, and how to see them."""
    monkeypatch.setattr("agentaudit.cli.show.ROWS", 5)
    terminal = Terminal()
    terminal.run("show", str(collected / "EX-0001"))
    assert "s000005" in terminal.out
    assert "s000006" not in terminal.out
    assert "13 more sessions: --all prints them" in terminal.out
    terminal.run("show", str(collected / "EX-0001"), "--all")
    assert "s000018" in terminal.out


def test_a_terminal_gets_rows_that_fit(collected: Path) -> None:
    """No line of the table is wider than the screen."""
    terminal = Terminal(tty=True)
    terminal.run("show", str(collected / "EX-0001"))
    rows = [line for line in terminal.out.splitlines() if line.startswith("  s0000")]
    assert len(rows) == 18
    assert max(map(len, rows)) <= 80


def test_what_is_no_package_is_status_8(tmp_path: Path, case: Path) -> None:
    """A missing path, an empty folder, a file, and an exhibit whose package.json is not ours."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x")
    (case / "EX-0002" / layout.PACKAGE).write_text('{"format":"something else"}\n')
    for path in (tmp_path / "none", tmp_path / "empty", tmp_path / "file", case / "EX-0002"):
        terminal = Terminal()
        assert terminal.run("show", str(path)) == 8, path
        assert terminal.out == ""


def test_a_row_that_is_none_is_status_8(case: Path) -> None:
    """Sessions are read strictly, one line at a time."""
    with (case / "EX-0002" / layout.SESSIONS).open("a") as stream:
        stream.write('{"session":1}\n')
    assert Terminal().run("show", str(case / "EX-0002"), "--all") == 8


def test_a_link_is_not_followed(case: Path, tmp_path: Path) -> None:
    """A package that points outside itself is not read there."""
    sessions = case / "EX-0002" / layout.SESSIONS
    shutil.move(sessions, tmp_path / "outside")
    sessions.symlink_to(tmp_path / "outside")
    assert Terminal().run("show", str(case / "EX-0002")) == 8


def test_a_case_tells_what_is_missing_partial_and_unreadable(case: Path) -> None:
    """A case with damaged exhibits is still told."""
    shutil.move(case / "EX-0001", case / "elsewhere")
    (case / "EX-0002" / layout.PACKAGE).unlink()
    terminal = Terminal()
    assert terminal.run("show", str(case)) == 0
    assert ["EX-0001", "missing"] in [line.split()[:2] for line in terminal.out.splitlines()]
    assert ["EX-0002", "unreadable"] in [line.split()[:2] for line in terminal.out.splitlines()]


def test_package_json_must_be_of_its_type(case: Path) -> None:
    """Canonical JSON of another type is no package.json."""
    (case / "EX-0002" / layout.PACKAGE).write_text("[]\n")
    assert Terminal().run("show", str(case / "EX-0002")) == 8


def test_the_sessions_of_a_partial_are_not_known(case: Path) -> None:
    """They are readings, and readings are made at sealing."""
    partial = case / "EX-0002.partial"
    (case / "EX-0002").rename(partial)
    with pytest.raises(NotSealed):
        list(exhibit_sessions(partial))


def test_a_resumed_exhibit_says_so(case: Path) -> None:
    """An interruption is evidence and stays visible."""
    package = json.loads((case / "EX-0002" / layout.PACKAGE).read_bytes())
    package["resumed"] = 2
    canonical = json.dumps(package, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    (case / "EX-0002" / layout.PACKAGE).write_text(canonical + "\n")
    terminal = Terminal()
    assert terminal.run("show", str(case / "EX-0002")) == 0
    assert "resumed      2 times" in terminal.out


def test_a_case_without_exhibits_says_so(empty_case: Path) -> None:
    """An empty table would look like a fault."""
    terminal = Terminal()
    assert terminal.run("show", str(empty_case)) == 0
    assert "no exhibits yet" in terminal.out


def test_a_partial_is_told_from_its_journal(case: Path) -> None:
    """Pages and bytes so far; no seal, no sessions, no outcome."""
    partial = case / "EX-0002.partial"
    (case / "EX-0002").rename(partial)
    with (partial / layout.JOURNAL).open("ab") as stream:
        stream.write(b'{"torn')
    terminal = Terminal()
    assert terminal.run("show", str(partial)) == 0, terminal.err
    assert "EX-0002  partial" in terminal.out
    assert "not yet" in terminal.out
    assert "outcome" not in terminal.out
    assert f"--resume EX-0002, or agentaudit seal {partial}" in terminal.err
    (partial / layout.JOURNAL).write_bytes(b"")
    assert terminal.run("show", str(partial)) == 8


def test_a_selection_is_one_sentence_with_numbers() -> None:
    """People and ids are counted, not named."""
    asked = SelectionShown(
        families=("local", "remote"),
        window_kind="activity",
        begins=Instant("2026-03-01T00:00:00.000000Z"),
        ends=None,
        sessions=2,
        users=1,
        surfaces=("cowork",),
        organizations=3,
        list_only=False,
        reviewed="EX-0001",
    )
    assert asked_for(asked) == (
        "local and remote, transcripts, activity from 2026-03-01T00:00:00.000000Z until then, 2 sessions by id, "
        "reviewed in EX-0001, 1 user, 3 organisations, surface cowork"
    )


def row(counts: SessionCounts | None = None) -> SessionRow:
    """A session that three answers speak of, with odd words."""
    listed = SessionSource(item="i", pointer="/0", updated_at="2026-03-01T10:00:00Z", product_surface="cowork")
    retrieved = SessionSource(
        item="i",
        pointer="/0",
        updated_at="2026-03-01T11:00:00.5+00:00",
        created_at="2026-03-01T11:00:00+02:00",
        truncated=True,
        user_id=Unencodable(hex="eda0bd", display="?"),
        user_email_address=None,
    )
    return SessionRow(
        session="s000001",
        family="local",
        id="clls_1",
        decision="kept",
        rule=None,
        listed=listed,
        retrieved=retrieved,
        envelope=None,
        disagree=("updated_at",),
        outcome="all_given_with_losses",
        counts=counts or SessionCounts(),
    )


def test_the_retrieve_call_speaks_first() -> None:
    """Its times are exact; what it does not say comes from the list."""
    one = shown(row(), names=True)
    assert (one.updated_at, one.surface, one.truncated_at_source) == ("2026-03-01T11:00:00.5+00:00", "cowork", True)
    assert one.names is not None
    assert (one.names.user_id, one.names.user_email_address) == ("?", None)


def test_losses_of_a_session_are_told_apart() -> None:
    """Blocks, markers, gaps and the source's own mark are never one number."""
    one = shown(
        row(
            SessionCounts(
                clipped_by_our_limit=1,
                clipped_by_server_limit=2,
                clipped_undetermined=3,
                clipped_marker=4,
                gaps=5,
            )
        ),
        names=False,
    )
    assert cells(one, WIDE)[-1] == (
        "all given with losses, 1 block clipped by our limit, 2 blocks clipped by the server, 3 blocks clipped, "
        "4 markers, 5 gaps, truncated at source"
    )
    assert list(name_lines(one)) == []


def test_a_time_of_another_offset_is_shown_as_it_came() -> None:
    """Only UTC is shortened under a heading that says UTC."""
    assert cells(shown(row(), names=False), WIDE)[2:4] == ("2026-03-01T11:00:00+02:00", "2026-03-01 11:00")


@pytest.mark.parametrize("width", [WIDE - 1, WIDE])
def test_each_width_has_as_many_cells_as_headings(width: int) -> None:
    """A narrow table leaves whole columns out."""
    assert len(cells(shown(row(), names=False), width)) == len(columns(width))


def test_what_was_left_out_says_by_which_rule() -> None:
    """A decision stands where there is no outcome."""
    left = msgspec.structs.replace(row(), outcome=None, decision="excluded", rule="other_user")
    assert cells(shown(left, names=False), WIDE)[-1].startswith("excluded: other user")
