"""Record types of a transcript: known ones by name, any other as a label."""

from agentaudit.adapters.claude_code.recordtypes import type_word
from agentaudit.model.framing import label_of


def test_a_known_type_is_itself_and_any_other_a_label() -> None:
    """A sentence in the place of a type never stands in an inventory."""
    assert type_word("file-history-snapshot") == "file-history-snapshot"
    assert type_word("the secret is in the attic") == label_of("the secret is in the attic")
