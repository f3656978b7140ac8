"""Planning: from a survey to decisions, keys and payload names."""

from collections.abc import Mapping

import msgspec
import pytest

from agentaudit.adapters.codex.databases import family_of
from agentaudit.adapters.codex.planning import HomePlan, plan_home, replan
from agentaudit.adapters.codex.policy import denied_files
from agentaudit.adapters.stores.planned import Planned
from agentaudit.model.base import UNSET
from agentaudit.model.framing import label_of
from agentaudit.model.selection import BundleSelection
from agentaudit.model.survey import Parts, Seen
from tests.adapters.codex.homes import A, B, parts_of, rollout_name, seen

PATHS = (
    "auth.json", "config.toml", "history.jsonl", f"{rollout_name(A)}", f"{rollout_name(B)}",
    "state_5.sqlite", "state_5.sqlite-shm", "state_5.sqlite-wal", "version.json",
)  # fmt: skip


def plan(
    entries: tuple[Seen, ...],
    *,
    sessions: tuple[str, ...] = (),
    projects: tuple[str, ...] = (),
    included: tuple[str, ...] = (),
    owners: Mapping[tuple[str, Parts], str] | None = None,
) -> HomePlan:
    """The plan of these entries, everything selected unless threads or projects are named."""
    return plan_home(
        1,
        entries,
        owners=owners or {},
        denied=denied_files(entries),
        selection=BundleSelection(
            agent="codex", roots=(), sessions=sessions, projects=projects, included=included,
            everything=not sessions and not projects,
        ),
        label_of=lambda folder: label_of(str(folder)),
        folders=((B, "/projects/tool"),),
    )  # fmt: skip


def home(*paths: str) -> tuple[Seen, ...]:
    """Entries with inodes of their own, in the order of a survey."""
    ordered = sorted(paths or PATHS, key=parts_of)
    return tuple(seen(path, inode=number) for number, path in enumerate(ordered, 1))


def by_name(found: HomePlan) -> dict[str, Planned]:
    """The planned entries by their true name."""
    return {str(one.entry.name): one for one in found.planned}


def test_everything_is_planned_in_the_order_of_the_survey() -> None:
    """Each entry has a number and a decision; what is preserved has a name."""
    found = plan(home())
    assert [one.entry.number for one in found.planned] == list(range(1, len(PATHS) + 1))
    assert {str(one.entry.name): one.path for one in found.planned if one.path} == {
        rollout_name(A): "data/codex/r1/s000001/rollout.jsonl",
        rollout_name(B): "data/codex/r1/s000002/rollout.jsonl",
        "state_5.sqlite": "data/codex/r1/shared/databases/000001.sqlite",
        "state_5.sqlite-shm": "data/codex/r1/shared/databases/000001.sqlite-shm",
        "state_5.sqlite-wal": "data/codex/r1/shared/databases/000001.sqlite-wal",
    }
    assert [family_of(one) for one in found.databases] == ["state"]
    assert len(found.groups) == 2


def test_rollouts_are_read_as_lines_and_know_their_thread() -> None:
    """What stays out is not read as lines, and may be read for its digest when its rule says so."""
    found = by_name(plan(home(*PATHS, rollout_name("c" * 8, suffix=".jsonl.zst"))))
    assert (found[rollout_name(A)].lines, found[rollout_name(A)].stem) == (True, A)
    assert (found["history.jsonl"].lines, found["history.jsonl"].digest) == (False, True)
    assert (found["auth.json"].path, found["auth.json"].digest) == (None, False)
    assert found["auth.json"].entry.rule == "credentials_name"
    assert not found[rollout_name("c" * 8, suffix=".jsonl.zst")].lines


def test_a_log_whose_database_stays_out_has_a_name_of_its_own() -> None:
    """Nothing lies beside what is not there."""
    found = by_name(plan(home("state_5.sqlite-wal")))
    assert found["state_5.sqlite-wal"].path == "data/codex/r1/shared/databases-alone/000001.sqlite-wal"
    link, log = seen("state_5.sqlite", "link", inode=1), seen("state_5.sqlite-wal", inode=2)
    assert by_name(plan((link, log)))["state_5.sqlite-wal"].path == found["state_5.sqlite-wal"].path


@pytest.mark.parametrize(("sessions", "projects"), [((B,), ()), ((), ("tool",))])
def test_a_selection_names_threads_or_folders(sessions: tuple[str, ...], projects: tuple[str, ...]) -> None:
    """The other thread stays out; shared stores come when they are asked for."""
    found = by_name(plan(home(), sessions=sessions, projects=projects, included=("databases",)))
    assert {name for name, one in found.items() if one.path} == {
        rollout_name(B), "state_5.sqlite", "state_5.sqlite-shm", "state_5.sqlite-wal",
    }  # fmt: skip


def test_what_was_named_in_vain_is_said() -> None:
    """Thread and project."""
    found = plan(home(), sessions=("gone",), projects=("nowhere",))
    assert (found.missing_sessions, found.missing_projects) == (("gone",), ("nowhere",))


def test_a_rollout_belongs_to_the_thread_that_its_rows_name() -> None:
    """Its name states none, so nothing is compared with it."""
    name = "sessions/rollout-by-hand.jsonl"
    found = by_name(plan(home(name), owners={("r1", parts_of(name)): A}))[name]
    assert (found.entry.owner, found.entry.session, found.stem) == (A, "s000001", None)
    bare = by_name(plan(home(name)))[name]
    assert (bare.entry.owner, bare.entry.session, bare.stem) == (UNSET, None, None)


def test_links_and_problems_stand_in_the_row() -> None:
    """The text of a link, and why an entry was not seen."""
    link = msgspec.structs.replace(seen("sessions", "link"), target="/elsewhere")
    found = plan((link, seen("x", problem="unreadable"))).planned
    assert (found[0].entry.target, found[0].entry.problem) == ("/elsewhere", UNSET)
    assert (found[1].entry.target, found[1].entry.problem, found[1].entry.rule) == (UNSET, "unreadable", "not_seen")


@pytest.mark.parametrize("unseen", [False, True])
def test_a_plan_is_drawn_from_its_entries_again(unseen: bool) -> None:
    """The same names: of databases and what lies beside them, of rollouts by their rows, without a look too."""
    named = "sessions/rollout-x.jsonl"
    entries = home(*PATHS, named, f"{rollout_name(B, suffix='.jsonl.zst')}", "sqlite/state_9.sqlite-wal")
    if unseen:
        entries = (*entries, seen("zz", problem="unreadable"))
    first = plan(entries, owners={("r1", parts_of(named)): A}, included=("history",))
    again = tuple(replan(one.entry for one in first.planned))
    for was, now in zip(first.planned, again, strict=True):
        assert (was.path, was.lines, was.stem, was.entry) == (now.path, now.lines, now.stem, now.entry)
        assert now.seen.parts == was.seen.parts
