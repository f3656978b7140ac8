"""Bundles: which entries belong to which session, and what a session lacks."""

from collections.abc import Mapping

import pytest

from agentaudit.adapters.claude_code.bundles import describe, witness
from agentaudit.adapters.claude_code.members import Group, Member, group, member_of, text_of
from agentaudit.adapters.claude_code.transcript import TranscriptReading
from agentaudit.encoding.foreign import Json
from agentaudit.model.base import UNSET
from agentaudit.model.bundle import RoleTotal, SessionBundle, TranscriptFacts
from agentaudit.model.local import EntryKind, FileState, octets_of
from agentaudit.model.survey import Look, Parts, state_of
from agentaudit.model.text import SourceText, Unencodable

S = "1c27c64e-5bd8-4142-9770-6171b4866689"
T = "5b50536b-fcfd-49c2-81b1-bb6cb637a10a"


def state(size: int = 10, second: int = 100) -> FileState:
    """The state of a file of that size, changed in that second."""
    look = Look(
        size=size, modified_ns=second * 10**9, changed_ns=0, accessed_ns=0, born_ns=None, mode=0o100600, user_id=0,
        group_id=0, device=1, inode=1, links=1, allocated=None,
    )  # fmt: skip
    return state_of(look, None, None)


def member(
    name: SourceText, kind: EntryKind = "file", *, root: str = "r1", second: int = 100, session: str | None = None
) -> Member:
    """An entry of that name."""
    return member_of(root, name, kind, state(second=second), session)


def bundles(
    *members: Member,
    facts: Mapping[tuple[str, Parts], TranscriptFacts] | None = None,
    history: Mapping[tuple[str, SourceText], int] | None = None,
    running: Mapping[tuple[str, SourceText], tuple[int, ...]] | None = None,
) -> tuple[SessionBundle, ...]:
    """The bundles of these entries."""
    return describe(group(members), facts or {}, history or {}, running or {})


def read(*records: Json) -> TranscriptFacts:
    """The facts of a transcript."""
    reading = TranscriptReading(S)
    for record in records:
        reading.see(record)
    return reading.facts()


def names_of(one: Group) -> list[str]:
    """The true names of a bundle's members."""
    return [str(text_of(found.parts)) for found in one.members]


def test_the_stores_of_a_session_are_one_bundle() -> None:
    """Transcript, folder, and what lies outside the project folder; what no session owns is in none."""
    paths = (
        "history.jsonl", f"file-history/{S}/a@v1", f"projects/-p/{S}.jsonl", f"projects/-p/{S}/subagents/agent-x.jsonl",
        f"tasks/{S}/1.json", "tasks/team-alpha/1.json", f"todos/{S}-agent-{S}.json", "settings.json",
    )  # fmt: skip
    (one,) = group(member(path) for path in paths)
    assert (one.key, one.root, one.project, one.session) == ("s000001", "r1", "-p", S)
    assert names_of(one) == [paths[1], paths[2], paths[3], paths[4], paths[6]]


def test_keys_follow_root_project_and_session() -> None:
    """Root r2 comes before r10, a nested root after its root, sessions without a project folder last."""
    members = (
        member(f"projects/-a/{S}.jsonl", root="r10"), member(f"projects/-b/{S}.jsonl", root="r2"),
        member(f"projects/-a/{T}.jsonl", root="r2"), member(f"projects/-a/{S}.jsonl", root="r2"),
        member(f"o/a/local_1/.claude/projects/-a/{S}.jsonl", root="r2"), member("debug/" + T[:-1] + "0.txt", root="r2"),
        member(f"projects/-a/{S}.jsonl", root="other"),
    )  # fmt: skip
    found = [(one.key, one.root, len(one.nested), one.project, one.session) for one in group(members)]
    assert found == [
        ("s000001", "other", 0, "-a", S),
        ("s000002", "r2", 0, "-a", S),
        ("s000003", "r2", 0, "-a", T),
        ("s000004", "r2", 0, "-b", S),
        ("s000005", "r2", 0, None, T[:-1] + "0"),
        ("s000006", "r2", 4, "-a", S),
        ("s000007", "r10", 0, "-a", S),
    ]


