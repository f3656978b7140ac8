"""The facts for a person's certification: process, tool, hashes, dates, and blanks where only a person can speak.

- What the program recorded is filled in; an empty answer is a blank for a person's hand.
- Nothing in it concludes anything. It is no legal advice.
"""

from collections.abc import Iterator

from agentaudit.export.attested import attested_words
from agentaudit.export.document import ExhibitFacts
from agentaudit.export.dossier import Dossier
from agentaudit.export.entries import total_words
from agentaudit.export.lines import Facts
from agentaudit.export.sentences import INTEGRITY, OUTCOMES
from agentaudit.export.words import sentence

BLANK = ""

_PREFACE = """
This sheet states what the program recorded. It certifies nothing by itself and is no legal advice. A qualified person
checks it, fills in what only a person can say, and signs, or does not.
"""

_BYTES = """
Each answer of the source, or each file of a local store, was written to a file of its own, byte for byte as it was
received or read, before anything looked into it.
"""
_HASHES = """
SHA-256 of the bytes of each file, taken while it was written. Each stands in the journal, in items.jsonl and in
manifest-sha256.txt of its exhibit.
"""
_SEAL = """
tagmanifest-sha256.txt lists the SHA-256 of every other file that describes the exhibit, the payload manifest among
them. The SHA-256 of tagmanifest-sha256.txt is the seal.
"""
_COPY = """
The seal is computed from the copy and compared with the seal that was noted; then both manifests are checked against
the files. Equal digests: equal bytes.
"""

_PROCESS: Facts = tuple(
    (question, " ".join(answer.split()))
    for question, answer in (
        ("How bytes came to be files", _BYTES),
        ("How hashes were made", _HASHES),
        ("How an exhibit is fixed", _SEAL),
        ("How a copy is compared", _COPY),
    )
)

_COMPARISON: Facts = (
    ("Where and by whom each seal was noted when it was made", BLANK),
    ("Seals computed from the copy that is handed over, by whom, with which tool, when", BLANK),
    ("Whether the seals agree", BLANK),
    ("Whether the systems worked properly at that time, and how that is known", BLANK),
    ("Whether the records were made in the regular course of an activity, and how that is known", BLANK),
)

_PERSON: Facts = (
    ("Name", BLANK),
    ("Position and organisation", BLANK),
    ("Qualification for this statement", BLANK),
    ("Part taken in the process above", BLANK),
    ("Statement in own words", BLANK),
    ("Place and date", BLANK),
    ("Signature", BLANK),
)


def preface() -> str:
    """What stands above the sheet: what it is, and what it is not."""
    return " ".join(_PREFACE.split())


def certification(dossier: Dossier) -> tuple[tuple[str, Facts], ...]:
    """The sections of the fact sheet in their order: a heading and (question, answer or blank)."""
    return (
        ("The matter", tuple(_matter(dossier))),
        ("The process", _PROCESS),
        *((f"Exhibit {part.facts.exhibit}", tuple(_exhibit(part.facts))) for part in dossier.parts),
        ("The comparison, by a person", _COMPARISON),
        ("The person", _PERSON),
    )


def _matter(dossier: Dossier) -> Iterator[tuple[str, str]]:
    yield from (("Attention", words) for words in dossier.facts.attention)
    case, head = dossier.facts.case, dossier.facts.custody_head
    if case is not None:
        yield "Case", f"{case.number}: {case.title}"
        yield "Opened", f"{case.opened_at}, by {case.examiner}, under: {case.authority}"
    if head is not None:
        yield "Custody log up to", f"row {head.seq}, {head.digest}"
    yield "This sheet was made by", dossier.facts.made_by


def _exhibit(one: ExhibitFacts) -> Iterator[tuple[str, str]]:
    yield "Source", f"{one.source}, read with adapter {one.adapter}; endpoint class {one.endpoint_class}"
    yield "Begun and ended (UTC)", f"{one.begun_at} to {one.ended_at}"
    yield "Examiner and authority", f"{one.actors.examiner}; {one.actors.authority}"
    yield "Program", f"{one.tool.name} {one.tool.version}, code {one.tool.code_digest}, {one.tool.python}"
    yield "Machine", f"{one.host.node}, {one.host.system}, {one.host.machine}, as user {one.host.user}"
    yield "Clock", _clock(one)
    yield "Files and bytes of payload", f"{one.counts.items} files, {one.counts.payload_bytes} bytes, SHA-256"
    if one.entry_totals:
        yield "Entries of the store, by decision and rule", "; ".join(map(total_words, one.entry_totals))
    yield "Seal (SHA-256)", one.seal
    yield "Outcome", sentence(OUTCOMES, one.outcome)
    yield "Check before this export", sentence(INTEGRITY, one.check.integrity)
    yield "Who attests the seal", " ".join(attested_words(one.check.authenticity, one.check.attested))


def _clock(one: ExhibitFacts) -> str:
    said = {True: "synchronised, as the system says", False: "not synchronised, as the system says", None: "not known"}
    words = f"zone {one.host.time_zone}; {said[one.host.clock_synchronised]}"
    if one.clock is None:
        return f"{words}; no comparison with the source's clock"
    return (
        f"{words}; the source's clock minus this machine's: median {one.clock.offset_median_ms} ms, within "
        f"{one.clock.bound_max_ms} ms, over {one.clock.answers} answers"
    )
