"""From a survey of handed-over files to their names."""

from agentaudit.adapters.handed_over.places import is_secret_name
from agentaudit.adapters.handed_over.planning import Keeping
from agentaudit.model.survey import Seen, look_from
from tests.support.openings import file_state

KEEPING = Keeping("telemetry", is_secret_name)


def _seen(*names: bytes) -> tuple[Seen, ...]:
    return tuple(
        Seen(root="r1", parts=(name,), kind="file", look=look_from(file_state()), state=file_state()) for name in names
    )


def test_names_are_counters_with_a_known_ending() -> None:
    """What is not in the table is `bin`; the parts of a database lie under its number, and alone without it."""
    plan = KEEPING.plan(1, _seen(b"a.JSONL", b"b.exe", b"c", b"d.sqlite", b"d.sqlite-wal", b"e.db-wal"), frozenset())
    assert [one.path for one in plan.planned] == [
        "data/telemetry/r1/shared/files/000001.jsonl", "data/telemetry/r1/shared/files/000002.bin",
        "data/telemetry/r1/shared/files/000003.bin", "data/telemetry/r1/shared/databases/000001.sqlite",
        "data/telemetry/r1/shared/databases/000001.sqlite-wal",
        "data/telemetry/r1/shared/databases-alone/000001.sqlite-wal",
    ]  # fmt: skip
    again = tuple(KEEPING.replan(one.entry for one in plan.planned))
    assert [one.path for one in again] == [one.path for one in plan.planned]


def test_what_could_not_be_looked_at_is_listed() -> None:
    """Without a look there is nothing to copy."""
    plan = KEEPING.plan(1, (Seen(root="r1", parts=(b"a",), kind="unknown", problem="unreadable"),), frozenset())
    (one,) = plan.planned
    assert (one.path, one.entry.decision, one.entry.rule) == (None, "list", "not_seen")
    (again,) = KEEPING.replan((one.entry,))
    assert again.seen.look is None


def test_a_file_whose_bytes_are_withheld_stays_out() -> None:
    """Its name says nothing of it, and where files are judged by bytes no name makes it a part of a database."""
    keeping = Keeping("gateway-ledger", is_secret_name, grouped=False)
    seen = _seen(b"a.json", b"b.json", b"c.sqlite", b"d.token")
    plan = keeping.plan(1, seen, frozenset(), frozenset({("r1", (b"b.json",)), ("r1", (b"d.token",))}))
    assert [(one.path, one.entry.rule) for one in plan.planned] == [
        ("data/gateway-ledger/r1/shared/files/000001.json", "selected"),
        (None, "credentials_bytes"),
        ("data/gateway-ledger/r1/shared/files/000002.sqlite", "selected"),
        (None, "credentials_name"),
    ]
    assert keeping.databases(plan.planned) == ()
    again = tuple(keeping.replan(one.entry for one in plan.planned))
    assert [one.path for one in again] == [one.path for one in plan.planned]