def test_the_same_session_in_several_places_is_several_bundles() -> None:
    """Cases E13, F10 and F11: two folders, two roots; each names the others, and shared stores go to the first."""
    found = bundles(
        member(f"projects/-b/{S}.jsonl"), member(f"projects/-a/{S}.jsonl"), member(f"projects/-a/{S}.jsonl", root="r2"),
        member(f"debug/{S}.txt"),
    )  # fmt: skip
    assert [one.also_in for one in found] == [("s000002", "s000003"), ("s000001", "s000003"), ("s000001", "s000002")]
    assert [one.witnesses for one in found] == [(("debug", 1),), (), ()]


def test_an_old_agent_file_belongs_to_the_session_that_it_names() -> None:
    """Trap 16: by its rows and not by its folder; unread it belongs to none."""
    named = member("projects/-p/agent-a1b2c3d4.jsonl", session=S)
    sidecar = member("projects/-p/agent-a1b2c3d4.meta.json", session=S)
    unread = member("projects/-p/agent-ffffffff.jsonl")
    (one,) = group((member(f"projects/-p/{S}.jsonl"), named, sidecar, unread))
    assert one.members[1:] == (named, sidecar)
    assert member(f"projects/-p/{T}.jsonl", session=S).placed.session == T


def test_a_folder_without_a_transcript_is_a_bundle() -> None:
    """Case F06: the husk is counted, and says that its transcript is missing."""
    (one,) = bundles(member(f"projects/-p/{S}", "folder"), member(f"projects/-p/{S}/subagents/agent-x.jsonl"))
    assert (one.transcript, one.folder, one.newer_siblings) == ("missing", True, 0)
    assert one.roles == (RoleTotal(role="subagent", count=1, bytes=10),)


def test_a_transcript_without_a_folder_is_a_bundle() -> None:
    """Nothing lies beside it, and that is no fault."""
    (one,) = bundles(member(f"projects/-p/{S}.jsonl"))
    assert (one.transcript, one.folder, one.bytes) == ("present", False, 10)
    assert one.modified_at == "1970-01-01T00:01:40.000000000Z"


@pytest.mark.parametrize("kind", ["folder", "link", "fifo"])
def test_a_transcript_that_is_no_file_is_unreadable(kind: EntryKind) -> None:
    """Cases E07 and E08."""
    (one,) = bundles(member(f"projects/-p/{S}.jsonl", kind))
    assert (one.transcript, one.bytes, one.modified_at, one.roles) == ("unreadable", 0, None, ())


def test_a_session_that_only_other_stores_know_is_a_bundle() -> None:
    """Case F14: file history, tasks and an empty folder of its environment bear witness."""
    (one,) = bundles(
        member(f"file-history/{S}/a@v1"), member(f"tasks/{S}", "folder"), member(f"session-env/{S}", "folder"),
        history={("r1", S): 3, ("r2", S): 9},
    )  # fmt: skip
    assert (one.project, one.transcript) == (None, "missing")
    assert one.witnesses == (("file-history", 1), ("history", 3), ("session-env", 1), ("tasks", 1))


def test_files_that_are_newer_than_the_transcript_are_counted() -> None:
    """A transcript that stopped while its siblings grew."""
    (one,) = bundles(
        member(f"projects/-p/{S}.jsonl"),
        member(f"projects/-p/{S}/subagents/agent-x.jsonl", second=101),
        member(f"projects/-p/{S}/subagents/agent-y.jsonl", second=99),
        member(f"projects/-p/{S}/subagents", "folder", second=200),
    )
    assert one.newer_siblings == 1
    assert one.modified_at == "1970-01-01T00:01:41.000000000Z"


def test_names_in_transcripts_are_compared_with_files() -> None:
    """Named and absent, present and unnamed; agents likewise, wherever in the bundle they are named."""
    main, agent = member(f"projects/-p/{S}.jsonl"), member(f"projects/-p/{S}/subagents/agent-a1.jsonl")
    facts = {
        ("r1", main.parts): read({"toolUseResult": {"agentId": "a1"}}, {"toolUseResult": {"agentId": "a2"}}),
        ("r1", agent.parts): read(
            {"agentId": "a1", "toolUseResult": {"persistedOutputPath": "/x/tool-results/b1.txt"}},
            {"agentId": "a1", "toolUseResult": {"persistedOutputPath": "/x/tool-results/b2.txt"}},
        ),
    }
    results = (member(f"projects/-p/{S}/tool-results/b1.txt"), member(f"projects/-p/{S}/tool-results/b3.txt"))
    (one,) = bundles(main, agent, *results, facts=facts)
    assert (one.spilled_absent, one.spilled_unnamed, one.subagents_absent) == (("b2.txt",), ("b3.txt",), ("a2",))


