"""The reading of downloaded log files that were handed over, with the pages of their list where these lie beside them.

- What each file is, is decided by its bytes. Files are held against the lists after the last one was fed.
- Of several reads of a file the last one is fed, whatever became of the file across it: it is all that there is.
"""

from collections.abc import Iterator
from typing import Final

from agentaudit.adapters.handed_over.places import is_secret_name
from agentaudit.adapters.handed_over.reading import FilesReading
from agentaudit.adapters.openai_logs.coverage import coverage_of_files
from agentaudit.adapters.openai_logs.listed import Lists, judged
from agentaudit.adapters.openai_logs.logfile import LogFile
from agentaudit.adapters.openai_logs.totals import Totals
from agentaudit.model.storejournal import Kept
from agentaudit.model.stream import EventRow, StreamRow
from agentaudit.model.tagfiles import CoverageLimit

_KEY_WORDS: Final = (b"api_key", b"api-key", b"apikey", b"compliance_key", b"compliance-key")


def is_log_secret(name: bytes) -> bool:
    """True for what download scripts keep beside the files: settings with the key (`.env`), or the key itself."""
    word = name.lower()
    is_settings = word.endswith(b".env") or word.startswith(b".env") or b".env." in word
    return is_settings or any(one in word for one in _KEY_WORDS) or is_secret_name(name)


class LogFilesReading(FilesReading):
    """One pass over handed-over files."""

    def __init__(self) -> None:
        """Nothing was read yet."""
        super().__init__()
        self._totals = Totals()
        self._files: list[tuple[LogFile, str]] = []

    def payload(self, row: Kept) -> LogFile:
        """The feed of a file."""
        parts = self.parts_of(row)
        name = parts[-1].decode("utf-8", "replace") if parts else ""
        file = LogFile(row.item.path, f"file/{len(self._files) + 1:06d}", self._totals)
        self._files.append((file, name))
        return file

    def events(self) -> Iterator[EventRow]:
        """What the last piece completed."""
        if self._files:
            yield from self._files[-1][0].take_made()

    def streams(self) -> Iterator[StreamRow]:
        """The lists, the files, the whole and its sessions, by their keys."""
        lists = Lists(walked=False)
        pages = [(file.item, file.page) for file, _ in self._files if file.page is not None]
        for number, (item, page) in enumerate(pages, 1):
            lists.take(number, item, page)
        rows = judged(lists, [(file, lists.find(file, name)) for file, name in self._files])
        yield from lists.rows()
        yield from rows
        yield from self._totals.rows()

    def coverage(self) -> tuple[CoverageLimit, ...]:
        """The limits of files, by code."""
        return tuple(sorted((*super().coverage(), *coverage_of_files()), key=lambda limit: limit.code))
