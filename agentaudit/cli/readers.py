"""Which adapters a check may rebuild readings with, and a working copy read content with: all that this program has."""

from agentaudit.adapters.bridge.reading import BridgeReader
from agentaudit.adapters.claude_code.reading import ClaudeCodeReader
from agentaudit.adapters.claude_code.reading_copy import ClaudeCodeCopyReader
from agentaudit.adapters.codex.reading import CodexReader
from agentaudit.adapters.codex.reading_copy import CodexCopyReader
from agentaudit.adapters.compliance.activities import ActivityReader
from agentaudit.adapters.compliance.chats import ChatReader
from agentaudit.adapters.compliance.reading import CompliancePageReader
from agentaudit.adapters.compliance.reading_copy import ComplianceCopyReader
from agentaudit.adapters.handed_over.reading import HandedOverReader
from agentaudit.adapters.openai_logs.reading import OpenAiLogReader
from agentaudit.adapters.otlp.reading import TelemetryReader
from agentaudit.format.readings import PageReader
from agentaudit.transcript.reader import CopyReader


def page_readers() -> tuple[PageReader, ...]:
    """The adapters, by no particular order: a check finds its own by name."""
    return (
        CompliancePageReader(), ClaudeCodeReader(), CodexReader(), HandedOverReader(), ActivityReader(), BridgeReader(),
        ChatReader(), TelemetryReader(), OpenAiLogReader(),
    )  # fmt: skip


def copy_readers() -> tuple[CopyReader, ...]:
    """The adapters that read the content of a session: a working copy finds its own by the exhibit's adapter."""
    return ComplianceCopyReader(), ClaudeCodeCopyReader(), CodexCopyReader()