def test_agents_whose_rows_stand_in_the_main_transcript_are_not_absent() -> None:
    """The old layout: sidechain rows inside the file itself."""
    main = member(f"projects/-p/{S}.jsonl")
    facts = {("r1", main.parts): read({"toolUseResult": {"agentId": "a1"}}, {"agentId": "a1", "isSidechain": True})}
    assert bundles(main, facts=facts)[0].subagents_absent == ()


def test_a_resumed_session_may_name_what_an_older_one_holds() -> None:
    """Names are compared over the root: repeated history names the older session's files."""
    old, new = member(f"projects/-p/{S}.jsonl"), member(f"projects/-p/{T}.jsonl")
    said = read({"toolUseResult": {"persistedOutputPath": "/x/tool-results/b1.txt"}})
    held = member(f"projects/-p/{S}/tool-results/b1.txt")
    first, second = bundles(old, new, held, facts={("r1", new.parts): said, ("r1", old.parts): read()})
    assert (first.spilled_unnamed, second.spilled_absent) == ((), ())


def test_what_was_not_read_is_not_said() -> None:
    """Without facts nothing is named and nothing is absent; one unread transcript leaves `unnamed` unsaid."""
    main, agent = member(f"projects/-p/{S}.jsonl"), member(f"projects/-p/{S}/subagents/agent-a1.jsonl")
    (one,) = bundles(main, agent)
    assert (one.spilled_absent, one.spilled_unnamed, one.subagents_absent) == (UNSET, UNSET, UNSET)
    (half,) = bundles(main, agent, facts={("r1", main.parts): read()})
    assert (half.spilled_absent, half.spilled_unnamed, half.subagents_absent) == ((), UNSET, ())


def test_a_running_session_is_said() -> None:
    """The process ids of the root's own running-session files, as facts."""
    members = (member(f"projects/-p/{S}.jsonl"), member(f"projects/-p/{S}.jsonl", root="r2"))
    assert [one.running for one in bundles(*members, running={("r1", S): (42, 43)})] == [(42, 43), ()]


def test_a_name_that_is_no_utf8_is_carried() -> None:
    """Project, session and spilled result keep their bytes."""
    odd = Unencodable(
        hex=f"projects/-\udcff/{S}/tool-results/\udcfe.txt".encode("utf-8", "surrogateescape").hex(), display="?"
    )
    held = member(odd)
    assert text_of(held.parts) == Unencodable(hex=odd.hex, display=octets_of(odd).decode("utf-8", "backslashreplace"))
    (one,) = bundles(held)
    assert one.project == Unencodable(hex="2dff", display="-\\xff")
    assert one.spilled_unnamed == (Unencodable(hex="fe2e747874", display="\\xfe.txt"),)
    assert one.nested is UNSET


def test_a_bundle_of_a_nested_root_names_that_root() -> None:
    """The path of the root inside the root is given; a task of the desktop application is a bundle too."""
    record, transcript = member("o/a/local_1.json"), member(f"o/a/local_1/.claude/projects/-p/{S}.jsonl")
    first, second = bundles(record, transcript)
    assert (first.session, first.project, first.nested) == ("local_1", None, UNSET)
    assert second.nested == "o/a/local_1/.claude"


def test_the_history_bears_witness_of_sessions_without_a_transcript() -> None:
    """Sessions that a root's history names, less those whose transcript is there."""
    groups = group(
        (member(f"projects/-p/{S}.jsonl"), member(f"debug/{T}.txt"), member(f"projects/-p/{T}.jsonl", root="r2"))
    )
    history: dict[tuple[str, SourceText], int] = {("r1", S): 2, ("r1", T): 3, ("r1", "x"): 1, ("r2", T): 5}
    found = witness("r1", groups, history)
    assert (found.lines, found.sessions, found.without_transcript) == (6, 3, 2)
