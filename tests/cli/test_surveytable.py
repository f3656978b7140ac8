"""A survey on the terminal: what is unusual about a session, and what was named in vain, is in words."""

import io

from agentaudit.cli.console import Console
from agentaudit.cli.surveytable import tell_survey
from agentaudit.model.results import SurveyedRoot, SurveyedSession, SurveyResult


def session(**more: object) -> SurveyedSession:
    """A session bundle of one file."""
    usual: dict[str, object] = {
        "session": "s000001", "root": "r1", "project": None, "id": "#id", "transcript": "present", "bytes": 1_000,
        "modified_at": None, "subagents": 0, "spilled_results": 0, "preserved_files": 0, "preserved_bytes": 0,
        "left_out": (), "running": (), "also_in": (),
    }  # fmt: skip
    return SurveyedSession(**{**usual, **more})  # type: ignore[arg-type]


def told(*sessions: SurveyedSession, **more: object) -> str:
    """The survey of these sessions, as it is printed."""
    root = SurveyedRoot(
        root="r1", path="#root", found="named", file_system="ext4", read_only=True, access_times_kept=None, entries=7
    )
    usual: dict[str, object] = {
        "agent": "claude-code", "roots": (root,), "sessions": sessions, "files": 0, "bytes": 0, "left_out": (),
        "missing_sessions": (), "missing_projects": (), "absent_roots": (), "history_sessions_without_transcript": 0,
        "switches": (),
    }  # fmt: skip
    out = io.StringIO()
    result = SurveyResult(**{**usual, **more})  # type: ignore[arg-type]
    tell_survey(Console(out, io.StringIO(), io.BytesIO(), {}), result)
    return out.getvalue()


def test_what_is_unusual_about_a_session_is_noted() -> None:
    """A lost transcript, a process that says it runs it, and the same session elsewhere."""
    page = told(session(transcript="absent", running=(41,), also_in=("r2", "r3")))
    assert "transcript absent, a process says it runs, also r2, r3" in page


def test_a_session_of_which_nothing_would_be_copied_says_so() -> None:
    """A dash, not a size of nothing; without a project folder likewise."""
    row = next(line for line in told(session()).splitlines() if line.startswith("  s000001"))
    assert row.split()[1:3] == ["-", "#id"]
    assert row.split()[-1] == "-"


def test_what_was_named_in_vain_is_told() -> None:
    """Sessions, projects and roots that no store holds; control characters in their names are written out."""
    page = told(missing_sessions=("a\x07",), missing_projects=("p",), absent_roots=("/gone",))
    for words in ("session a\\x07", "not found   p", "not found   /gone"):
        assert words in page


def test_witnesses_and_switches_are_told() -> None:
    """Sessions that the history alone names, switches that explain gaps, rules that keep entries out."""
    page = told(
        history_sessions_without_transcript=1_200,
        switches=(("r1", "cleanupPeriodDays", "1"),),
        left_out=(("credentials_inode", 1), ("a rule of later", 2)),
    )
    assert "1,200 sessions only the history names" in page
    assert "r1 cleanupPeriodDays = 1" in page
    assert "1  credentials, by a hard link to them" in page
    assert "2  a rule of later" in page


def test_a_root_that_nobody_asked_for_is_reported_as_that() -> None:
    """It is named with the way to survey it, and its access times are not spoken of."""
    root = SurveyedRoot(
        root="r2", path="#other", found="reported", file_system=None, read_only=None, access_times_kept=None, entries=0
    )
    page = told(roots=(root,))
    assert "r2  #other  exists and was not asked for; name it with --root to survey it" in page
    assert "access times" not in page
