"""The kinds of store: one for each keeper, made of pure functions, and nothing of one is another's."""

import pytest

from agentaudit.acquire.deposits import handed_over
from agentaudit.acquire.kinds import Given, NoBundles, StoreKind, folder_label, kind_of, tell
from agentaudit.acquire.peeking import Peeked
from agentaudit.adapters.claude_code.reading import StoreBundles
from agentaudit.adapters.codex.reading import HomeBundles
from agentaudit.adapters.handed_over.planning import Keeping
from agentaudit.adapters.handed_over.reading import HandedOverReader
from agentaudit.model.codex import ThreadLinks
from agentaudit.model.selection import Agent, BundleSelection, HandedOver, Keeper, StoreSelection
from agentaudit.model.storejournal import ThreadLinked
from agentaudit.model.survey import Look, Parts, Seen, state_of

AGENTS: tuple[Agent, ...] = ("claude-code", "codex")
KEEPERS: tuple[Keeper, ...] = (*AGENTS, "telemetry", "bridge", "gateway-ledger", "openai-logs")
LOOK = Look(
    size=1, modified_ns=0, changed_ns=0, accessed_ns=0, born_ns=None, mode=0o100600, user_id=0, group_id=0, device=1,
    inode=7, links=1, allocated=None,
)  # fmt: skip


def seen(name: str) -> Seen:
    """A file at that path."""
    parts: Parts = tuple(name.encode().split(b"/"))
    return Seen(root="r1", parts=parts, kind="file", look=LOOK, state=state_of(LOOK, None, None))


def given(selection: StoreSelection, *entries: Seen, kind: StoreKind) -> Given:
    """A survey of these entries, of which nothing was looked into."""
    return Given(1, entries, Peeked(), kind.denied_files(entries), selection)


def everything(keeper: Keeper) -> StoreSelection:
    """All that the keeper's store or deposit holds."""
    match keeper:
        case "claude-code" | "codex":
            return BundleSelection(agent=keeper, roots=(), everything=True)
        case "telemetry" | "bridge" | "gateway-ledger" | "openai-logs":
            return HandedOver(deposit=keeper, paths=("/x",))


@pytest.mark.parametrize("keeper", KEEPERS)
def test_each_keeper_has_a_kind_of_its_own_name(keeper: Keeper) -> None:
    """The reader's name is what the journal says; credentials are no category that can be asked for."""
    kind = kind_of(keeper)
    assert kind.agent == keeper
    assert kind.reader.name
    assert "credentials" not in kind.categories
    assert (kind.roots is None) == (keeper not in AGENTS)


@pytest.mark.parametrize(
    ("keeper", "secret", "plain"),
    [
        ("claude-code", ".Credentials.JSON", "projects/-w/x.jsonl"),
        ("codex", "AUTH.json", "sessions/2026/11/29/rollout-x.jsonl"),
        ("telemetry", ".credentials.json", "logs.jsonl"),
        ("bridge", "OWNER.token", "audit.jsonl"),
    ],
)
def test_a_secret_is_one_in_any_case_and_its_inode_is_denied(keeper: Keeper, secret: str, plain: str) -> None:
    """No selection lets it in, a hard link under an innocent name is one too, and a plain file is none."""
    kind = kind_of(keeper)
    assert kind.is_secret(seen(secret).parts)
    assert not kind.is_secret(seen(plain).parts)
    assert kind.denied_files((seen(secret),)) == {(1, 7)}
    assert kind.denied_files((seen(plain),)) == frozenset()
    assert kind.token_files((seen(secret),)) <= kind.denied_files((seen(secret),))
    plan = kind.plan(given(everything(keeper), seen(secret), seen(plain), kind=kind))
    assert [one.path for one in plan.planned] == [None, None]


@pytest.mark.parametrize("agent", AGENTS)
def test_a_store_of_sessions_is_planned_by_a_selection_of_sessions(agent: Agent) -> None:
    """Files that were handed over select no session: that is a bug, and is told as one."""
    kind = kind_of(agent)
    with pytest.raises(TypeError, match="selection of sessions"):
        kind.plan(given(HandedOver(deposit="telemetry", paths=("/x",)), seen("a"), kind=kind))


def test_only_a_home_has_databases_and_packed_texts() -> None:
    """What one kind takes in one go is nothing to another."""
    names = ("state_5.sqlite", "state_5.sqlite-wal")
    counts: dict[Agent, int] = {"claude-code": 0, "codex": 1}
    for agent, count in counts.items():
        kind = kind_of(agent)
        selection = BundleSelection(agent=agent, roots=(), everything=True)
        plan = kind.plan(given(selection, *(seen(name) for name in names), kind=kind))
        assert len(kind.sets(plan.planned)) == count
        assert bool(kind.packed) == bool(count)


def test_what_is_not_copied_is_in_no_set() -> None:
    """A database that stays out is not opened for the sake of its set."""
    kind = kind_of("codex")
    selection = BundleSelection(agent="codex", roots=(), sessions=("nobody",))
    plan = kind.plan(given(selection, seen("state_5.sqlite"), kind=kind))
    assert kind.sets(plan.planned) == ()


@pytest.mark.parametrize("keeper", KEEPERS)
def test_a_later_read_has_another_name(keeper: Keeper) -> None:
    """The first read has the planned one; names of reads never meet."""
    again = kind_of(keeper).again
    names = [again("data/x/s000001/transcript.jsonl", number) for number in (1, 2, 3)]
    assert names[0] == "data/x/s000001/transcript.jsonl"
    assert len(set(names)) == 3
    assert all(name.endswith(".jsonl") for name in names)


def test_what_databases_say_is_told_to_a_home_alone() -> None:
    """Other readings have no use for it, and do not fail."""
    row = ThreadLinked(
        survey=1, links=ThreadLinks(key="s000001", forked_from=(), parents=("p",), children=(), absent=())
    )
    home, store, none = HomeBundles(), StoreBundles(), NoBundles()
    for bundles in (home, store, none):
        tell(bundles, row)
        assert bundles.bundles() == ()


def test_a_label_is_the_same_in_every_run_and_no_name() -> None:
    """It selects, so it may not change; ten digits of a digest."""
    assert folder_label("-home-u-client") == folder_label("-home-u-client")
    assert folder_label("-home-u-client") != folder_label("-home-u-clienT")
    assert "client" not in folder_label("-home-u-client")


def test_handed_over_files_have_no_sessions_and_their_own_secrets() -> None:
    """What is a credential is the source's to say; nothing is looked into before it is copied."""
    kind = handed_over(HandedOverReader(), Keeping("telemetry", lambda name: name.startswith(b"private")))
    assert kind.is_secret((b"private.log",))
    assert not kind.is_secret((b"public.log",))
    assert kind.peek((seen("history.jsonl"),), {}, HandedOver(deposit="telemetry", paths=("/x",))) == Peeked()
    assert kind.bundles(None).bundles() == ()
