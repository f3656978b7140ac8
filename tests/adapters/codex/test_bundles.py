"""Bundles: which entries belong to which thread, and what rollouts name and no file is."""

from collections.abc import Mapping

from agentaudit.adapters.codex.bundles import describe, links, witness
from agentaudit.adapters.codex.members import Member, group, member_of, primary
from agentaudit.adapters.codex.rollout import RolloutReading
from agentaudit.encoding.foreign import Json
from agentaudit.model.base import UNSET
from agentaudit.model.bundle import RoleTotal, SessionBundle
from agentaudit.model.codex import RolloutFacts, ThreadLinks
from agentaudit.model.survey import Parts
from agentaudit.model.text import SourceText, Unencodable
from tests.adapters.codex.homes import A, B, C, line, member, parts_of, rollout_name


def bundles(
    *members: Member,
    history: Mapping[tuple[str, SourceText], int] | None = None,
    running: Mapping[tuple[str, SourceText], tuple[int, ...]] | None = None,
) -> tuple[SessionBundle, ...]:
    """The bundles of these entries."""
    return describe(group(members), history or {}, running or {})


def read(*heads: Json) -> RolloutFacts:
    """The facts of a rollout with these heads."""
    reading = RolloutReading()
    for head in heads:
        reading.see(line("session_meta", head))
    return reading.facts()


def test_all_that_is_keyed_by_a_thread_is_one_bundle() -> None:
    """Plain, compressed and archived rollouts, copies, snapshots and locks; not what threads share."""
    found = bundles(
        member(rollout_name(), second=100),
        member(rollout_name(suffix=".jsonl.zst"), second=50),
        member(rollout_name(suffix=".jsonl.bak"), second=120),
        member(rollout_name(day="archived_sessions"), second=90),
        member(f"shell_snapshots/{A}.sh", second=110),
        member(f"thread-writer-locks/{A}.lock", "link"),
        member("history.jsonl"),
        member("state_5.sqlite"),
        history={("r1", A): 3, ("r2", A): 9},
        running={("r1", A): (7,)},
    )
    assert len(found) == 1
    one = found[0]
    assert (one.key, one.root, one.project, one.session) == ("s000001", "r1", None, A)
    assert (one.transcript, one.bytes, one.newer_siblings, one.running) == ("present", 50, 2, (7,))
    assert one.roles[1:3] == (
        RoleTotal(role="rollout", count=1, bytes=10),
        RoleTotal(role="rollout_copy", count=1, bytes=10),
    )
    assert one.witnesses == (("history", 3), ("rollouts", 1), ("running", 1), ("shell-snapshots", 1))
    assert (one.nested, one.spilled_absent, one.subagents_absent) == (UNSET, UNSET, UNSET)


def test_a_root_or_a_root_inside_it_makes_another_bundle() -> None:
    """The same thread twice is two bundles that name each other, in the order of their roots."""
    found = bundles(
        member(rollout_name(B), root="r10"),
        member(f"x/.codex/{rollout_name(A)}", root="r2"),
        member(rollout_name(A), root="r2"),
        member(rollout_name(A), root="other"),
    )
    assert [(one.root, one.session, one.nested) for one in found] == [
        ("other", A, UNSET), ("r2", A, UNSET), ("r2", A, "x/.codex"), ("r10", B, UNSET),
    ]  # fmt: skip
    assert found[1].also_in == ("s000001", "s000003")
    assert found[3].also_in == ()


def test_a_bundle_without_a_rollout_says_so() -> None:
    """Missing, or there and not readable; what a file could not be looked at has no size."""
    missing = bundles(member(f"shell_snapshots/{A}.sh"))[0]
    assert (missing.transcript, missing.newer_siblings) == ("missing", 0)
    link = bundles(member(rollout_name(), "link"))[0]
    assert (link.transcript, link.bytes, link.modified_at) == ("unreadable", 0, None)
    unseen = bundles(member(rollout_name(), looked=False))[0]
    assert (unseen.transcript, unseen.roles) == ("unreadable", ())


def test_the_plain_rollout_counts_before_its_twin() -> None:
    """One that cannot be read gives way to one that can."""
    twins = (member(rollout_name(suffix=".jsonl.zst")), member(rollout_name()))
    found = primary(group(twins)[0])
    assert found is not None
    assert found.placed.role == "rollout"
    assert group(twins)[0].project is None
    broken = primary(group((member(rollout_name(suffix=".jsonl.zst")), member(rollout_name(), "link")))[0])
    assert broken is not None
    assert broken.placed.role == "rollout_zst"
    assert primary(group((member(f"shell_snapshots/{A}.sh"),))[0]) is None


def test_a_rollout_without_a_thread_in_its_name_belongs_where_its_rows_say() -> None:
    """And to no bundle while nobody has read it; a name that states one is not overruled."""
    name = "sessions/rollout-by-hand.jsonl"
    assert bundles(member(name)) == ()
    assert bundles(member(name, session=A))[0].session == A
    assert bundles(member(rollout_name(), session=B))[0].session == A
    assert bundles(member("history.jsonl", session=A)) == ()


def test_names_that_are_not_utf_8_are_entries_too() -> None:
    """Their bytes are kept."""
    name = Unencodable(hex=b"sessions/rollout-\xff.jsonl".hex(), display="")
    found = member_of("r1", name, "file", None, Unencodable(hex="ff", display="\\xff"))
    assert found.parts == (b"sessions", b"rollout-\xff.jsonl")
    assert not found.is_file
    bundle = bundles(found)[0]
    assert bundle.session == Unencodable(hex="ff", display="\\xff")
    assert witness("r1", group((found,)), {}).without_transcript == 0


def test_rollouts_are_linked_by_what_they_name() -> None:
    """Origin, spawner and children; a thread that is named and has no rollout in the root is absent."""
    groups = group(
        (
            member(rollout_name(A)), member(rollout_name(B)), member(rollout_name(C)),
            member(f"shell_snapshots/{A}.sh"), member(rollout_name(A), root="r2"),
        )
    )  # fmt: skip
    facts: dict[tuple[str, Parts], RolloutFacts] = {
        ("r1", parts_of(rollout_name(A))): read({"id": A}),
        ("r1", parts_of(rollout_name(B))): read(
            {"id": B, "source": {"subagent": {"thread_spawn": {"parent_thread_id": A}}}}, {"forked_from_id": "gone"}
        ),
        ("r2", parts_of(rollout_name(A))): read({"id": A, "forked_from_id": B}),
    }
    assert links(groups, facts) == tuple(
        sorted(
            (
                ThreadLinks(key=_key(A), forked_from=(), parents=(), children=(B,), absent=()),
                ThreadLinks(key=_key(B), forked_from=("gone",), parents=(A,), children=(), absent=("gone",)),
                ThreadLinks(key="s000004", forked_from=(B,), parents=(), children=(), absent=(B,)),
            ),
            key=lambda one: one.key,
        )
    )
    assert links(groups, {}) == ()


def _key(thread: str) -> str:
    return f"s{sorted((A, B, C)).index(thread) + 1:06d}"


def test_the_history_knows_threads_without_a_rollout() -> None:
    """Lines and threads of one root; a lock or a snapshot is no rollout."""
    groups = group((member(rollout_name(A)), member(f"shell_snapshots/{B}.sh")))
    found = witness("r1", groups, {("r1", A): 2, ("r1", B): 1, ("r1", C): 4, ("r2", C): 8})
    assert (found.lines, found.sessions, found.without_transcript) == (7, 3, 2)
