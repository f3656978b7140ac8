"""What a home lacks by its own word, as gaps."""

import msgspec
import pytest

from agentaudit.adapters.codex.bundles import describe
from agentaudit.adapters.codex.lacks import bundle_lacks, projection_lacks
from agentaudit.adapters.codex.members import Member, group
from agentaudit.adapters.codex.rollout import RolloutReading
from agentaudit.model.base import UNSET
from agentaudit.model.bundle import SessionBundle
from agentaudit.model.codex import ProjectionFacts, RolloutFacts, ThreadLinks, ThreadStanding
from agentaudit.model.losses import Gap
from agentaudit.model.text import Unencodable
from tests.adapters.codex.homes import A, B, line, member, rollout_name

KEY = "s000001"


def facts(*ordinals: int, gaps_max: int = 8) -> RolloutFacts:
    """The facts of a rollout with these ordinals."""
    reading = RolloutReading(A, gaps_max)
    for one in ordinals:
        reading.see(line("event_msg", {}, ordinal=one))
    return reading.facts()


def lacks(*members: Member, read: RolloutFacts | None = None, absent: tuple[str, ...] = ()) -> list[Gap]:
    """The gaps of the one bundle of these members."""
    (one,) = group(members)
    (bundle,) = describe((one,), {}, {})
    found = {} if read is None else {(one.root, one.members[0].parts): read}
    links = ThreadLinks(key=KEY, forked_from=absent, parents=(), children=(), absent=absent)
    return list(bundle_lacks(bundle, one, found, links if absent else None))


def bundle(thread: str = A, *, missing: bool = False) -> SessionBundle:
    """The bundle of a thread with a rollout, or with an image alone."""
    name = f"generated_images/{thread}/1.png" if missing else rollout_name(thread)
    return describe(group((member(name),)), {}, {})[0]


def said(*threads: ThreadStanding, children: tuple[str, ...] = ()) -> ProjectionFacts:
    """What databases say of the first root."""
    return ProjectionFacts(
        root="r1", read=True, rows=0, odd_rows=0, cut=False, threads=threads, threads_beyond=0, missing=0, unlisted=0,
        smaller=0, larger=0, children_absent=children,
    )  # fmt: skip


def standing(thread: str = A, *, missing: bool = False, ordinal: tuple[int, int] | None = None) -> ThreadStanding:
    """The standing of a thread: its file is missing or present, and smaller where ordinals are given."""
    return ThreadStanding(
        thread=thread,
        files=1,
        listed=True,
        projected=True,
        file="missing" if missing else "present",
        size="equal" if ordinal is None else "smaller",
        ordinal=UNSET,
        file_next_ordinal=None if ordinal is None else ordinal[0],
        projected_next_ordinal=None if ordinal is None else ordinal[1],
    )


def test_a_thread_that_lacks_nothing_has_no_gap() -> None:
    """Its rollout is there, read or not, and counts from 0 to its end."""
    assert lacks(member(rollout_name())) == []
    assert lacks(member(rollout_name()), read=facts(0, 1, 2)) == []


def test_a_thread_without_a_rollout_lacks_it() -> None:
    """What else lies there is the witness."""
    assert [gap.code for gap in lacks(member(f"generated_images/{A}/1.png"))] == ["transcript_absent"]


@pytest.mark.parametrize(("found", "count"), [(facts(0, 3), 2), (facts(0, 2, 4, 6, gaps_max=1), 1)])
def test_ordinals_that_no_record_has_are_counted(found: RolloutFacts, count: int) -> None:
    """One, where there are too many gaps to say how many."""
    (gap,) = lacks(member(rollout_name()), read=found)
    assert (gap.kind, gap.code, gap.count, gap.session) == ("unavailable", "ordinal_absent", count, KEY)


def test_origins_that_are_nowhere_are_counted() -> None:
    """The gap is that of the thread that names them."""
    (gap,) = lacks(member(rollout_name()), absent=(A, B))
    assert (gap.code, gap.count) == ("origin_absent", 2)


def test_a_missing_rollout_that_a_database_names_is_a_gap_once() -> None:
    """Of a bundle without any rollout its own lack speaks; of a thread that nothing else knows the database."""
    wanted = frozenset({KEY})
    for one in (bundle(missing=True), bundle()):
        found = list(projection_lacks(said(standing(missing=True)), ("r1",), [one], wanted, 1, everything=True))
        assert [gap.code for gap in found] == ([] if one.transcript == "missing" else ["transcript_absent"])
    (gap,) = projection_lacks(said(standing(B, missing=True)), ("r1",), [bundle()], wanted, 1, everything=True)
    assert (gap.subject, gap.session) == (B, UNSET)


def test_threads_that_were_not_selected_are_no_gaps() -> None:
    """Neither those that only a database knows nor those that were left out."""
    rows = said(standing(missing=True), standing(B, missing=True), children=("x",))
    assert list(projection_lacks(rows, ("r1",), [bundle()], frozenset(), 1, everything=False)) == []


def test_another_root_may_hold_a_thread_of_the_same_name() -> None:
    """What is said of one root is no word on another."""
    elsewhere = describe(group((member(rollout_name(), root="r2"),)), {}, {})
    found = projection_lacks(said(standing(ordinal=(1, 2))), ("r1",), elsewhere, frozenset({KEY}), 1, everything=True)
    assert list(found) == []


@pytest.mark.parametrize(("ordinal", "count"), [((3, 10), 7), ((3, 3), 1)])
def test_a_rollout_that_is_smaller_than_its_projection_lost_records(ordinal: tuple[int, int], count: int) -> None:
    """At least one, where ordinals do not say how many."""
    rows, wanted = said(standing(ordinal=ordinal)), frozenset({KEY})
    (gap,) = projection_lacks(rows, ("r1",), [bundle()], wanted, 1, everything=True)
    assert (gap.code, gap.count, gap.session) == ("projected_absent", count, KEY)


def test_ordinals_that_are_not_known_count_as_one() -> None:
    """A file without ordinals is smaller by its size."""
    one = ThreadStanding(thread=A, files=1, listed=False, projected=True, size="smaller", ordinal="unknown")
    (gap,) = projection_lacks(said(one), ("r1",), [bundle()], frozenset({KEY}), 1, everything=False)
    assert gap.count == 1


def test_spawned_threads_that_are_nowhere_are_counted_by_root() -> None:
    """The gap names the survey of the root."""
    (gap,) = projection_lacks(said(children=("x", "y")), ("r1",), [], frozenset(), 2, everything=True)
    assert (gap.code, gap.count, gap.walk) == ("subagent_absent", 2, "codex/r1/survey02")


def test_a_name_that_is_no_text_is_compared_by_its_display_form() -> None:
    """Such a thread has a bundle, and no database names it."""
    odd = Unencodable(hex="ff", display="\\xff")
    (one,) = describe(group((member(rollout_name()),)), {}, {})
    renamed = [msgspec.structs.replace(one, session=odd)]
    assert list(projection_lacks(said(standing()), ("r1",), renamed, frozenset({KEY}), 1, everything=True)) == []
