"""Session objects: what three answers say of one session, side by side."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentaudit.adapters.compliance.sessions import disagreements, read_session, session_id
from agentaudit.encoding.canonical import encode
from agentaudit.encoding.foreign import Json
from agentaudit.model.base import UNSET
from agentaudit.model.readings import SessionSource

LOCAL: dict[str, Json] = {
    "type": "compliance_local_session",
    "id": "clls_1",
    "organization_uuid": "o",
    "workspace_id": None,
    "user": {"id": "user_1", "email_address": "a@example.test"},
    "product_surface": "cowork",
    "created_at": "2026-10-01T00:00:00Z",
    "updated_at": "2026-10-02T00:00:00Z",
    "truncated": False,
}


def said(entry: Json) -> SessionSource:
    """What an entry says."""
    source = read_session(entry, "data/x", "/data/0")
    assert source is not None
    return source


def test_a_local_session_is_read_verbatim() -> None:
    """Nine members; what a family does not have is absent."""
    assert said(LOCAL) == SessionSource(
        item="data/x",
        pointer="/data/0",
        organization_uuid="o",
        workspace_id=None,
        user_id="user_1",
        user_email_address="a@example.test",
        product_surface="cowork",
        created_at="2026-10-01T00:00:00Z",
        updated_at="2026-10-02T00:00:00Z",
        truncated=False,
    )


def test_trap_14_a_null_person_is_not_an_absent_one() -> None:
    """An agent's session has a null user; a sample leaves members out altogether."""
    source = said({"user": None})
    assert (source.user_id, source.user_email_address, source.started_by_user_id) == (None, None, UNSET)


def test_what_is_odd_is_named() -> None:
    """Unknown members and wrong types, the inner ones with their place."""
    source = said({"status": 5, "truncated": None, "region": "x", "user": {"id": 7, "nick": "n"}, "started_by_user": 1})
    assert source.unknown_fields == (
        "region",
        "user.nick",
        "user.wrong_type:id",
        "wrong_type:started_by_user",
        "wrong_type:status",
        "wrong_type:truncated",
    )


@pytest.mark.parametrize("entry", [None, [], "clls_1", {"id": 5}, {"id": ""}, {"id": ".."}, {"id": "\ud800"}, {}])
def test_an_entry_without_a_usable_identifier_cannot_be_asked_for(entry: Json) -> None:
    """Nothing, a wrong type, a step up in a path, and what UTF-8 cannot hold."""
    assert session_id(entry) is None


def test_an_identifier_is_opaque() -> None:
    """Long, with the characters of base64."""
    assert session_id({"id": "clls_eyJ2++//=="}) == "clls_eyJ2++//=="


def test_no_object_is_no_session() -> None:
    """An entry of another type says nothing."""
    assert read_session([], "data/x", "") is None


def test_trap_14_a_null_by_contract_contradicts_nobody() -> None:
    """Each messages envelope blanks the address; remote ones two members more."""
    blank = said({**LOCAL, "user": {"id": "user_1", "email_address": None}})
    assert disagreements("local", said(LOCAL), None, blank) == ()
    assert disagreements("local", said(LOCAL), blank, None) == ("user_email_address",)
    remote: dict[str, Json] = {"started_by_user": {"id": "u"}, "claude_project_id": "p", "status": "active"}
    empty: dict[str, Json] = {"started_by_user": None, "claude_project_id": None, "status": "active"}
    assert disagreements("remote", said(remote), None, said(empty)) == ()


def test_what_two_answers_state_differently_is_named() -> None:
    """In the order of the members; an absence contradicts nobody."""
    other: dict[str, Json] = {**LOCAL, "updated_at": "2026-10-03T00:00:00Z", "truncated": True, "workspace_id": "w"}
    assert disagreements("local", said(LOCAL), said(other), said({})) == ("workspace_id", "updated_at", "truncated")
    assert disagreements("local", None, None, None) == ()


def test_equal_words_can_be_shared() -> None:
    """A pool gives one string for all equal ones; times are not worth a place in it."""
    pool: dict[str, str] = {}
    read_session(LOCAL, "data/x", "", lambda word: pool.setdefault(word, word))
    assert set(pool) == {"o", "user_1", "a@example.test", "cowork"}


@settings(deadline=None)
@given(
    st.dictionaries(
        st.sampled_from([*LOCAL, "agent_id", "started_by_user", "status", "x\ud800"]),
        st.none()
        | st.booleans()
        | st.text(st.characters(), max_size=4)
        | st.dictionaries(st.just("id"), st.integers()),
    )
)
def test_no_entry_ends_a_reading(entry: dict[str, Json]) -> None:
    """Whatever its members are, what it says can be written, and agrees with itself."""
    source = said(entry)
    session_id(entry)
    assert encode(source)
    assert disagreements("local", source, source, None) == ()
