"""Requests, identifiers, cutting: the values under the world."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.demo.canary import Canary
from agentaudit.demo.ids import case_twin, number_of, numbered, opaque, plain, uuid_of, well_formed
from agentaudit.demo.jsontext import stamp, text_of, wire_bytes
from agentaudit.demo.truncate import SERVER_MAXIMUM, cut, resolved, suffix
from agentaudit.demo.wire import WireRequest, WireResponse, matcher
from tests.demo.asking import NOON

TOOL = "tool_result_max_bytes"


def test_path_is_split_before_it_is_decoded() -> None:
    """An encoded slash stays inside its segment, and a plus in a path is a plus."""
    request = WireRequest("GET", "/v1/a%2Fb+c%3D/d?x=1", ())
    assert request.path_segments == ("v1", "a/b+c=", "d")


def test_octets_that_are_no_text_match_no_path() -> None:
    """Octets that are no UTF-8 become replacement characters in a path."""
    assert WireRequest("GET", "/%ff", ()).path_segments == ("\ufffd",)


def test_query_keeps_order_repeats_and_blanks_and_reads_plus_as_space() -> None:
    """A query keeps repeats and empty values in order, and a plus is a space."""
    query = WireRequest("GET", "/p?user_ids[]=a&user_ids[]=b&t=1+2&e=", ()).query
    assert query == (("user_ids[]", "a"), ("user_ids[]", "b"), ("t", "1 2"), ("e", ""))


def test_query_refuses_octets_that_are_no_text() -> None:
    """A query with octets that are no UTF-8 is refused."""
    with pytest.raises(ValueError, match="utf-8"):
        _ = WireRequest("GET", "/p?a=%ff", ()).query


def test_header_names_have_no_case() -> None:
    """A header is found whatever the case of its name, and an absent one is None."""
    headers = (("X-Api-Key", "k"),)
    assert WireRequest("GET", "/", headers).header("x-api-key") == "k"
    assert WireResponse(200, headers, b"").header("X-API-KEY") == "k"
    assert WireRequest("GET", "/", ()).header("x-api-key") is None
    assert WireResponse(200, (), b"").header("date") is None


def test_matcher_reads_none_text_and_predicate() -> None:
    """A match is every request, a part of the path, or a predicate; the query is not looked at."""
    request = WireRequest("GET", "/messages?x=local", ())
    assert matcher(None)(request)
    assert matcher("messages")(request)
    assert not matcher("local")(request)
    assert not matcher(lambda asked: asked.method == "POST")(request)


def test_opaque_ids_need_encoding_and_never_change() -> None:
    """An opaque id is long, holds plus, slash and equals, and equal parts give equal ids."""
    name = opaque("clls_", "a", 1)
    assert name == opaque("clls_", "a", 1) != opaque("clls_", "a", 2)
    assert {"+", "/", "="} <= set(name)
    assert len(name) > 80


def test_case_twin_differs_in_case_only() -> None:
    """A case twin is another text with the same letters."""
    name = opaque("clls_", "a")
    assert case_twin(name) != name
    assert case_twin(name).lower() == name.lower()
    assert case_twin("123") == "123"


def test_numbered_ids_give_their_number_back() -> None:
    """A numbered id gives its number back, and no other text gives one."""
    assert number_of(numbered("clls_", 42, "x")) == 42
    assert number_of(opaque("clls_", "x")) is None
    assert number_of("clls_no base64!") is None


@pytest.mark.parametrize("text", ["", "clls_", "clls_ab", "cse_abcdef", "clls_ab cd", "clls_abcd\n", "clls_ä" * 3])
def test_malformed_ids_are_told_apart(text: str) -> None:
    """A text without the prefix, too short, or with foreign characters is no session id."""
    assert not well_formed("clls_", text)


def test_plain_ids_and_uuids_are_determined() -> None:
    """Short ids and UUIDs follow from their parts."""
    assert plain("user_", "a") == plain("user_", "a") != plain("user_", "b")
    assert uuid_of("a")[14] == "4"
    assert well_formed("clls_", opaque("clls_", "a"))


def test_times_have_z_and_six_digits_only_with_a_fraction() -> None:
    """A whole second has no fraction, any other time has six digits."""
    assert stamp(NOON) == "2026-10-08T12:00:00Z"
    assert stamp(NOON.replace(microsecond=50)) == "2026-10-08T12:00:00.000050Z"


def test_lone_surrogate_travels_as_an_escape() -> None:
    """Text that UTF-8 cannot hold travels as an escape; everything else as it is."""
    assert wire_bytes(text_of("ü\ud83d")) == '"ü\\ud83d"'.encode()


@pytest.mark.parametrize(("cap", "applied"), [(-1, SERVER_MAXIMUM), (1, 1), (2_147_483_647, SERVER_MAXIMUM)])
def test_caps_are_resolved(cap: int, applied: int) -> None:
    """Minus one is the server's maximum, and so is everything above it."""
    assert resolved(cap) == applied


def test_text_at_its_cap_is_whole_and_one_more_byte_is_not() -> None:
    """A string of exactly the cap is whole; with one byte more it keeps the cap and gets the suffix."""
    assert cut("a" * 10, 10, TOOL) == ("a" * 10, False)
    assert cut("a" * 11, 10, TOOL) == ("a" * 10 + suffix(TOOL), True)


def test_cut_never_splits_a_letter() -> None:
    """A cut in the middle of a letter of several bytes falls back to its beginning."""
    assert cut("aé", 2, TOOL) == ("a" + suffix(TOOL), True)
    assert cut("é", 1, TOOL) == (suffix(TOOL), True)
    assert cut("é" * 5, 10, TOOL) == ("é" * 5, False)


def test_suffix_names_its_parameter() -> None:
    """The suffix begins as documented and names the parameter, where there is one."""
    assert suffix(TOOL).startswith("…[truncated; pass tool_result_max_bytes")
    assert suffix(None) == "…[truncated]"


@given(st.text(max_size=60), st.integers(1, 80))
def test_cut_law(text: str, cap: int) -> None:
    """What is left of a cut text is the longest prefix that fits."""
    left, was_cut = cut(text, cap, TOOL)
    kept = left.removesuffix(suffix(TOOL)) if was_cut else left
    size = len(kept.encode())
    assert text.startswith(kept)
    assert was_cut == (len(text.encode()) > cap)
    assert size <= cap
    assert not was_cut or size + len(text[len(kept)].encode()) > cap


def test_planted_tool_input_stays_json() -> None:
    """A planted string becomes the first member of an input, whether it was empty or not."""
    planted = Canary('x"y')
    assert planted.tool_input("{}") == '{"canary":"x\\"y"}'
    assert planted.tool_input('{"a":1}') == '{"canary":"x\\"y","a":1}'
    assert planted.tool_input("[]").startswith('x"y ')


def test_nothing_planted_changes_nothing() -> None:
    """Without a planted string every text stays as it is."""
    none = Canary()
    assert none.tool_input("{}") == "{}"
    assert none.tool_name("mcp__a__b") == "mcp__a__b"
    assert none.headers() == ()
