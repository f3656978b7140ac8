"""The one place that knows the sources."""

import pytest

from agentaudit.export.asked import asked, limit_facts, reach_facts, window_asked
from agentaudit.export.saying import gap_pointer, session_line, sources_of
from agentaudit.format.folds import package_file
from agentaudit.model.base import Frozen, Instant
from agentaudit.model.bundle import SessionBundle
from agentaudit.model.journal import Closed
from agentaudit.model.limits import ByteLimits, ReadLimits
from agentaudit.model.losses import Gap
from agentaudit.model.readings import SessionCounts, SessionRow, SessionSource
from agentaudit.model.selection import BundleSelection, NamedSession, Reviewed, SessionSelection, Window
from agentaudit.model.sessionrow import BundleRow
from agentaudit.model.text import Unencodable
from tests.export.dossiers import AT, DIGEST, facts
from tests.support.openings import opened_row


class Unknown(Frozen, frozen=True, kw_only=True):
    """A selection of a source that is not known by name."""

    kind: str
    folder: str


def test_a_selection_of_sessions_is_told_in_full() -> None:
    """Families, window, sessions by id, where they were reviewed, filters, the directory."""
    told = asked(
        SessionSelection(
            families=("local", "remote"),
            sessions=(NamedSession(family="local", id="a"), NamedSession(family="local", id="b")),
            reviewed=Reviewed(exhibit="EX-0001", seal=DIGEST),
            window_kind="activity",
            window=Window(begins=AT, ends=None),
            users=("u",),
            surfaces=("cowork",),
            organizations=("o",),
            with_directory=True,
        ),
        names=False,
    )
    assert told == (
        ("What", "transcripts"),
        ("Families", "local, remote"),
        ("Window of activity, from", AT),
        ("Window of activity, until", "the moment of asking"),
        ("Chosen from", f"EX-0001, seal {DIGEST}"),
        ("Session", "a"),
        ("Session", "b"),
        ("Kept of user", "u"),
        ("Kept of surface", "cowork"),
        ("Kept of organisation", "o"),
        ("Beside it", "the users of the organisations seen"),
    )


def test_a_bare_selection_is_told_as_one() -> None:
    """A list of everything has no filters and no window."""
    everything = SessionSelection(families=("local",), list_only=True)
    assert asked(everything, names=True) == (("What", "metadata only, no transcript"), ("Families", "local"))
    assert window_asked(everything) == (None, None)
    open_ended = SessionSelection(families=("local",), window_kind="creation", window=Window(begins=None, ends=AT))
    assert ("Window of creation, from", "the beginning") in asked(open_ended, names=True)
    assert window_asked(open_ended) == (None, AT)


def test_true_paths_are_counted_unless_names_are_shown() -> None:
    """Roots and projects of a local store are names; how many there are is not."""
    bundles = BundleSelection(
        agent="claude-code", roots=("/home/alice/.claude",), sessions=("x",),
        projects=(Unencodable(hex="ff", display="p?"),), excluded=("debug",), included=("plans",),
    )  # fmt: skip
    assert asked(bundles, names=False)[-2:] == (("Roots", "1"), ("Projects", "1"))
    assert asked(bundles, names=True)[-2:] == (("Root", "/home/alice/.claude"), ("Project", "p?"))
    everything = BundleSelection(agent="codex", roots=(), everything=True)
    assert asked(everything, names=False) == (("What", "local store of codex"), ("Scope", "everything"))


def test_an_unknown_selection_is_told_by_its_keys() -> None:
    """What is not known by name is told, without what may be a name unless names are shown."""
    unknown = Unknown(kind="fax", folder="/home/alice")
    assert asked(unknown, names=True) == (("folder", "/home/alice"), ("kind", "fax"))
    assert asked(unknown, names=False) == (("kind", "fax"),)
    assert window_asked(unknown) == (None, None)


def test_limits_are_told_where_there_are_any() -> None:
    """The server's own maximum is told in words; a source without limits has none."""
    told = dict(limit_facts(ByteLimits(tool_input_max_bytes=64), ReadLimits()))
    assert told["tool_input_max_bytes"] == "64"
    assert told["tool_result_max_bytes"] == "max (the source's own, about 1 MiB)"
    assert told["attempts"] == "6"
    assert limit_facts(None, None) == ()


def test_the_reach_is_told_where_there_is_one() -> None:
    """A network is told; a store has none."""
    closed = Closed(at=Instant(AT), outcome="all_given", counts=facts().counts)
    package = package_file(opened_row(), 0, None, closed)
    assert ("api_root", "http://127.0.0.1:1") in reach_facts(package, names=False)
    offline = type(package)(**{**{name: getattr(package, name) for name in package.__struct_fields__}, "network": None})
    assert not any(key == "api_root" for key, _ in reach_facts(offline, names=True))


@pytest.mark.parametrize(
    ("adapter", "gap", "pointer"),
    [
        ("compliance/1", Gap(kind="unavailable", code="content_unavailable", basis="field", index=3), "/data/3"),
        ("compliance/1", Gap(kind="unavailable", code="session_call_cap", basis="field"), "/session/truncated"),
        ("compliance/1", Gap(kind="not_obtained", code="refused", basis="status"), None),
        ("script/1", Gap(kind="unavailable", code="content_unavailable", basis="field", index=3), None),
    ],
)
def test_a_gap_points_into_its_page_where_pages_are_built_so(adapter: str, gap: Gap, pointer: str | None) -> None:
    """An index is a place in `data` for one source, and nothing for another."""
    assert gap_pointer(adapter, gap) == pointer


def test_a_session_is_told_by_whoever_speaks_first() -> None:
    """The retrieve call outweighs the list; an e-mail address is a name."""
    listed = SessionSource(
        item="data/l", pointer="/data/0", product_surface="old", user_email_address="a@b", truncated=True,
        created_at=Unencodable(hex="ed", display="?"),
    )  # fmt: skip
    retrieved = SessionSource(item="data/r", pointer="", product_surface="new", created_at=None)
    row = SessionRow(
        session="s000001", family="local", id="i", decision="kept", rule=None, listed=listed, retrieved=retrieved,
        envelope=None, disagree=("product_surface",), outcome=None, counts=SessionCounts(),
    )  # fmt: skip
    assert [name for name, _ in sources_of(row)] == ["retrieved", "listed"]
    told, named = (session_line("EX-0001", row, (), names=names) for names in (False, True))
    assert (told.surface, told.created_at, told.truncated_at_source) == ("new", "?", True)
    assert (told.user_email_address, named.user_email_address) == (None, "a@b")


def test_a_bundle_of_a_local_store_is_a_session_too() -> None:
    """Its identifier and its records' times are told; the name of its project only with names."""
    bundle = SessionBundle(
        key="s000001", root="r1", project="-home-alice-payroll", session="1234", transcript="present", folder=False,
        bytes=9, modified_at=None, roles=(), newer_siblings=0, also_in=(), witnesses=(), running=(),
    )  # fmt: skip
    row = BundleRow(
        session="s000001", decision="kept", rule=None, bundle=bundle, preserved_files=3, preserved_bytes=9, versions=(),
        first_record_at=AT, last_record_at=None, framing=(), gaps=2, outcome="all_given",
    )  # fmt: skip
    assert sources_of(row) == ()
    told, named = (session_line("EX-0001", row, (), names=names) for names in (False, True))
    assert (told.id, told.created_at, told.counts.gaps) == ("1234", AT, 2)
    assert "payroll" not in str(told.more)
    assert ("bundle.project", "-home-alice-payroll") in named.more
    assert ("preserved_files", "3") in told.more
