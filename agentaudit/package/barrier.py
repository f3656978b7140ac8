"""A barrier that runs in a thread, beside what the one who began it does meanwhile.

- What it raised is raised again where it is awaited: nothing is journalled over a barrier that failed.
- Its thread does one call and touches nothing of the exhibit; the files it speaks of stay open until it is over.
"""

import threading
from collections.abc import Callable


class Barrier:
    """One call, begun at once. `files` are descriptors to be closed after it, `rows` how many rows wait for it."""

    def __init__(self, act: Callable[[], None], files: tuple[int, ...], rows: int) -> None:
        """Begin."""
        self.files = files
        self.rows = rows
        self._act = act
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="barrier", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Wait for its end, whatever came of it."""
        self._thread.join()

    def result(self) -> None:
        """Wait for its end; raises what it raised."""
        self.end()
        if self._fault is not None:
            raise self._fault

    def _run(self) -> None:
        try:
            self._act()
        except BaseException as fault:  # noqa: BLE001 - it is raised again where the barrier is awaited
            self._fault = fault
