"""The bridge's database, read from the bytes of a preserved copy, in memory.

- The copy is one file without a write-ahead log, and without the rows of its tables of tokens.
- It is foreign: nothing of its schema is trusted, nothing can be written, the work is bounded.
- `audit_entries` counts over all jobs: over the whole table a hole is a hint of deletion, which the API cannot give.
  It is a hint and no more: the system's user can edit both table and counter.
"""

import sqlite3
from collections.abc import Iterator
from typing import Final

from agentaudit.adapters.bridge.audit import JobAudit
from agentaudit.adapters.findings import Findings
from agentaudit.adapters.wording import NUMBER_MAX, identifier, word
from agentaudit.encoding.foreign import Json, NotJson, decode, mapping
from agentaudit.model.stream import EventRow, OrderRun, Place, StreamRow

MAGIC: Final = b"SQLite format 3\x00"
DATABASE_MAX: Final = 256 * 1024 * 1024
RUNS_MAX: Final = 1_024
FORM: Final = "bridge_database"

_USER_VERSION: Final = 2
_VERSIONS: Final = slice(18, 20)
_STEPS: Final = 1_000_000
_STEPS_MAX: Final = 2_000
_READS: Final = frozenset({sqlite3.SQLITE_READ, sqlite3.SQLITE_SELECT, sqlite3.SQLITE_PRAGMA})
_TABLES: Final = ("audit_entries", "jobs", "attempts", "audit_tools")
_ENTRIES: Final = "SELECT id, job_id, data FROM main.audit_entries ORDER BY id"
_JOBS: Final = "SELECT id, status, mode FROM main.jobs"
_ATTEMPTS: Final = "SELECT id, job_id, data FROM main.attempts"
_SEQUENCE: Final = "SELECT seq FROM main.sqlite_sequence WHERE name = 'audit_entries'"


def is_read_only(action: int, *_names: str | None) -> int:
    """The authoriser: reading, and nothing else (SQLite, `sqlite3_set_authorizer`)."""
    return sqlite3.SQLITE_OK if action in _READS else sqlite3.SQLITE_DENY


