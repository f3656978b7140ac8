"""Rollouts: facts line by line, the same by value and by text, never a word of content."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.codex.lines import HEAD, line_in, line_of
from agentaudit.adapters.codex.rollout import DISTINCT_MAX, Head, RolloutReading, head_of
from agentaudit.encoding.foreign import Json, decode
from agentaudit.model.codex import RolloutFacts
from agentaudit.model.framing import label_of
from agentaudit.model.text import Unencodable
from tests.adapters.codex.homes import SAMPLE, A, B, C, line, rollout_name, text

CANARY = "tell-nobody " * 3
META: dict[str, Json] = {
    "id": A, "cwd": "/home/u/app", "cli_version": "0.171.0", "originator": "codex_exec", "source": "exec",
    "history_mode": "paginated", "base_instructions": CANARY,
}  # fmt: skip


def facts(*records: Json, stem: str | None = A) -> RolloutFacts:
    """The facts of lines given as values; text gives the same."""
    by_value, by_text = RolloutReading(stem), RolloutReading(stem)
    for record in records:
        by_value.see(record)
        by_text.see_line(text(record))
    assert by_value.facts() == by_text.facts()
    assert CANARY.strip() not in repr(by_value.facts())
    return by_value.facts()


def test_a_rollout_says_who_wrote_it() -> None:
    """Thread, release, originator, source and mode come from the head alone."""
    found = facts(line("session_meta", META, ordinal=0))
    assert (found.records, found.session_metas, found.thread, found.own_thread) == (1, 1, A, True)
    assert (found.versions, found.originators) == ((("0.171.0", 1),), (("codex_exec", 1),))
    assert (found.sources, found.history_modes) == ((("exec", 1),), (("paginated", 1),))
    assert (found.form, found.types) == ("enveloped", (("session_meta", 1),))


def test_many_heads_are_many_threads() -> None:
    """A fork repeats the heads of its origin: the first one counts, all are named."""
    found = facts(
        line("session_meta", META | {"id": B, "forked_from_id": A}),
        *(line("session_meta", META) for _ in range(28)),
        line("session_meta", {"id": CANARY}),
    )
    assert (found.session_metas, found.thread, found.own_thread) == (30, B, True)
    assert (found.threads, found.forked_from) == (tuple(sorted((A, B, label_of(CANARY)))), (A,))


def test_a_name_that_no_head_has_is_said() -> None:
    """Where the name states no thread nothing is said."""
    assert facts(line("session_meta", META), stem=B).own_thread is False
    assert facts(line("session_meta", META), stem=None).own_thread is None
    assert facts(line("event_msg", {"type": "error"})).own_thread is False


@pytest.mark.parametrize(
    ("source", "word", "parents"),
    [
        ({"subagent": {"thread_spawn": {"parent_thread_id": B, "depth": 1}}}, "subagent", (B,)),
        ({"subagent": "review"}, "subagent", ()),
        ("cli", "cli", ()),
        ({CANARY: {}}, label_of(CANARY), ()),
        ({}, None, ()),
        (7, None, ()),
    ],
)
def test_a_subagent_names_its_spawner(source: Json, word: str | None, parents: tuple[str, ...]) -> None:
    """Wherever in the source it stands; an unknown word is a label."""
    found = facts(line("session_meta", {"id": A, "source": source}))
    assert found.sources == (() if word is None else ((word, 1),))
    assert found.parents == parents
    assert facts(line("session_meta", {"id": A, "parent_thread_id": C})).parents == (C,)


def test_a_source_without_end_ends() -> None:
    """Only so many members are looked at."""
    wide: Json = {"subagent": {str(number): {} for number in range(1_000)}}
    assert facts(line("session_meta", {"source": wide})).parents == ()


def test_lines_and_payloads_are_counted() -> None:
    """Known types by their words, unknown ones by labels."""
    found = facts(
        line("response_item", {"type": "message", "role": "user", "content": CANARY}),
        line("response_item", {"type": "message", "role": "developer"}),
        line("response_item", {"type": "function_call", "name": CANARY}),
        line("event_msg", {"type": CANARY}),
        line("world_state", {"full": True}),
        line(CANARY, {"type": "message"}),
        line("event_msg", "no object"),
        line(None, {"type": "message"}),
    )
    assert found.payloads == tuple(
        sorted(
            {
                "response_item/message": 2, "response_item/function_call": 1, f"event_msg/{label_of(CANARY)}": 1,
                f"{label_of(CANARY)}/message": 1,
            }.items()
        )
    )  # fmt: skip
    assert dict(found.types)["event_msg"] == 2
    assert (found.untyped, found.conversation_records) == (1, 1)


@pytest.mark.parametrize(
    ("payload", "talks"),
    [
        ({"type": "message", "role": "assistant"}, 1),
        ({"type": "message", "role": "system"}, 0),
        ({"type": "message"}, 0),
        ({"type": "reasoning", "role": "user"}, 0),
    ],
)
def test_a_conversation_is_told_from_bookkeeping(payload: Json, talks: int) -> None:
    """Messages of user and assistant count; items of other kinds do not."""
    assert facts(line("response_item", payload)).conversation_records == talks
    assert facts(line("event_msg", {"type": "user_message"})).conversation_records == 1
    assert facts(line("event_msg", {"type": "token_count"})).conversation_records == 0


def test_turns_compactions_and_rollbacks_are_counted() -> None:
    """A turn that began and did not end stays open."""
    found = facts(
        line("event_msg", {"type": "task_started"}),
        line("event_msg", {"type": "task_complete"}),
        line("event_msg", {"type": "task_started"}),
        line("compacted", {"message": CANARY}),
        line("event_msg", {"type": "context_compacted"}),
        line("event_msg", {"type": "thread_rolled_back"}),
    )
    assert (found.turns_open, found.compactions, found.rollbacks) == (1, 1, 1)


def test_times_are_those_of_the_records() -> None:
    """The least and the greatest; steps back are counted."""
    found = facts(
        line("event_msg", {}, at="2026-11-29T10:00:00Z"),
        line("event_msg", {}, at="2026-11-29T09:00:00Z"),
        line("event_msg", {}, at="when?"),
        {"type": "event_msg", "payload": {}, "timestamp": 5},
    )
    assert (found.first_record_at, found.last_record_at) == (
        "2026-11-29T09:00:00.000000Z",
        "2026-11-29T10:00:00.000000Z",
    )
    assert (found.untimed, found.time_reversals) == (2, 1)


def test_an_older_release_has_no_envelope() -> None:
    """A head, bare items and marks are told by what they have."""
    found = facts(
        {"id": B, "timestamp": "2025-06-01T00:00:00Z", "instructions": CANARY, "git": {}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": []},
        {"type": "function_call", "name": "shell"},
        {"id": "m", "type": "message", "role": "assistant"},
        {"neither": 1},
        stem=B,
    )
    assert (found.form, found.thread, found.own_thread, found.session_metas) == ("bare", B, True, 1)
    assert found.types == (("function_call", 1), ("message", 2), (HEAD, 1), ("state", 1))
    assert (found.untyped, found.conversation_records, found.ordinals.state) == (1, 2, "unnumbered")


def test_generations_can_be_mixed() -> None:
    """And a file of nothing has no form."""
    assert facts(line("event_msg", {}), {"type": "message"}).form == "mixed"
    assert facts().form == "none"
    assert facts("text", 3, None, [1]).unread == 4


@pytest.mark.parametrize("cut", [b"", b"{", b'{"type": NaN}', b"\x00\x00", b'"x"', b"\xff"])
def test_a_line_that_is_no_object_is_unread(cut: bytes) -> None:
    """Framing speaks of it; the ordinals around it stay what they are."""
    reading = RolloutReading()
    reading.see_line(text(line("event_msg", {}, ordinal=0)))
    reading.see_line(cut)
    reading.see_unread()
    reading.see_line(text(line("event_msg", {}, ordinal=2)))
    found = reading.facts()
    assert (found.records, found.unread) == (2, 2)
    assert (found.ordinals.state, found.ordinals.gaps) == ("broken", ((1, 1),))


def test_unusual_lines_are_read_by_the_tolerant_reader() -> None:
    """Deep nesting, lone surrogates and wrong types end nothing, and give the same facts by text and by value."""
    deep = b'{"timestamp":"2026-11-29T23:02:36Z","ordinal":0,"type":"compacted","payload":' + b'{"a":' * 3_000
    reading = RolloutReading()
    reading.see_line(deep + b"1" + b"}" * 3_001)
    reading.see_line(b'{"ordinal":1,"type":"event_msg","payload":{"type":"\\ud800"}}')
    reading.see_line(b'{"ordinal":2.0,"type":"event_msg","payload":{"type":5}}')
    reading.see_line(b'{"ordinal":true,"type":"event_msg","payload":{}}')
    found = reading.facts()
    assert (found.records, found.unread, found.compactions, found.ordinals.odd) == (4, 0, 1, 2)
    assert dict(found.types) == {"compacted": 1, "event_msg": 3}


def test_a_line_of_many_megabytes_is_ordinary() -> None:
    """What it holds is passed over."""
    reading = RolloutReading()
    reading.see_line(text(line("compacted", {"message": "x" * 20_000_000}, ordinal=0)))
    assert (reading.facts().compactions, reading.facts().ordinals.state) == (1, "contiguous")


def test_lists_are_bounded_and_say_so() -> None:
    """Beyond the bound a word is counted nowhere, and the list is named as cut."""
    found = facts(*(line(f"kind-{number}", {"type": f"t{number}"}) for number in range(DISTINCT_MAX + 1)))
    assert found.capped == ("types", "payloads")
    assert len(found.types) == DISTINCT_MAX
    reading = RolloutReading(gaps_max=1)
    for ordinal in (0, 2, 4):
        reading.see(line("event_msg", {}, ordinal=ordinal))
    assert reading.facts().capped == ("ordinals",)


def test_the_first_line_tells_thread_and_folder() -> None:
    """For a selection; a line that is no head tells nothing."""
    assert head_of(text(line("session_meta", META))) == Head(A, "/home/u/app")
    assert head_of(text(line("session_meta", {}))) == Head(None, None)
    lone = head_of(b'{"type":"session_meta","payload":{"cwd":"\\ud800"}}')
    assert lone is not None
    assert isinstance(lone.folder, Unencodable)
    assert head_of(text(line("event_msg", {}))) is None
    assert head_of(b"nothing") is None


words = st.sampled_from(["session_meta", "response_item", "event_msg", "message", "type", "id", A, "user", ""])
values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 5) | st.floats(-1, 3) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
KEYS = ("timestamp", "type", "ordinal", "payload", "role", "id", "record_type", "source", "other")
records = st.dictionaries(st.sampled_from(KEYS), values, max_size=6)


@given(records)
def test_text_and_value_give_one_line(record: dict[str, Json]) -> None:
    """The short cut says what the tolerant reader says, whatever the members are."""
    assert line_in(orjson.dumps(record)) == line_of(decode(orjson.dumps(record)))


@pytest.mark.skipif(not SAMPLE.is_dir(), reason="the samples are not part of the project")
def test_the_genuine_rollout_is_whole() -> None:
    """40 lines, 141,638 bytes, ordinals 0 to 39 (README of the samples)."""
    octets = (SAMPLE / rollout_name(A)).read_bytes()
    lines = octets.splitlines()
    found = facts(*(orjson.loads(one) for one in lines))
    assert (len(octets), found.records, found.unread) == (141_638, 40, 0)
    ordinals = found.ordinals
    assert (ordinals.state, ordinals.first, ordinals.last) == ("contiguous", 0, 39)
    assert (ordinals.missing, ordinals.repeats) == (0, 0)
    assert (found.thread, found.own_thread, found.versions) == (A, True, (("0.171.0", 1),))
    assert (found.form, found.turns_open, found.conversation_records) == ("enveloped", 0, 4)
    assert not any(word.startswith("#") for word, _ in (*found.types, *found.payloads))
