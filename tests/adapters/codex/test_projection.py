"""The projection: what databases say of rollouts against the files, from rows alone."""

import pytest

from agentaudit.adapters.codex.projection import STANDINGS_MAX, RolloutFile, compare
from agentaudit.adapters.codex.tables import EDGES, PROJECTED, THREADS, TURNS, Row, Table, TableRows
from agentaudit.model.base import UNSET
from agentaudit.model.codex import ProjectionFacts, ThreadStanding
from agentaudit.model.framing import label_of
from tests.adapters.codex.homes import A, B, C, parts_of, rollout_name

HOME = "/home/u/.codex"


def file(name: str, thread: str = A, size: int | None = 100, ordinal: int | None = 4) -> RolloutFile:
    """One rollout of the survey."""
    return RolloutFile(parts_of(name), thread, size, ordinal)


def rows(table: Table, *given: Row, cut: bool = False) -> TableRows:
    """The rows of a table that is there."""
    return TableRows(table, present=True, rows=given, cut=cut)


def row(path: str, thread: str = A, archived: int | None = 0) -> Row:
    """One row of `threads`."""
    return thread.encode(), path.encode(), archived


def compared(*tables: TableRows, files: tuple[RolloutFile, ...] = (file(rollout_name()),)) -> ProjectionFacts:
    """The facts of one root."""
    return compare("r1", files, tables)


def standing(*tables: TableRows, files: tuple[RolloutFile, ...] = (file(rollout_name()),)) -> ThreadStanding:
    """The standing of the first thread."""
    return compared(*tables, files=files).threads[0]


def test_a_whole_rollout_agrees_with_its_projection() -> None:
    """The file is where the row says; size and ordinal are equal."""
    found = compared(
        rows(THREADS, row(f"{HOME}/{rollout_name()}")),
        rows(PROJECTED, (A.encode(), 100, 4)),
        rows(TURNS, (A.encode(), 100, 3), (A.encode(), None, None)),
    )
    assert found.threads == (
        ThreadStanding(
            thread=A, files=1, listed=True, projected=True, file="present", size="equal", file_bytes=100,
            projected_bytes=100, ordinal="equal", file_next_ordinal=4, projected_next_ordinal=4, turns_beyond=0,
            archived=False, archived_file=False,
        ),
    )  # fmt: skip
    assert (found.read, found.rows, found.odd_rows, found.cut) == (True, 4, 0, False)
    assert (found.missing, found.unlisted, found.smaller, found.larger) == (0, 0, 0, 0)
    assert found.quiesced == "not_quiesced"


@pytest.mark.parametrize(
    ("size", "ordinal", "said"),
    [
        (99, 4, ("smaller", "equal", 1, 0)),
        (100, 3, ("equal", "smaller", 1, 0)),
        (101, 5, ("larger", "larger", 0, 1)),
        (None, None, ("unknown", "unknown", 0, 0)),
    ],
)
def test_a_rollout_can_be_behind_or_ahead(
    size: int | None, ordinal: int | None, said: tuple[str, str, int, int]
) -> None:
    """Smaller has lost lines; larger is ahead; what is not known is not judged."""
    found = compared(rows(PROJECTED, (A.encode(), 100, 4)), files=(file(rollout_name(), size=size, ordinal=ordinal),))
    one = found.threads[0]
    assert (one.size, one.ordinal, found.smaller, found.larger) == said


@pytest.mark.parametrize(
    ("path", "files", "said"),
    [
        (f"{HOME}/{rollout_name()}", (rollout_name(),), "present"),
        (f"{HOME}/{rollout_name()}", (f"x/.codex/{rollout_name()}",), "present"),
        (("C:\\Users\\u\\.codex\\" + rollout_name()).replace("/", "\\"), (rollout_name(),), "present"),
        (f"/sessions/of/mine/{rollout_name()}", (rollout_name(),), "present"),
        (f"{HOME}/{rollout_name(suffix='.jsonl.zst')}", (rollout_name(),), "present"),
        (f"{HOME}/{rollout_name(suffix='.jsonl.zst')}", (rollout_name(suffix=".jsonl.zst"),), "present"),
        (f"{HOME}/{rollout_name()}", (rollout_name(suffix=".jsonl.zst"),), "compressed"),
        (f"{HOME}/{rollout_name()}", (rollout_name(day="archived_sessions"),), "elsewhere"),
        (f"/moved/{rollout_name(day='flat')}", (rollout_name(),), "elsewhere"),
        (f"{HOME}/{rollout_name()}", (rollout_name(B),), "missing"),
        (f"{HOME}/{rollout_name()}", (), "missing"),
        ("", (rollout_name(),), "none"),
    ],
)
def test_a_row_names_a_file_by_the_end_of_its_path(path: str, files: tuple[str, ...], said: str) -> None:
    """The path of another host is never followed."""
    found = compared(rows(THREADS, row(path)), files=tuple(file(name, B if B in name else A) for name in files))
    one = next(one for one in found.threads if one.thread == A)
    assert one.file == said
    assert found.missing == (said == "missing")


