"""What the bytes of handed-over files say of them, read before anything is copied: their form, and known switches.

- Of a file its beginning is read; the whole of one that is judged as a whole. Nothing of it is kept but the word.
- Settings stay out unless they are asked for: what they say of the telemetry beside them is noted either way.
"""

from collections.abc import Mapping, Sequence

from agentaudit.acquire.peeking import Peeked, beginning
from agentaudit.acquire.sieving import held_back
from agentaudit.adapters.handed_over.forms import WHOLE_MAX
from agentaudit.adapters.otlp.beside import switches_in
from agentaudit.model.selection import StoreSelection
from agentaudit.model.storejournal import RootSwitch
from agentaudit.model.survey import Seen
from agentaudit.sources.local.read import Reader


def peek_bytes(entries: Sequence[Seen], readers: Mapping[str, Reader], selection: StoreSelection) -> Peeked:
    """What may not be packed as it is, by its bytes; `readers` by root."""
    return Peeked(forms=held_back(entries, readers, selection))


def peek_telemetry(entries: Sequence[Seen], readers: Mapping[str, Reader], selection: StoreSelection) -> Peeked:
    """The same, and the switches that settings among the files set."""
    peeked = peek_bytes(entries, readers, selection)
    for number, seen in enumerate(entries, 1):
        if peeked.forms.get((seen.root, seen.parts)) == "settings":
            for switch in switches_in(beginning(seen, readers[seen.root], WHOLE_MAX)):
                peeked.switches.append((seen.root, number, RootSwitch(root=seen.root, entry=number, switch=switch)))
    return peeked