class DatabaseFeed:
    """One database: every audit entry as an event of its job, and the table as a stream with its runs of ids."""

    def __init__(self, item: str, file: str, number: int) -> None:
        """`file` is the key of its stream; `number` that of the file."""
        self._item = item
        self._file = file
        self._number = number
        self._octets = bytearray()
        self._bytes = 0
        self._findings = Findings()
        self._jobs: dict[str | None, JobAudit] = {}
        self._status: dict[str, str] = {}
        self._runs: list[OrderRun] = []
        self._counts: dict[str, int] = {}
        self._version: int | None = None
        self._ready = False

    def feed(self, chunk: memoryview) -> None:
        """Take the next bytes, as far as the bound goes."""
        self._bytes += len(chunk)
        if self._bytes <= DATABASE_MAX:
            self._octets += chunk
        else:
            self._octets.clear()

    def finish(self) -> None:
        """Say what is too large; what is not is read when its events are asked for."""
        if self._bytes > DATABASE_MAX:
            self._findings.add("database_over_limit")
        else:
            self._ready = True

    def events(self) -> Iterator[EventRow]:
        """Every audit entry, by its id, once the last byte came."""
        if not self._ready:
            return
        self._ready = False
        database = sqlite3.connect(":memory:")
        try:
            database.deserialize(self._image())
            self._octets.clear()
            yield from self._read(database)
        except sqlite3.Error:
            # What SQLite says of a damaged file can hold a piece of it.
            self._findings.add("database_unreadable")
        finally:
            database.close()

    def rows(self) -> Iterator[StreamRow]:
        """The file, its table of entries, and each job with its attempts and tools."""
        yield StreamRow(
            stream=self._file,
            kind="file",
            item=self._item,
            form=FORM,
            events=self._counts.get("entries", 0),
            counts=() if self._version is None else (("user_version", self._version),),
            findings=self._findings.rows(),
        )
        if self._version is None:
            return
        yield self._table()
        for name, job in self._jobs.items():
            yield from job.close(name, live_status=self._status.get(name or ""))

    def _image(self) -> bytes:
        """The bytes as a file without a log: one that has its log elsewhere is read as far as it goes, and says so.

        Source: SQLite file format, section 1.3.3 (read and write version).
        """
        if self._octets[_VERSIONS] == b"\x02\x02":
            self._octets[_VERSIONS] = b"\x01\x01"
            self._findings.add("write_ahead_log_apart")
        return bytes(self._octets)

    def _read(self, database: sqlite3.Connection) -> Iterator[EventRow]:
        _bound(database)
        self._version = int(database.execute("PRAGMA user_version").fetchone()[0])
        if self._version != _USER_VERSION:
            self._findings.add("user_version_other")
        missing = [name for name in _TABLES if not _has(database, name)]
        for name in missing:
            self._findings.add("table_absent", subject=name)
        if "jobs" not in missing:
            self._read_jobs(database)
        if "attempts" not in missing:
            self._read_attempts(database)
        if "audit_entries" not in missing:
            yield from self._read_entries(database)
            self._read_sequence(database)

    def _read_jobs(self, database: sqlite3.Connection) -> None:
        for found, status, mode in database.execute(_JOBS):
            name = identifier(found)
            if name is None:
                self._findings.add("job_unreadable")
                continue
            job = self._job(name)
            said = {"status": word(status), "mode": word(mode)}
            job.words.update({key: text for key, text in said.items() if text is not None})
            self._status[name] = said["status"] or ""

    def _read_attempts(self, database: sqlite3.Connection) -> None:
        for found, of_job, told in database.execute(_ATTEMPTS):
            identity, name = identifier(found), identifier(of_job)
            if identity is None or name is None:
                self._findings.add("attempt_unreadable")
                continue
            job = self._job(name)
            job.attempts_known = True
            job.list_attempt(identity, word((mapping(_json(told)) or {}).get("status")))

    def _read_entries(self, database: sqlite3.Connection) -> Iterator[EventRow]:
        for number, of_job, told in database.execute(_ENTRIES):
            if not isinstance(number, int) or not 0 <= number <= NUMBER_MAX:
                self._findings.add("id_odd")
                continue
            self._count(number)
            place = Place(item=self._item, pointer="/audit_entries/data", row=number)
            yield self._job(identifier(of_job)).take(_json(told), place, payloads=True, number=number)

    def _count(self, number: int) -> None:
        self._counts["entries"] = self._counts.get("entries", 0) + 1
        last = self._runs[-1] if self._runs else None
        if last is not None and number == last.last + 1:
            self._runs[-1] = OrderRun(first=last.first, last=number, events=last.events + 1)
            return
        if number > (last.last + 1 if last else 1):
            self._hole((last.last if last else 0) + 1, number - 1)
        if len(self._runs) < RUNS_MAX:
            self._runs.append(OrderRun(first=number, last=number, events=1))
        else:
            # The rest is one run with holes: its events are fewer than its numbers.
            self._runs[-1] = OrderRun(first=self._runs[-1].first, last=number, events=self._runs[-1].events + 1)

    def _hole(self, first: int, last: int) -> None:
        self._findings.add("id_hole_hint", subject=f"{first}-{last}", count=last - first + 1)

    def _read_sequence(self, database: sqlite3.Connection) -> None:
        if not _has(database, "sqlite_sequence"):
            return
        row = database.execute(_SEQUENCE).fetchone()
        highest = row[0] if row else None
        if not isinstance(highest, int) or not 0 <= highest <= NUMBER_MAX:
            return
        self._counts["highest_issued"] = highest
        last = self._runs[-1].last if self._runs else 0
        if highest > last:
            self._hole(last + 1, highest)

    def _job(self, name: str | None) -> JobAudit:
        held = self._jobs.get(name)
        if held is None:
            stream = f"job/{self._number:06d}.{len(self._jobs) + 1:06d}"
            held = self._jobs[name] = JobAudit(stream, name, within=self._file)
        return held

    def _table(self) -> StreamRow:
        return StreamRow(
            stream=f"table/{self._number:06d}",
            kind="table",
            name="audit_entries",
            within=self._file,
            events=self._counts.get("entries", 0),
            counts=tuple(sorted(self._counts.items())),
            runs=tuple(self._runs),
        )


def _bound(database: sqlite3.Connection) -> None:
    """Trust nothing, write nothing, work no longer than a bound; a text that is no UTF-8 ends nothing."""
    database.text_factory = lambda octets: octets.decode("utf-8", "surrogateescape")
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA query_only = ON")
    steps = iter(range(_STEPS_MAX))
    database.set_progress_handler(lambda: int(next(steps, None) is None), _STEPS)
    database.set_authorizer(is_read_only)


def _has(database: sqlite3.Connection, name: str) -> bool:
    """True for a table; a view of that name is none."""
    found = database.execute("SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = ?", (name,))
    return found.fetchone() is not None


def _json(told: object) -> Json:
    """The JSON of a column; null where it holds none."""
    octets = told.encode("utf-8", "surrogateescape") if isinstance(told, str) else told
    try:
        return decode(octets) if isinstance(octets, bytes) else None
    except NotJson:
        return None
