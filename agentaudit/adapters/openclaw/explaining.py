"""What an explanation of one run says: its states, carried as they are, and its decisions, without their texts.

- `present`, `absent`, `unknown`, `unsupported`, `ambiguous`, `unattributed`, `attribution-only` and `enforced` are the
  Gateway's words. None of them is made out of another, and none out of a run id.
- A run id alone names no execution: what has no context, execution and run together is not joined.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from agentaudit.adapters.openclaw.events import number_of, text_of
from agentaudit.encoding.skeleton import Json
from agentaudit.model.base import UNSET
from agentaudit.model.stream import EventRow, KeyName, Place, StreamFinding, StreamRow
from agentaudit.model.text import SourceText, source_text

_STATED: Final = (
    ("agent_definition", "agentDefinition"),
    ("ingress", "ingress"),
    ("invoker", "invoker"),
    ("represented_subject", "representedSubject"),
    ("runtime_instance", "runtimeInstance"),
    ("sponsor", "sponsor"),
    ("trust_domain", "trustDomain"),
)
_IDS: Final[tuple[tuple[KeyName, str], ...]] = (
    ("context", "contextId"),
    ("execution", "executionId"),
    ("run", "runId"),
)


def explained_stream(document: Mapping[str, Json], stream: str, within: str, item: str, events: int) -> StreamRow:
    """The stream of one explanation: its name is the execution's id, null where the Gateway names none."""
    run, identity = _object(document, "run"), _object(document, "identity")
    context = _object(identity, "context")
    return StreamRow(
        stream=stream,
        kind="execution",
        name=None if (named := text_of(run, "executionId")) is None else source_text(named),
        within=within,
        item=item,
        form="openclaw-explanation",
        events=events,
        counts=tuple(sorted(_counts(document, context))),
        words=tuple(sorted(_states(document, run, identity, context), key=lambda word: word[0])),
        findings=tuple(_findings(document, context, item)),
    )


def decision_rows(document: Mapping[str, Json], stream: str, item: str) -> Iterator[EventRow]:
    """Each decision display, in the order of the document; joined only where all three ids are there."""
    context = _object(_object(document, "identity"), "context")
    ids = tuple((name, source_text(said)) for name, field in _IDS if (said := text_of(context, field)) is not None)
    keys = ids if len(ids) == len(_IDS) else ()
    displays = document.get("decisionDisplays")
    for index, display in enumerate(displays if isinstance(displays, list) else ()):
        place = Place(item=item, pointer=f"/decisionDisplays/{index}")
        if not isinstance(display, dict):
            yield EventRow(stream=stream, kind="", place=place, marks=("unknown_kind",))
            continue
        at, selector = number_of(display, "occurredAt"), text_of(display, "selectorId")
        yield EventRow(
            stream=stream,
            kind="decision_display",
            place=place,
            id=UNSET if selector is None else source_text(selector),
            at=UNSET if at is None else str(at),
            keys=keys,
            words=tuple(sorted(_display_words(display), key=lambda word: word[0])),
        )


def _display_words(display: Mapping[str, Json]) -> Iterator[tuple[str, SourceText]]:
    for name, group, field in (
        ("family", "action", "family"),
        ("operation", "action", "operation"),
        ("outcome", "decision", "outcome"),
        ("reason_code", "decision", "reasonCode"),
        ("coverage_state", "enforcement", "coverageState"),
        ("provenance_state", "provenance", "state"),
        ("producer", "provenance", "producer"),
    ):
        said = text_of(_object(display, group), field)
        if said is not None:
            yield name, source_text(said)


def _states(
    document: Mapping[str, Json], run: Mapping[str, Json], identity: Mapping[str, Json], context: Mapping[str, Json]
) -> Iterator[tuple[str, SourceText]]:
    for name, said in (
        ("coverage_state", text_of(_object(document, "coverage"), "state")),
        ("context_coverage_state", text_of(context, "coverageState")),
        ("identity_state", text_of(identity, "state")),
        ("run_status", text_of(run, "status")),
        ("run", text_of(run, "runId")),
        *((name, text_of(_object(context, field), "state")) for name, field in _STATED),
    ):
        if said is not None:
            yield name, source_text(said)


def _counts(document: Mapping[str, Json], context: Mapping[str, Json]) -> Iterator[tuple[str, int]]:
    for name, held in (
        ("decisions", document.get("decisionDisplays")),
        ("grants", context.get("applicableGrants")),
        ("assurances", context.get("assurance")),
        ("candidates", _object(document, "identity").get("candidates")),
    ):
        if isinstance(held, list):
            yield name, len(held)


def _findings(document: Mapping[str, Json], context: Mapping[str, Json], item: str) -> Iterator[StreamFinding]:
    place = (Place(item=item),)
    said = (*_texts(_object(document, "coverage").get("missingEvidence")), *_texts(context.get("missingEvidence")))
    missing = tuple(sorted(set(said)))
    if missing:
        yield StreamFinding(
            code="missing_evidence",
            count=len(missing),
            places=place,
            subjects=tuple(source_text(one) for one in missing),
        )
    further = tuple(field for field in ("nextDecisionCursor", "nextExecutionCursor") if field in document)
    if further:
        yield StreamFinding(code="not_to_end", count=len(further), places=place, subjects=further)


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _object(document: Mapping[str, Json], field: str) -> Mapping[str, Json]:
    found = document.get(field)
    return found if isinstance(found, dict) else {}
