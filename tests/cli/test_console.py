"""The door to the terminal."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.cli.console import PLAIN_WIDTH, Console, ascii_json, safe
from tests.cli.terminal import Screen


def console(out: io.StringIO, err: io.StringIO, **environ: str) -> Console:
    """A console on two streams."""
    return Console(out, err, io.BytesIO(), environ)


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("\x1b]52;c;aGk=\x07", r"\x1b]52;c;aGk=\x07"),
        ("over\rwritten", r"over\rwritten"),
        ("bell\a", r"bell\x07"),
        ("two\nlines\tand a tab", r"two\nlines\tand a tab"),
        ("\x9b31m", r"\x9b31m"),
        ("\x7f", r"\x7f"),
        ("abc\u202ecba", r"abc\u202ecba"),
        ("\u2066x\u2069", r"\u2066x\u2069"),
        ("zero\u200bwidth\ufeff", r"zero\u200bwidth\ufeff"),
        ("line\u2028sep\u2029", r"line\u2028sep\u2029"),
        ("half \ud83d", r"half \ud83d"),
        ("tag \U000e0041", r"tag \U000e0041"),
        ("private \ue000", r"private \ue000"),
    ],
)
def test_what_is_not_seen_as_itself_is_written_out(hostile: str, shown: str) -> None:
    """Control, bidi, invisible and unassigned characters reach the screen as escapes."""
    assert safe(hostile) == shown


@pytest.mark.parametrize("honest", ["plain", "Zürich → Genève", "日本語", "[red]not markup[/red]", ""])
def test_honest_text_is_left_alone(honest: str) -> None:
    """Letters of any script pass, and markup is only text."""
    assert safe(honest) == honest


@given(st.text())
def test_no_text_can_steer_a_terminal(text: str) -> None:
    """Whatever comes in, one printable line goes out."""
    assert safe(text).replace(" ", "").isprintable() or all(c.isprintable() or c.isspace() for c in safe(text))
    assert len(safe(text).splitlines()) <= 1


def test_a_json_document_on_the_screen_is_the_same_document_in_ascii() -> None:
    """Everything beyond ASCII is escaped inside the JSON, pairs included."""
    document = {"id": "a\u009bb\u202e", "face": "\U0001f600", "del": "\x7f"}
    shown = ascii_json(json.dumps(document, ensure_ascii=False).encode())
    assert shown.isascii()
    assert json.loads(shown) == document
    assert "\x7f" not in shown


def test_results_and_words_go_to_their_own_streams() -> None:
    """A result stands on standard output, everything else on standard error."""
    out, err = io.StringIO(), io.StringIO()
    door = console(out, err)
    door.result("a result")
    door.document(b'{"a":1}')
    door.say("a word")
    assert out.getvalue() == 'a result\n{"a":1}\n'
    assert err.getvalue() == "a word\n"


class Closed(io.StringIO):
    """A stream whose reader is gone."""

    def write(self, text: str, /) -> int:
        """Fail as a closed pipe does."""
        raise BrokenPipeError(len(text))


def test_a_reader_who_leaves_costs_only_the_rest_of_the_output() -> None:
    """A broken pipe silences its stream and ends nothing."""
    err = io.StringIO()
    door = console(Closed(), err)
    door.result("lost")
    door.result("lost too")
    door.say("still here")
    assert err.getvalue() == "still here\n"


def test_only_a_terminal_with_a_name_is_redrawn() -> None:
    """A pipe and a dumb terminal get whole lines."""
    assert console(Screen(), Screen(), TERM="xterm").interactive
    assert not console(Screen(), Screen(), TERM="dumb").interactive
    assert not console(Screen(), Screen()).interactive
    assert not console(io.StringIO(), io.StringIO(), TERM="xterm").interactive


def test_a_pipe_has_a_fixed_width_and_a_terminal_its_own() -> None:
    """Rows stay whole where nobody looks at them."""
    assert console(io.StringIO(), io.StringIO()).width() == PLAIN_WIDTH
    assert console(Screen(), Screen()).width(err=True) >= 60


class Live:
    """A live line that counts how often it was cleared."""

    def __init__(self) -> None:
        self.cleared = 0

    def clear(self) -> None:
        """Count."""
        self.cleared += 1


def test_a_live_line_is_cleared_before_a_word_is_said() -> None:
    """Progress and words never share a line."""
    live, err = Live(), io.StringIO()
    door = console(io.StringIO(), err)
    door.watch(live)
    door.say("word")
    door.watch(None)
    door.say("word")
    assert live.cleared == 1


def test_a_live_line_never_exceeds_the_screen() -> None:
    """What is redrawn is cut to the width, and made safe."""
    err = Screen()
    door = console(Screen(), err, TERM="xterm")
    door.redraw("\x1b" + "x" * 5_000)
    assert err.getvalue().startswith("\r\x1b[2K\\x1b")
    assert len(err.getvalue()) < door.width(err=True) + 10


def test_a_console_beside_shares_the_streams_and_adds_to_the_environment() -> None:
    """The demo gives its commands a key without changing the environment of the process."""
    out = io.StringIO()
    door = console(out, io.StringIO(), A="1").beside(io.BytesIO(b"x"), {"B": "2"})
    door.writer(err=False)("line")
    assert (dict(door.environ), door.stdin.read(), out.getvalue()) == ({"A": "1", "B": "2"}, b"x", "line\n")
