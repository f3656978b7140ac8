"""Which document of the Gateway a file is, by its bytes."""

import json

import pytest

from agentaudit.adapters.openclaw.documents import Explained, Failed, Other, Page, read_document
from tests.support.gatewaying import event, explanation, failure, page


def test_a_page_gives_each_event_with_its_place() -> None:
    """Entries that are no objects are counted, and keep the places of the others."""
    found = read_document(b'{"events": [1, {"sequence": 4}], "nextCursor": "4"}')
    assert found == Page(((1, {"sequence": 4}),), 1, "4")


def test_an_empty_ledger_is_a_page() -> None:
    """`events: []` is an empty page, and no `events` is none."""
    assert read_document(b'{"events": []}') == Page((), 0, None)
    assert read_document(b"{}") == Other("other-json")


def test_a_cursor_that_is_a_number_is_of_the_older_listing() -> None:
    """It is held as it was said; what is neither text nor number leads nowhere."""
    assert read_document(page([], 7)) == Page((), 0, "7", legacy=True)
    assert read_document(b'{"events": [], "nextCursor": true}') == Page((), 0, None)


def test_a_failure_is_no_empty_page() -> None:
    """What the command says on stdout when nobody answers parses, and is a failure."""
    assert read_document(failure()) == Failed("cli_error")
    assert read_document(b'{"ok": false, "events": []}') == Failed(None)
    assert read_document(b'{"ok": false, "error": {"type": "a text of some length"}}') == Failed(None)


def test_a_retired_cursor_is_told_from_another_failure() -> None:
    """The one phrase of the message that is looked at."""
    assert read_document(failure("This cursor is no longer retained; start again.")) == Failed(
        "cli_error", retired=True
    )


def test_an_explanation_has_a_run_and_an_identity() -> None:
    """Whatever their states."""
    found = read_document(json.dumps(explanation()).encode())
    assert isinstance(found, Explained)
    assert read_document(b'{"run": {}, "identity": 1}') == Other("other-json")


@pytest.mark.parametrize("cut", [1, 20, 200])
def test_a_page_that_was_cut_is_no_page(cut: int) -> None:
    """Wherever it was cut it is no JSON, and nothing is made of its beginning."""
    assert read_document(page([event(2), event(1)])[:-cut]) == Other("not-json") or cut == 1
    assert read_document(page([event(2)])[: -2 - cut]) == Other("not-json")


@pytest.mark.parametrize("octets", [b"[]", b"1", b'"text"'])
def test_what_is_no_object_is_another_document(octets: bytes) -> None:
    """It is kept raw."""
    assert read_document(octets) == Other("other-json")


def test_a_page_that_a_shell_saved_in_utf_16_is_read() -> None:
    """The same page; one that is cut inside a unit is none."""
    octets = page([event(1)]).decode().encode("utf-16")
    assert read_document(octets) == read_document(page([event(1)]))
    assert read_document(octets[:-1]) == Other("not-json")
