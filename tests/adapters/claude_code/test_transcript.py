"""Transcripts: facts without content, the same from values and from lines, whatever a record looks like."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.claude_code.transcript import NAMES_MAX, TranscriptReading
from agentaudit.encoding.foreign import Json
from agentaudit.model.base import UNSET
from agentaudit.model.bundle import Spilled, TranscriptFacts
from agentaudit.model.framing import label_of

S1, S2 = "1c27c64e-5bd8-4142-9770-6171b4866689", "5b50536b-fcfd-49c2-81b1-bb6cb637a10a"
SAMPLES = Path(__file__).resolve().parents[4] / "shared/samples/claude-code-2.1.332"
SPILLED_TEXT = "<persisted-output>\nFull output saved to: /x/tool-results/b0.txt\n\nPreview"


def record(number: int, **members: Json) -> dict[str, Json]:
    """A record of a user, the child of the one before."""
    return {
        "type": "user",
        "uuid": f"u{number}",
        "parentUuid": f"u{number - 1}" if number else None,
        "sessionId": S1,
        "timestamp": f"2026-01-01T10:00:{number % 60:02d}.000Z",
        "version": "2.1.332",
        "cwd": "/w/a",
        **members,
    }


def facts(*records: Json, stem: str | None = S1) -> TranscriptFacts:
    """The facts of these records, read both ways."""
    by_value, by_line = TranscriptReading(stem), TranscriptReading(stem)
    for one in records:
        by_value.see(one)
        by_line.see_line(json.dumps(one).encode("utf-8", "surrogatepass"))
    assert by_value.facts() == by_line.facts()
    return by_value.facts()


def test_a_usual_transcript_is_counted() -> None:
    """Records, versions, types and times; nothing in it is remarkable."""
    found = facts(record(0), record(1, type="assistant", version="2.1.333"), {"type": "mode", "sessionId": S1})
    assert found.adapter == "claude-code/1"
    assert (found.records, found.conversation_records, found.untyped, found.untimed) == (3, 2, 0, 1)
    assert found.versions == (("2.1.332", 1), ("2.1.333", 1))
    assert found.types == (("assistant", 1), ("mode", 1), ("user", 1))
    assert found.first_record_at == "2026-01-01T10:00:00.000000Z"
    assert found.last_record_at == "2026-01-01T10:00:01.000000Z"
    assert (found.sessions, found.session, found.own_session, found.cwds) == (1, S1, True, 1)
    assert (found.duplicate_uuids, found.dangling_parents, found.self_parents, found.cyclic_records) == (0, 0, 0, 0)
    assert found.capped == ()


def test_an_empty_transcript_has_facts() -> None:
    """No record, no time, no session, and no fault."""
    found = facts()
    assert (found.records, found.first_record_at, found.session, found.own_session) == (0, None, None, False)
    assert facts(stem=None).own_session is None


def test_records_that_were_appended_again_are_duplicates() -> None:
    """Case D01: the same five uuids with another folder; all are counted."""
    found = facts(*(record(n) for n in range(5)), *(record(n, cwd="/w/b") for n in range(5)))
    assert (found.records, found.duplicate_uuids, found.cwds) == (10, 5, 2)


def test_one_uuid_on_many_rows_of_an_unknown_type_is_a_fact() -> None:
    """Case D02: the type that this adapter does not know is a label."""
    found = facts(*(record(0, type="hook_of_tomorrow") for _ in range(274)))
    assert found.duplicate_uuids == 273
    assert found.types == ((label_of("hook_of_tomorrow"), 274),)


def test_parents_that_are_absent_or_run_in_circles_are_counted() -> None:
    """Cases D05 and D06."""
    found = facts(
        record(0, parentUuid="elsewhere"),
        record(1, parentUuid="u2"),
        record(2, parentUuid="u1"),
        record(3, parentUuid="u3"),
    )
    assert (found.dangling_parents, found.cyclic_records, found.self_parents) == (1, 2, 1)


def test_a_file_may_hold_other_sessions_than_its_name_says() -> None:
    """Cases D08 and D09: one session that is not the stem; two sessions in one file."""
    assert facts(record(0), stem=S2).own_session is False
    found = facts(*(record(n) for n in range(10)), *(record(n + 10, sessionId=S2) for n in range(10)))
    assert (found.records, found.sessions, found.session) == (20, 2, S1)


@pytest.mark.parametrize("first", ["pr-link", "mode", "file-history-snapshot"])
def test_a_transcript_may_begin_with_bookkeeping(first: str) -> None:
    """Cases D11 and D12: whatever comes first, the conversation is found."""
    assert facts({"type": first, "sessionId": S1}, record(1)).conversation_records == 1


def test_bookkeeping_alone_is_no_conversation() -> None:
    """Case A14: two snapshots."""
    assert facts(*(record(n, type="file-history-snapshot") for n in range(2))).conversation_records == 0


def test_a_journal_is_read_like_any_file_of_records() -> None:
    """Case D14: its types are known, and it holds no conversation."""
    found = facts({"type": "started", "agentId": "a"}, {"type": "result", "agentId": "a"})
    assert (found.types, found.conversation_records, found.agents) == ((("result", 1), ("started", 1)), 0, ("a",))


def test_several_folders_of_work_are_counted_and_not_named() -> None:
    """Case E01: the number is a fact, the paths are not given."""
    found = facts(record(0, cwd="/w/a_b"), record(1, cwd="/w/a-b"))
    assert found.cwds == 2
    assert found.cwd_labels == tuple(sorted(label_of(folder) for folder in ("/w/a_b", "/w/a-b")))
    assert "/w/" not in repr(found)


def test_sidechains_compactions_and_moves_are_counted() -> None:
    """Rows of agents, boundaries of both kinds, and the two records of a session that moved."""
    found = facts(
        record(0, isSidechain=True, agentId="a1"),
        {"type": "system", "subtype": "compact_boundary"},
        {"type": "system", "subtype": "microcompact_boundary"},
        {"type": "system", "subtype": "turn_duration"},
        {"type": "user", "subtype": "compact_boundary"},
        {"type": "relocated"},
        {"type": "continued-in"},
        {"type": "continued-in"},
    )
    assert (found.sidechain_records, found.compactions, found.relocations, found.continuations) == (1, 2, 1, 2)


def test_results_name_files_and_agents() -> None:
    """By path, by the words in place of a result, by a progress record; each name once."""
    found = facts(
        record(0, toolUseResult={"persistedOutputPath": "/x/tool-results/a0.txt", "persistedOutputSize": 5}),
        record(1, toolUseResult={"persistedOutputPath": "/x/tool-results/a0.txt"}),
        record(2, message={"content": [{"type": "tool_result", "content": SPILLED_TEXT}]}),
        record(3, toolUseResult={"agentId": "a1", "status": "completed"}),
        record(4, toolUseResult="plain text"),
        record(5, toolUseResult={"agentId": 7}),
        record(6, toolUseResult={"agentId": ""}),
        {"type": "progress", "data": {"type": "agent_progress", "agentId": "a2"}},
        {"type": "progress", "data": "text"},
        {
            "type": "other",
            "data": {"agentId": "a3"},
            "message": {"content": [{"type": "tool_result", "content": SPILLED_TEXT}]},
        },
    )
    assert found.spilled == (Spilled(name="a0.txt", bytes=5), Spilled(name="b0.txt", bytes=None))
    assert found.subagents == ("a1", "a2")


def test_a_name_that_is_no_name_is_a_label() -> None:
    """What a record claims to be a file name may be content."""
    found = facts(record(0, toolUseResult={"persistedOutputPath": "/x/the secret is here"}))
    assert found.spilled == (Spilled(name=label_of("the secret is here"), bytes=None),)


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"null", b'"x"', b"\xff", b"\x00" * 9, b'{"type": NaN}'])
def test_what_is_no_object_is_passed_over(line: bytes) -> None:
    """Framing speaks of it; no fact is made of it."""
    reading = TranscriptReading()
    reading.see_line(line)
    assert reading.facts().records == 0


def test_members_of_other_types_are_absent() -> None:
    """A number in the place of a word is no word; the record still counts."""
    odd: dict[str, Json] = {
        "type": 1, "uuid": 2, "parentUuid": [], "sessionId": {}, "agentId": None, "isSidechain": "yes", "timestamp": 5,
        "version": 2.1, "cwd": False, "message": "text", "toolUseResult": ["x"],
    }  # fmt: skip
    found = facts(odd, "x", 1, None, [odd])
    assert (found.records, found.untyped, found.untimed, found.sidechain_records) == (1, 1, 1, 0)
    assert (found.sessions, found.cwds, found.versions, found.agents) == (0, 0, (), ())


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"user","message":"\\ud83d"}', b'{"type":"user","n":' + b"9" * 5000 + b"}",
        b'{"type":"user","deep":' + b"[" * 3000 + b"]" * 3000 + b"}", b'{"type":"user","message":"\xe9"}',
        b'{"type":"system","type":"user"}',
    ],
)  # fmt: skip
def test_unusual_json_is_a_record(line: bytes) -> None:
    """A lone surrogate, a huge integer, deep nesting, a byte that is no UTF-8, a key given twice."""
    reading = TranscriptReading()
    reading.see_line(line)
    assert reading.facts().types == (("user", 1),)


def test_a_spilled_text_that_cannot_be_read_again_names_nothing() -> None:
    """A message that only looked like one is passed over."""
    reading = TranscriptReading()
    reading.see_line(b'{"type":"user","toolUseResult":{"agentId":1,"x":"\xff"},"message":{"tool-results":1}}')
    assert reading.facts().spilled == ()


def test_memory_is_bounded_and_cuts_are_said() -> None:
    """More uuids than the bound make lineage unknown; more words than the bound are cut."""
    reading = TranscriptReading(S1, uuids_max=10)
    for number in range(1100):
        reading.see(
            record(number, version=f"1.{number}", cwd=f"/w/{number}", sessionId=f"s{number}", type=f"t{number}")
        )
    found = reading.facts()
    assert found.duplicate_uuids is None
    assert set(found.capped) == {"versions", "types", "sessions", "cwds", "uuids"}
    for number in range(NAMES_MAX + 1):
        reading.see(
            {"agentId": f"a{number}", "toolUseResult": {"agentId": f"b{number}", "persistedOutputPath": f"c{number}"}}
        )
    assert set(reading.facts().capped) >= {"agents", "subagents", "spilled"}
    assert len(reading.facts().spilled) == NAMES_MAX


def test_no_content_stands_in_the_facts() -> None:
    """Case G02: the canary in every content field and in every envelope field is in no fact."""
    canary = "canary in a sentence"
    found = facts(
        record(
            0,
            message={"content": canary},
            toolUseResult={"stdout": canary, "agentId": canary},
            cwd=canary,
            type=canary,
            version=canary,
            sessionId=canary,
            agentId=canary,
            timestamp=canary,
            uuid=canary,
            **{canary: canary},
        )
    )
    assert canary not in repr(found)


WORDS = st.none() | st.text(max_size=6) | st.sampled_from(["user", "progress", "system", "compact_boundary", S1, "a1"])
VALUES = st.recursive(
    WORDS | st.integers() | st.booleans(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "content", "text", "agentId", "persistedOutputPath"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)
MEMBERS = st.dictionaries(
    st.sampled_from(
        [
            "type", "subtype", "uuid", "parentUuid", "sessionId", "agentId", "isSidechain", "timestamp", "version",
            "cwd", "message", "toolUseResult", "data", "other",
        ]
    ),
    VALUES,
)  # fmt: skip


@given(st.lists(MEMBERS, max_size=6))
def test_values_and_lines_give_the_same_facts(records: list[dict[str, Json]]) -> None:
    """The short cut over lines is never seen in the result."""
    facts(*records)


def test_facts_are_written_without_loss() -> None:
    """Every field of the struct is set: nothing is left to a default."""
    found = facts(record(0))
    assert all(getattr(found, name) is not UNSET for name in found.__struct_fields__)


@pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not on this machine")
@pytest.mark.parametrize(("run", "spilled"), [("default-gates", "b0ni2e0vv.txt"), ("all-gates", "b1clswk29.txt")])
def test_a_genuine_session_names_its_subagent_and_its_spilled_result(run: str, spilled: str) -> None:
    """The main transcript names one agent; the agent's transcript names one spilled result and its own id."""
    (project,) = (SAMPLES / run / "claude-home/.claude/projects").iterdir()
    (main,), (sub,) = project.glob("*.jsonl"), project.glob("*/subagents/*.jsonl")
    read = {}
    for path in (main, sub):
        reading = TranscriptReading(path.stem)
        for line in path.read_bytes().splitlines():
            reading.see_line(line)
        read[path] = reading.facts()
    assert read[main].own_session
    assert read[main].versions[0][0] == "2.1.332"
    assert read[main].subagents == read[sub].agents == (sub.stem.removeprefix("agent-"),)
    assert read[main].spilled == ()
    assert [one.name for one in read[sub].spilled] == [spilled]
    assert read[sub].sidechain_records > 0
    assert read[main].sidechain_records == 0
    assert all(not kind.startswith("#") for kind, _ in read[main].types)
