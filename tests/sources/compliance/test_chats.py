"""The walks of chats, sent answers by hand."""

import json

import pytest

from agentaudit.adapters.compliance.naming import CHATS_WALK
from agentaudit.model.base import instant_of
from agentaudit.model.journal import Noted
from agentaudit.model.selection import ChatSelection
from agentaudit.model.walk import Ended, Kept
from agentaudit.sources.compliance.chats import ChatPlan
from tests.support.clock import BEGIN


def test_a_listed_chat_without_an_id_is_a_gap() -> None:
    """It cannot be asked for: where it stands in the list is told, and the others are read."""
    stages = iter(ChatPlan(ChatSelection()).stages())
    (task,) = next(stages).tasks
    next(task)
    body = json.dumps({"data": [{"name": "none"}, {"id": "c"}, {"id": "c"}], "has_more": False}).encode()
    with pytest.raises(StopIteration) as end:
        task.send(Kept("item", body, None, instant_of(BEGIN)))
    ended = end.value.value
    assert isinstance(ended, Ended)
    (gap,) = (row.gap for row in ended.learned if isinstance(row, Noted))
    assert (gap.kind, gap.code, gap.walk, gap.page, gap.index) == (
        "not_obtained", "unreadable_answer", CHATS_WALK, 1, 0,
    )  # fmt: skip
    messages = next(stages).tasks
    assert len(tuple(messages)) == 1
