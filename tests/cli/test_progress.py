"""What a long run shows."""

import io

from agentaudit.acquire.progress import State
from agentaudit.cli.console import Console
from agentaudit.cli.progress import LineProgress, sentence
from agentaudit.cli.words import seconds, sized
from tests.cli.terminal import Screen


class Ticks:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.at = 1_000

    def __call__(self) -> int:
        """Milliseconds."""
        return self.at


def pipe() -> tuple[io.StringIO, Console]:
    """Standard error as a pipe, and its console."""
    err = io.StringIO()
    return err, Console(io.StringIO(), err, io.BytesIO(), {})


def screen() -> tuple[Screen, Console]:
    """Standard error as a terminal, and its console."""
    err = Screen()
    return err, Console(Screen(), err, io.BytesIO(), {"TERM": "xterm"})


def test_a_state_is_one_sentence() -> None:
    """Phase, done of how many, pages, bytes, rate, and what is waited for and how long."""
    state = State("transcripts", 3, 7, pages=1_234, octets=2_500_000, retries=2, waiting="rate limit", wait_ms=12_000)
    assert sentence(state, 3.14) == (
        "transcripts: 3 of 7, 1,234 pages, 2.5 MB, 3.1 pages/s, 2 retries, waiting: rate limit (12 s)"
    )


def test_what_is_not_known_is_left_out() -> None:
    """An unknown total and an idle wait say nothing."""
    assert sentence(State("lists", pages=1, octets=10), 0.0) == "lists, 1 page, 10 bytes"


def test_pages_from_the_journal_are_told_apart() -> None:
    """A resumed run shows what it did not ask again."""
    assert "5 from the journal" in sentence(State("lists", pages=9, replayed=5), 0.0)


def test_sizes_and_durations_are_for_readers() -> None:
    """Units of 1,000, and no wait shorter than a second."""
    assert [sized(n) for n in (0, 9_999, 10_000, 1_500_000, 2_000_000_000)] == [
        "0 bytes", "9,999 bytes", "10.0 kB", "1.5 MB", "2.0 GB",
    ]  # fmt: skip
    assert (seconds(1), seconds(1_600)) == ("1 s", "2 s")


def test_a_pipe_gets_a_line_every_ten_seconds() -> None:
    """A log is not flooded, and the first line waits too."""
    ticks, (err, console) = Ticks(), pipe()
    progress = LineProgress(console, ticks, quiet=False)
    for second in range(25):
        ticks.at = 1_000 + 1_000 * second
        progress.show(State("lists", pages=second))
    assert err.getvalue().splitlines() == [
        "lists, 10 pages, 0 bytes, 1.0 pages/s",
        "lists, 20 pages, 0 bytes, 1.0 pages/s",
    ]
    progress.clear()
    assert "\x1b" not in err.getvalue()


def test_a_terminal_gets_a_live_line_that_ends_empty() -> None:
    """The line is redrawn at most ten times a second."""
    ticks, (err, console) = Ticks(), screen()
    progress = LineProgress(console, ticks, quiet=False)
    for tenth in range(4):
        ticks.at += 60
        progress.show(State("lists", pages=tenth))
    progress.clear()
    assert err.getvalue().count("\r\x1b[2K") == 3
    assert err.getvalue().endswith("\r\x1b[2K")


def test_quiet_shows_no_progress_and_still_warns() -> None:
    """A warning is not progress."""
    err, console = screen()
    progress = LineProgress(console, Ticks(), quiet=True)
    progress.show(State("lists"))
    progress.warn("the clock is off")
    progress.clear()
    assert err.getvalue() == "warning: the clock is off\n"


def test_a_warning_is_shown_once_and_kept() -> None:
    """The result lists what was warned about."""
    err, console = pipe()
    progress = LineProgress(console, Ticks(), quiet=False)
    for _ in range(3):
        progress.warn("the key can delete")
    assert progress.warnings == ("the key can delete",)
    assert err.getvalue().count("the key can delete") == 1


def test_the_rate_is_that_of_the_last_seconds() -> None:
    """What lies longer back than the window does not count."""
    ticks, (err, console) = Ticks(), pipe()
    progress = LineProgress(console, ticks, quiet=False)
    for pages, at in ((0, 0), (1_000, 1_000), (1_000, 20_000), (1_010, 25_000), (1_020, 30_000)):
        ticks.at = 1_000 + at
        progress.show(State("lists", pages=pages))
    assert err.getvalue().splitlines()[-1].endswith("2.0 pages/s")