def test_the_file_that_the_row_names_is_the_one_that_is_measured() -> None:
    """Of several rollouts of a thread; without a row, one whose size is known."""
    files = (file(rollout_name(day="archived_sessions"), size=7), file(rollout_name(), size=100))
    one = standing(rows(THREADS, row(f"{HOME}/{rollout_name()}", archived=1)), files=files)
    assert (one.files, one.file_bytes, one.archived, one.archived_file) == (2, 100, True, False)
    packed = (file(rollout_name(suffix=".jsonl.zst"), size=None), file(rollout_name(day="archived_sessions"), size=7))
    assert standing(files=packed).file_bytes == 7
    assert standing(files=packed).archived_file is True


def test_a_file_without_a_row_is_unlisted_only_where_there_is_a_list() -> None:
    """Without the table nothing is said of it."""
    found = compared(rows(THREADS))
    assert (found.unlisted, found.read) == (1, True)
    bare = compared(TableRows(THREADS, present=False))
    assert (bare.unlisted, bare.read) == (0, False)
    one = bare.threads[0]
    assert (one.listed, one.file, one.size, one.ordinal, one.archived) == (False, UNSET, UNSET, UNSET, None)
    assert compared(rows(EDGES)).read is False


def test_a_thread_that_only_the_projection_knows_has_no_file() -> None:
    """It stands there with what was projected."""
    one = standing(rows(PROJECTED, (A.encode(), 100, 4)), files=())
    assert (one.files, one.size, one.ordinal, one.archived_file) == (0, "unknown", "unknown", None)
    assert one.projected_bytes == 100


@pytest.mark.parametrize(
    ("end", "beyond"),
    [((101, 3), 1), ((100, 4), 1), ((100, 3), 0), ((None, None), 0), ((None, 4), 1), ((-1, 2**53), 0)],
)
def test_a_turn_that_ends_beyond_the_file_is_counted(end: tuple[int | None, int | None], beyond: int) -> None:
    """By offset or by ordinal; what is not known is not beyond."""
    assert standing(rows(TURNS, (A.encode(), *end))).turns_beyond == beyond
    unknown = (file(rollout_name(), size=None, ordinal=None),)
    assert standing(rows(TURNS, (A.encode(), *end)), files=unknown).turns_beyond == 0


def test_a_spawned_thread_with_neither_row_nor_file_is_absent() -> None:
    """One that has either is not."""
    edges = rows(EDGES, *((A.encode(), child.encode()) for child in (A, B, C)))
    assert compared(rows(THREADS, row("", B)), edges).children_absent == (C,)


@pytest.mark.parametrize(
    "given",
    [
        rows(THREADS, (5, b"x", 0)),
        rows(THREADS, (A.encode(), None, 0)),
        rows(THREADS, (A.encode(), b"x")),
        rows(EDGES, (A.encode(), 5)),
        rows(PROJECTED, (A.encode(), b"100", 4)),
        rows(PROJECTED, (A.encode(), 100, None)),
        rows(PROJECTED, (A.encode(), -1, 4)),
        rows(PROJECTED, (A.encode(), 1.5, 4)),
        rows(TURNS, (None, 100, 4)),
    ],
)
def test_a_row_of_another_form_is_odd(given: TableRows) -> None:
    """It is counted, and what it does not say is not said for it."""
    found = compared(given)
    assert (found.odd_rows, found.rows) == (1, 1)
    assert found.threads[0].size is UNSET


def test_an_archived_mark_of_another_form_is_none() -> None:
    """The rest of the row stands."""
    one = standing(rows(THREADS, (A.encode(), f"{HOME}/{rollout_name()}".encode(), b"yes")))
    assert (one.archived, one.file) == (None, "present")


def test_differences_come_first_and_the_list_is_bounded() -> None:
    """What is beyond the bound is counted, and totals cover it."""
    many = [row(f"{HOME}/sessions/gone-{number}.jsonl", f"t{number:06d}") for number in range(STANDINGS_MAX)]
    found = compared(
        rows(THREADS, row(f"{HOME}/{rollout_name()}"), *many, cut=True), rows(PROJECTED, (A.encode(), 100, 4))
    )
    assert (len(found.threads), found.threads_beyond, found.missing, found.cut) == (
        STANDINGS_MAX, 1, STANDINGS_MAX, True,
    )  # fmt: skip
    assert A not in {one.thread for one in found.threads}


def test_an_id_that_has_not_the_form_of_one_is_a_label() -> None:
    """In rows and in files alike, so that both still meet."""
    odd = "no id at all"
    found = compared(rows(THREADS, row("", odd)), files=(file(rollout_name(), odd),))
    assert [(one.thread, one.files, one.listed) for one in found.threads] == [(label_of(odd), 1, True)]
