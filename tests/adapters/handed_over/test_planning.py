"""From a survey of handed-over files to their names."""

import msgspec

from agentaudit.adapters.handed_over.places import is_secret_name
from agentaudit.adapters.handed_over.planning import Keeping
from agentaudit.adapters.handed_over.withheld import Form
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
    plan = keeping.plan(
        1, seen, frozenset(), {("r1", (b"b.json",)): "credentials", ("r1", (b"d.token",)): "credentials"}
    )
    assert [(one.path, one.entry.rule) for one in plan.planned] == [
        ("data/gateway-ledger/r1/shared/files/000001.json", "selected"),
        (None, "credentials_bytes"),
        ("data/gateway-ledger/r1/shared/files/000002.sqlite", "selected"),
        (None, "credentials_name"),
    ]
    assert keeping.databases(plan.planned) == ()
    again = tuple(keeping.replan(one.entry for one in plan.planned))
    assert [one.path for one in again] == [one.path for one in plan.planned]


FORMS: dict[tuple[str, tuple[bytes, ...]], Form] = {
    ("r1", (b"a.bak",)): "databases",
    ("r1", (b"b.sqlite",)): "databases",
    ("r1", (b"c.yaml",)): "settings",
    ("r1", (b"d.txt",)): "credentials",
    ("r1", (b"e.key",)): "credentials",
}
ASKED = Keeping("telemetry", is_secret_name, opt_in=frozenset({"databases", "settings"}))
NAMES = (b"a.bak", b"a.bak-journal", b"b.sqlite", b"b.sqlite-wal", b"c.yaml", b"c.yaml-wal", b"d.txt", b"e.key")


def test_a_stranger_is_ruled_on_by_its_form() -> None:
    """What can be asked for stays out with a digest; what is named after a database is one; a key is denied."""
    plan = ASKED.plan(1, _seen(*NAMES), frozenset(), FORMS)
    assert [(one.entry.rule, one.entry.role, one.entry.category, one.digest) for one in plan.planned] == [
        ("category_opt_in", "database", "databases", True),
        ("category_opt_in", "database_journal", "databases", True),
        ("category_opt_in", "database", "databases", True),
        ("category_opt_in", "database_wal", "databases", True),
        ("category_opt_in", "settings", "settings", True),
        ("selected", "handed_over", "handed-over", False),
        ("credentials_bytes", "credentials", "credentials", False),
        ("credentials_name", "credentials", "credentials", False),
    ]
    denied = KEEPING.plan(1, _seen(*NAMES), frozenset(), FORMS, ("databases", "settings"))
    assert {one.entry.rule for one in denied.planned} == {"credentials_bytes", "credentials_name", "selected"}


def test_what_was_asked_for_keeps_its_name_when_a_run_goes_on() -> None:
    """The plan that is drawn from the entries is the same, and so are the databases that are copied in one go."""
    plan = ASKED.plan(1, _seen(*NAMES), frozenset(), FORMS, ("databases", "settings"))
    again = tuple(ASKED.replan(one.entry for one in plan.planned))
    assert [one.path for one in again] == [one.path for one in plan.planned]
    assert [one.entry.rule for one in again] == [*["included"] * 5, "selected", "credentials_bytes", "credentials_name"]
    assert ASKED.databases(again) == ASKED.databases(plan.planned)
    assert [one.parts for one in ASKED.databases(again)] == [
        ((b"a.bak",), (b"a.bak-journal",)), ((b"b.sqlite",), (b"b.sqlite-wal",)),
    ]  # fmt: skip


def test_what_is_named_after_a_database_and_is_no_file_is_none() -> None:
    """A folder of that name is listed as a folder."""
    (folder,) = ASKED.plan(
        1, (msgspec.structs.replace(_seen(b"a.bak-wal")[0], kind="folder"),), frozenset(), FORMS
    ).planned
    assert (folder.entry.role, folder.entry.category, folder.entry.rule) == ("folder", "handed-over", "folder")
