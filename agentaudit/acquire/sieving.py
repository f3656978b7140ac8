"""What is held back from a copy while it is made, by whose files they are.

- A file is judged once when it is surveyed, and again as it is copied: what changed in between brings no key along.
- What the survey let through as a database or as settings may be one when it is copied, and nothing else may.
"""

from collections.abc import Iterable, Mapping
from typing import Protocol, assert_never

from agentaudit.adapters.bridge.secrets import REDUCED
from agentaudit.adapters.handed_over.forms import FormSieve
from agentaudit.adapters.handed_over.withheld import Form, Withheld
from agentaudit.adapters.openclaw.extract import asked_for
from agentaudit.adapters.openclaw.withholding import LedgerSieve
from agentaudit.adapters.otlp.beside import is_settings, is_settings_name
from agentaudit.model.selection import HandedOver, Keeper, StoreSelection, keeper_of
from agentaudit.model.survey import Parts, Seen
from agentaudit.sources.local.read import Reader, Unread


class Sieve(Protocol):
    """One file on its way: what it gives back may be written. Raises Withheld before it gives back what may not."""

    @property
    def needs_all(self) -> bool:
        """Whether every byte has to be seen, those of holes too."""
        ...

    @property
    def settled(self) -> bool:
        """Whether all that follows may be written as it comes."""
        ...

    def feed(self, chunk: bytes | memoryview) -> bytes:
        """Take the next bytes; gives those that may be written, in order."""
        ...

    def finish(self) -> bytes:
        """The last byte was fed: the rest."""
        ...


class _Enough(Exception):
    """It ends a reading and is no error."""


def sieve_of(keeper: Keeper, name: bytes, category: str) -> Sieve | None:
    """The sieve for a file of that keeper's; None where names and places decide alone.

    `category` is what the survey let it through as. Whatever a selection can let in of a ledger goes through: the
    survey has judged by the selection before.
    """
    match keeper:
        case "gateway-ledger":
            return LedgerSieve()
        case "telemetry" | "openai-logs":
            return FormSieve((category,), is_settings if is_settings_name(name) else None)
        case "bridge":
            return FormSieve(("databases",) if name == REDUCED else ())
        case "claude-code" | "codex":
            return None
        case _:
            assert_never(keeper)


def held_back(
    entries: Iterable[Seen], readers: Mapping[str, Reader], selection: StoreSelection
) -> dict[tuple[str, Parts], Form]:
    """The files, by root and path, whose bytes may not be packed as they are, and what they are by them.

    What cannot be read is judged when it is copied.
    """
    return {
        (seen.root, seen.parts): form
        for seen in entries
        if seen.kind == "file"
        and (sieve := _first(selection, seen.parts[-1])) is not None
        and (form := _judged(seen, readers[seen.root], sieve)) is not None
    }


def _first(selection: StoreSelection, name: bytes) -> Sieve | None:
    """The sieve of a survey, which lets through what was asked for of a ledger alone."""
    if isinstance(selection, HandedOver) and selection.deposit == "gateway-ledger":
        return LedgerSieve((asked_for(selection.included),))
    return sieve_of(keeper_of(selection), name, "")


def _judged(seen: Seen, reader: Reader, sieve: Sieve) -> Form | None:
    def take(chunk: memoryview) -> None:
        sieve.feed(chunk)
        if sieve.settled:
            raise _Enough

    try:
        if not isinstance(reader.read(seen, take), Unread):
            sieve.finish()
    except Withheld as withheld:
        return withheld.form
    except _Enough:
        pass
    return None
