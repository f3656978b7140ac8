"""The APIs: one row each, chosen by the selection, and each with its own header, keys, plan and endpoint."""

from dataclasses import dataclass

import msgspec
import pytest

from agentaudit.acquire.apis import ApiKind, api_of, api_of_exhibit
from agentaudit.errors import SourceRefused, UsageFault
from agentaudit.model.base import Instant
from agentaudit.model.limits import ByteLimits, ReadLimits
from agentaudit.model.selection import (
    ActivitySelection,
    BridgeSelection,
    BundleSelection,
    ChatSelection,
    HandedOver,
    Selection,
    SessionSelection,
    Window,
)
from agentaudit.sources.compliance.keys import Key
from tests.support.openings import opened_row

WINDOW = Window(begins=Instant("2026-03-01T00:00:00.000000Z"), ends=Instant("2026-03-02T00:00:00.000000Z"))
SESSIONS = SessionSelection(families=("local",))
ACTIVITIES = ActivitySelection(window=WINDOW)
CHATS = ChatSelection()
BRIDGE = BridgeSelection()
ALL: tuple[Selection, ...] = (SESSIONS, ACTIVITIES, CHATS, BRIDGE)


@dataclass(frozen=True)
class Asking:
    """A selection without limits."""

    selection: Selection
    limits: ByteLimits | None = None


def api(selection: Selection) -> ApiKind:
    """The row of a selection that an API answers."""
    found = api_of(selection)
    assert found is not None
    return found


def test_a_selection_of_files_is_no_apis() -> None:
    """Neither a store nor what was handed over; an exhibit of one cannot be resumed as a collection."""
    for selection in (BundleSelection(agent="codex", roots=()), HandedOver(deposit="bridge", paths=("/x",))):
        assert api_of(selection) is None


def test_an_exhibit_of_a_store_is_not_resumed_as_a_collection() -> None:
    """Status 2, with the way out."""
    opened = msgspec.structs.replace(opened_row(), selection=BundleSelection(agent="claude-code", roots=()))
    with pytest.raises(UsageFault, match="was not collected from an API"):
        api_of_exhibit(opened)
    assert api_of_exhibit(opened_row()) is api(SESSIONS)


@pytest.mark.parametrize("given", ALL)
@pytest.mark.parametrize("other", ALL)
def test_a_plan_follows_from_its_own_selection_alone(given: Selection, other: Selection) -> None:
    """A selection of another API is a bug, and no plan is made of it."""
    kind = api(given)
    if type(given) is type(other):
        assert list(kind.plan(Asking(other)).stages())
    else:
        with pytest.raises(TypeError, match="follows from a selection"):
            kind.plan(Asking(other))


def test_a_key_travels_in_the_header_of_its_api_alone() -> None:
    """And no other header of ours names one."""
    assert {(api(one).credential.header, api(one).credential.prefix) for one in ALL} == {
        ("x-api-key", ""),
        ("authorization", "Bearer "),
    }
    for selection in ALL:
        names = {name.lower() for name, _ in api(selection).headers("0.1.0")}
        assert not names & {"x-api-key", "authorization", "cookie"}


def test_keys_that_can_never_do_it_are_refused_before_anything_is_sent() -> None:
    """By family: a Console key reads the feed and no session; a model's key is nobody's business on a bridge."""
    model, admin = (Key("-".join(("sk", "ant", family, "x" * 20))) for family in ("api03", "admin01"))
    for selection in ALL:
        with pytest.raises(SourceRefused) as told:
            api(selection).refuse(model)
        assert told.value.exit_status == 5
        assert model.reveal() not in str(told.value)
    api(ACTIVITIES).refuse(admin)
    for selection in (SESSIONS, CHATS):
        with pytest.raises(SourceRefused):
            api(selection).refuse(admin)


def test_only_the_vendors_root_is_the_vendor() -> None:
    """A bridge on this machine is a local service and no demonstration; elsewhere it is another endpoint."""
    loopback = "http://127.0.0.1:9"
    assert api(SESSIONS).endpoint(loopback) == "loopback"
    assert api(BRIDGE).endpoint(loopback) == "local_service"
    assert api(BRIDGE).endpoint("https://bridge.example") == "other"


@pytest.mark.parametrize("selection", ALL)
def test_policies_and_budgets_are_made_anew_for_each_run(selection: Selection) -> None:
    """Nothing of one run is left in the next."""
    kind = api(selection)
    assert kind.policy(ReadLimits(), lambda _: None) is not kind.policy(ReadLimits(), lambda _: None)
    assert kind.budget(300) is not kind.budget(300)
    assert kind.budget(300).wait_ms(0) == 0
