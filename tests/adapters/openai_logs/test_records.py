"""Records read into facts, and ids that come again."""

import pytest

from agentaudit.adapters.openai_logs.records import Record, is_record, read_record
from agentaudit.adapters.openai_logs.repeats import SeenIds
from agentaudit.adapters.openai_logs.totals import Span, Totals
from tests.support.openai_logs import ADDRESS_CANARY, CANARY, WORKSPACE, Item, record, tool_call


def _read(item: Item) -> Record:
    return read_record(item)  # type: ignore[arg-type]


def test_a_prompt_is_read_into_ids_words_and_sizes() -> None:
    """Its texts are sizes; whoever was asked and answered is in the raw bytes alone."""
    found = _read(record(1))
    assert (found.kind, found.log, found.session) == ("PROMPT_RESPONSE_RECEIVED", "CODEX_LOG", "session-1")
    assert dict(found.keys) == {
        "call": "call-1", "session": "session-1", "turn": "turn-1", "user": "user-A1", "workspace": WORKSPACE,
    }  # fmt: skip
    assert dict(found.words)["client"] == "CODEX_CLI"
    assert dict(found.numbers) == {
        "input_tokens": 42, "output_tokens": 18, "prompt_bytes": len(CANARY), "response_bytes": len(CANARY),
    }  # fmt: skip
    assert (found.withheld, found.odd, found.is_known) == ((), (), True)


@pytest.mark.parametrize(
    "item", [record(1), tool_call(2), record(3, "APP_MCP_CALL", name="search", arguments={"q": CANARY})]
)
def test_no_content_is_in_the_facts(item: Item) -> None:
    """Neither texts nor inputs nor addresses nor mail."""
    told = repr(_read(item))
    assert CANARY not in told
    assert ADDRESS_CANARY not in told


def test_a_tool_call_has_two_ids() -> None:
    """Which of them another source knows is not verified, so both stand."""
    found = _read(tool_call(2))
    keys, words = dict(found.keys), dict(found.words)
    assert (keys["tool_call"], keys["call"], words["tool_name"]) == ("tc-2", "call-2", "apply_patch")
    assert dict(found.numbers) == {"input_bytes": len(CANARY)}


def test_texts_that_are_null_or_absent_are_told() -> None:
    """Of a prompt alone: other records have none."""
    assert _read(record(1, prompt_text=None, response_text="gone")).withheld == (
        "prompt_text_absent",
        "response_text_absent",
    )
    assert _read(tool_call(1)).withheld == ()


@pytest.mark.parametrize(
    ("change", "kind", "is_known"),
    [
        ({"event_type": "PLUGIN_ENABLED"}, "PLUGIN_ENABLED", False),
        ({"event_type": None}, "PROMPT_RESPONSE_RECEIVED", True),
        ({"event_type": "a sentence of content"}, "PROMPT_RESPONSE_RECEIVED", True),
        ({"event_type": None, "event_details": None}, "CODEX_LOG", False),
        ({"event_type": None, "event_details": 7, "type": None}, "unknown", False),
    ],
)
def test_a_kind_is_the_records_own_word(change: Item, kind: str, *, is_known: bool) -> None:
    """Without an event type it is that of its details, then of its log; an unknown one is kept."""
    found = _read({**record(1), **change})
    assert (found.kind, found.is_known) == (kind, is_known)


def test_a_detail_that_is_another_word_than_the_kind_is_told() -> None:
    """Both words stand."""
    found = _read({**record(1), "event_type": "OTHER"})
    assert dict(found.words)["detail"] == "PROMPT_RESPONSE_RECEIVED"


def test_fields_of_another_form_are_odd_and_left_alone() -> None:
    """What could be content is in no row."""
    odd = record(1, status="a sentence of content", session_id={"a": 1}, tool_name="x y")
    found = _read({**odd, "event_id": "no id\n", "timestamp": "soon", "actor": {"type": 7, "user_id": "a b"}})
    assert set(found.odd) == {"event_id", "timestamp", "session_id", "user_id", "actor", "status", "tool_name"}
    assert (found.id, found.at, found.session) == (None, None, None)


def test_an_organisation_is_a_key_of_its_own_and_a_redacted_key_an_account() -> None:
    """Whose the logs are stands with each record."""
    found = _read(
        {**record(1), "principal": {"id": "org-1", "type": "API_ORGANIZATION"}, "actor": {"redacted_id": "k-1"}}
    )
    keys = dict(found.keys)
    assert (keys["organization"], keys["account"], keys["workspace"]) == ("org-1", "k-1", WORKSPACE)


@pytest.mark.parametrize(
    ("top", "is_one"),
    [({"event_id": 1}, True), ({"type": 1, "timestamp": 2}, True), ({"type": 1}, False), ({"id": "eclf_1"}, False)],
)
def test_a_record_is_known_by_what_every_one_has(top: Item, *, is_one: bool) -> None:
    """An entry of a list is none."""
    assert is_record(top) is is_one  # type: ignore[arg-type]


def test_an_id_comes_again_with_the_same_line_or_with_another() -> None:
    """The end of a line is no part of it."""
    seen = SeenIds()
    assert [seen.see("a", b"1\n"), seen.see("a", b"1\r\n"), seen.see("a", b"2\n"), seen.see("b", b"1")] == [
        "new", "same", "unlike", "new",
    ]  # fmt: skip


def test_the_oldest_ids_are_forgotten_and_counted() -> None:
    """Two generations are held: what is near is still known."""
    seen = SeenIds(generation=2)
    for name in "abcde":
        assert seen.see(name, b"x") == "new"
    assert seen.forgotten == 2
    assert seen.see("d", b"x") == "same"
    assert seen.see("c", b"x") == "same"
    assert seen.see("a", b"x") == "new"


def test_sessions_are_counted_in_the_order_first_seen_and_within_a_bound() -> None:
    """Events of those that are not listed are counted."""
    totals = Totals(SeenIds(generation=1), sessions=2)
    for number, session in enumerate(("b", "a", "b", "c", "c"), 1):
        totals.take(_read({**record(number, session=session), "client_id": None if session == "a" else "CODEX_WEB"}))
        totals.ids.see(str(number), b"")
    totals.take(_read(record(9, session_id=None)))
    rows = {row.stream: row for row in totals.rows()}
    assert [(row.name, row.events) for row in rows.values() if row.kind == "session"] == [("b", 2), ("a", 1)]
    assert rows["session/000001"].producers == (("CODEX_WEB", None, 2),)
    assert rows["session/000002"].producers == ()
    whole = rows["service/000001"]
    assert (whole.events, dict(whole.counts)) == (6, {"events_of_sessions_not_listed": 2, "ids_not_compared": 3})


def test_a_span_is_of_times_that_compare_as_text() -> None:
    """A time in another zone is left out; it stands with its event."""
    span = Span()
    for at in (
        None,
        "2026-01-01T00:00:00+02:00",
        "2026-01-02T00:00:00Z",
        "2026-01-01T00:00:00.5Z",
        "2026-01-03T00:00:00Z",
    ):
        span.take(at)
    assert (span.first, span.last) == ("2026-01-01T00:00:00.5Z", "2026-01-03T00:00:00Z")
