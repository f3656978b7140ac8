"""Walks over the Gateway's command: no process, a list of answers."""

import json

import pytest

from agentaudit.adapters.openclaw.documents import Document, Failed, Other, read_document
from agentaudit.adapters.openclaw.livenote import LiveWalk
from agentaudit.sources.openclaw import walking
from agentaudit.sources.openclaw.walking import Walk, candidates_of, events_walk, explanation_walk, is_askable, runs_of
from tests.support.gatewaying import event, explanation, failure, message, page

RETIRED = read_document(failure("no longer retained"))
EVENTS = ("audit", "--json", "--limit=500")


def walked(walk: Walk, *answers: Document) -> tuple[list[tuple[str, ...]], LiveWalk]:
    """What was asked, and how it ended; every answer is taken."""
    asked = [next(walk), *(walk.send(answer) for answer in answers[:-1])]
    with pytest.raises(StopIteration) as ended:
        walk.send(answers[-1])
    done = ended.value.value
    assert isinstance(done, LiveWalk)
    return asked, done


def a_page(number: int, cursor: str | int | None = None) -> Document:
    """A page of one event."""
    return read_document(page([event(number)], cursor))


def explained(**more: object) -> Document:
    """An explanation."""
    return read_document(json.dumps(explanation() | more).encode())


def test_a_walk_goes_on_until_no_cursor_is_left() -> None:
    """Each cursor is handed back as it was said, in one argument with its option."""
    asked, ended = walked(events_walk(), a_page(9, "9"), a_page(8, 8), a_page(7))
    assert asked == [EVENTS, (*EVENTS, "--cursor=9"), (*EVENTS, "--cursor=8")]
    assert ended == LiveWalk(walk="events", subject=None, ended="exhausted", pages=3)


def test_an_empty_ledger_is_at_its_end() -> None:
    """An empty page without a cursor is the last."""
    assert walked(events_walk(), read_document(page([])))[1].pages == 1


def test_a_kind_that_is_hidden_is_asked_for_by_name() -> None:
    """It is a walk of its own."""
    asked, ended = walked(events_walk("skill_selection"), read_document(page([])))
    assert asked == [(*EVENTS, "--kind=skill_selection")]
    assert ended.walk == "skill_selection"


def test_a_cursor_that_came_before_ends_it() -> None:
    """It would go round for ever."""
    assert walked(events_walk(), a_page(9, "9"), a_page(8, "9"))[1].ended == "cursor_repeated"


@pytest.mark.parametrize("cursor", ["", "with a space", "\x00", "9" * 513, "\u0663"])
def test_a_cursor_that_cannot_be_an_argument_ends_it(cursor: str) -> None:
    """It is not cut, not changed and not asked."""
    assert walked(events_walk(), a_page(9, cursor))[1].ended == "cursor_odd"
    assert not is_askable(cursor)


def test_a_call_that_fails_is_made_once_more() -> None:
    """A second failure of the same call ends the walk; a page in between begins the count anew."""
    failed = Failed("cli_error")
    asked, ended = walked(events_walk(), failed, a_page(9, "9"), Other("not-json"), a_page(8))
    assert asked == [EVENTS, EVENTS, (*EVENTS, "--cursor=9"), (*EVENTS, "--cursor=9")]
    assert ended.ended == "exhausted"
    assert walked(events_walk(), failed, failed)[1] == LiveWalk(walk="events", subject=None, ended="failed", pages=0)


def test_a_retired_cursor_begins_the_walk_anew() -> None:
    """Without a cursor, and the retired one is recorded; a walk does not begin anew without bound."""
    asked, ended = walked(events_walk(), a_page(9, "9"), RETIRED, a_page(9, "9"), a_page(8))
    assert asked == [EVENTS, (*EVENTS, "--cursor=9"), EVENTS, (*EVENTS, "--cursor=9")]
    assert (ended.ended, ended.retired, ended.pages) == ("exhausted", ("9",), 3)
    again = (a_page(9, "9"), RETIRED)
    _, never = walked(events_walk(), *again, *again, *again, RETIRED)
    assert (never.ended, never.retired) == ("failed", ("9", "9"))


def test_a_walk_that_is_refused_without_a_cursor_does_not_begin_anew() -> None:
    """There is no cursor to leave out."""
    assert walked(events_walk(), RETIRED, RETIRED)[1].ended == "failed"


def test_pages_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bound of ours ends a walk that goes on; one that is at its end is at its end."""
    monkeypatch.setattr(walking, "PAGES_MAX", 2)
    assert walked(events_walk(), a_page(9, "9"), a_page(8, "8"))[1].ended == "page_cap"
    assert walked(events_walk(), a_page(9, "9"), a_page(8))[1].ended == "exhausted"


def test_an_explanation_is_followed_by_both_of_its_cursors() -> None:
    """Decisions and candidates, until neither is left."""
    first = explained(nextDecisionCursor="g:1", nextExecutionCursor="2")
    asked, ended = walked(explanation_walk("run", "run-1"), first, explained(), explained(nextDecisionCursor=5))
    words = ("audit", "--explain", "--json", "--run=run-1", "--limit=50")
    assert asked == [words, (*words, "--cursor=g:1"), (*words, "--cursor=2")]
    assert ended == LiveWalk(walk="explanation", subject="run-1", ended="exhausted", pages=3)


def test_a_document_of_another_walk_is_none_of_its_own() -> None:
    """A page is no explanation, and an explanation no page."""
    assert walked(explanation_walk("execution", "e"), a_page(1), a_page(1))[1].ended == "failed"
    assert walked(events_walk(), explained(), explained())[1].ended == "failed"


def test_runs_are_those_that_events_name() -> None:
    """Each once, in the order of the page."""
    named = [event(3, run="b"), event(2, run="a"), event(1, run="b"), message(0) | {"runId": None}]
    assert runs_of(read_document(page(named))) == ("b", "a")
    assert runs_of(explained()) == ()


def test_candidates_are_those_that_the_gateway_names() -> None:
    """None is made out of a run id."""
    identity = {"state": "ambiguous", "candidates": [{"executionId": "b"}, {"executionId": "a"}, {}, 1]}
    assert candidates_of(explained(identity=identity)) == ("b", "a")
    assert candidates_of(explained(identity={"candidates": {}})) == ()
    assert candidates_of(explained()) == ()
    assert candidates_of(a_page(1)) == ()
    assert candidates_of(Failed(None)) == ()
