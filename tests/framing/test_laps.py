"""The way of laps from a child to the holder: whole, in order, and with an end."""

import os
import sys
import threading

import pytest

from agentaudit.encoding.jsonl.tally import Tally
from agentaudit.framing.laps import Inbox, Outbox
from agentaudit.framing.runner import Lap
from agentaudit.framing.turns import Lost

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes do not say that they would block")


def lap(block: int, types: int = 0) -> Lap:
    """A lap with so many types of its own."""
    return Lap(block, 10 * block, Tally(lines=1, types={f"{block}-{number}": 1 for number in range(types)}), 10)


def test_laps_come_several_at_once_and_the_last_in_any_case() -> None:
    """They are what was given, in the same order."""
    ours, theirs = os.pipe()
    outbox, inbox = Outbox(theirs), Inbox(ours, 10.0)
    given = [lap(block) for block in range(11)]
    for one in given[:7]:
        outbox.give(one)
    assert list(inbox.waiting()) == []
    for one in given[7:]:
        outbox.give(one)
    assert list(inbox.waiting()) == given[:8]
    outbox.end()
    assert list(inbox.rest()) == given[8:]
    assert list(inbox.waiting()) == list(inbox.rest()) == []
    os.close(ours)
    os.close(theirs)


def test_a_message_that_does_not_fit_the_pipe_comes_in_parts() -> None:
    """Its writer waits for its reader, who waits for the rest at the end alone."""
    ours, theirs = os.pipe()
    inbox = Inbox(ours, 20.0)
    given = [lap(block, 20_000) for block in range(9)]

    def write() -> None:
        outbox = Outbox(theirs)
        for one in given:
            outbox.give(one)
        outbox.end()

    writer = threading.Thread(target=write)
    writer.start()
    taken = [*inbox.waiting(), *inbox.rest()]
    writer.join()
    assert taken == given
    os.close(ours)
    os.close(theirs)


def test_a_child_that_is_gone_before_its_last_lap_is_lost() -> None:
    """What it sent came, the end did not."""
    ours, theirs = os.pipe()
    inbox = Inbox(ours, 10.0)
    outbox = Outbox(theirs)
    for block in range(8):
        outbox.give(lap(block))
    os.close(theirs)
    taken: list[Lap] = []
    with pytest.raises(Lost):
        taken.extend(inbox.waiting())
    with pytest.raises(Lost):
        list(inbox.rest())
    os.close(ours)


def test_a_child_that_says_nothing_is_waited_for_with_bounds() -> None:
    """Also in the middle of a message."""
    for begun in (b"", b"\x01", (100).to_bytes(8, sys.byteorder) + b"x"):
        ours, theirs = os.pipe()
        inbox = Inbox(ours, 0.05)
        os.write(theirs, begun)
        with pytest.raises(Lost):
            list(inbox.rest())
        os.close(ours)
        os.close(theirs)
