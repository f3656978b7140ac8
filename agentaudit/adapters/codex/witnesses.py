"""Other witnesses of threads: lines of the history and of the index; ids and counts alone.

- The history holds prompts and outlives rollouts: a thread that it names and no rollout holds was there.
- The index is a cache of names, often stale: it is a hint, never the list of what there is.
"""

from collections.abc import Mapping
from typing import Final

from agentaudit.adapters.stores.words import id_word
from agentaudit.encoding.foreign import Json, mapping

THREADS_MAX: Final = 65_536


class WitnessReading:
    """The threads that a file names, with the number of lines of each; `cut` when there were too many."""

    def __init__(self, key: str, limit: int = THREADS_MAX) -> None:
        """`key` is the member that holds the id."""
        self.cut = False
        self._limit = limit
        self._key = key
        self._counts: dict[str, int] = {}

    def see(self, record: Json) -> None:
        """One line's value; what else it holds is not touched."""
        members = mapping(record)
        thread = members.get(self._key) if members else None
        if not isinstance(thread, str):
            return
        word = id_word(thread)
        if word in self._counts or len(self._counts) < self._limit:
            self._counts[word] = self._counts.get(word, 0) + 1
        else:
            self.cut = True

    @property
    def sessions(self) -> Mapping[str, int]:
        """Lines by thread."""
        return self._counts


class HistoryReading(WitnessReading):
    """`history.jsonl`: `session_id`, `ts` in seconds, `text`."""

    def __init__(self, limit: int = THREADS_MAX) -> None:
        super().__init__("session_id", limit)


class IndexReading(WitnessReading):
    """`session_index.jsonl`: `id`, `thread_name`, `updated_at`."""

    def __init__(self, limit: int = THREADS_MAX) -> None:
        super().__init__("id", limit)
