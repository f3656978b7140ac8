"""The rows of a custody log in words: what was done, to which exhibit, and what the row adds to that.

- Pure: rows in, words out. A kind of row that this module does not know is told by its name.
"""

from collections.abc import Iterator

from agentaudit.cli.words import counted, plainly
from agentaudit.model.custody import (
    CaseOpened,
    Cited,
    CustodyRow,
    ExhibitBegun,
    ExhibitResumed,
    ExhibitSealed,
    Exported,
    Extracted,
    Handled,
    SealedFound,
    Signed,
    Stamped,
    TornFound,
    Transcribed,
    Verified,
)

SEAL_DIGITS = 16


def exhibits_of(row: CustodyRow) -> tuple[str, ...]:
    """The exhibits that a row is about; none for one about the case."""
    match row:
        case ExhibitBegun() | ExhibitResumed() | ExhibitSealed() | SealedFound() | Signed() | Stamped():
            return (row.exhibit,)
        case Transcribed() | Extracted():
            return (row.exhibit,)
        case Handled() | Exported():
            return tuple(one.exhibit for one in row.subjects)
        case Verified():
            return (row.subject,)
        case _:
            return ()


def event_of(row: CustodyRow) -> str:
    """The act in a word."""
    if isinstance(row, Handled):
        return row.act
    if isinstance(row, CaseOpened):
        return "case opened"
    tag = type(row).__struct_config__.tag
    return plainly(tag) if isinstance(tag, str) else ""


def told(row: CustodyRow) -> str:
    """What the row adds: seal, verdict, key, time, giver and receiver, and the people's note at the end."""
    parts = [part for part in _facts(row) if part]
    if row.actors.note:
        parts.append(f'note: "{row.actors.note}"')
    return "; ".join(parts)


def _facts(row: CustodyRow) -> Iterator[str]:
    match row:
        case CaseOpened():
            yield f"case.json {_short(row.case_digest)}"
        case ExhibitBegun():
            yield f"from {row.source}"
        case ExhibitResumed():
            yield "to be closed as it stands" if row.purpose == "seal" else "goes on"
        case ExhibitSealed():
            yield f"seal {_short(row.seal)}"
            yield plainly(row.outcome)
        case SealedFound():
            yield f"seal {_short(row.seal)}"
        case TornFound():
            yield f"{counted(row.bytes, 'byte')} of a row that never counted"
        case _:
            yield from _after(row)


def _after(row: CustodyRow) -> Iterator[str]:
    """What happens to an exhibit after its seal."""
    match row:
        case Verified():
            yield plainly(row.integrity)
            yield plainly(row.authenticity)
            yield " ".join(code for code, _ in row.findings)
        case Signed():
            yield f"key {row.fingerprint}"
        case Stamped():
            over = "the seal" if row.signature is None else f"signature {row.signature}"
            yield f"{over} existed at {row.stamped_at}, says {row.authority}"
        case Exported():
            yield f"as {', '.join(row.formats)}, up to row {row.head.seq}, listing {_short(row.listing)}"
            yield f"in {row.report}" if row.report else "outside the case"
        case Transcribed():
            yield f"{row.session} for reading, as {', '.join(row.formats)}"
            yield f"in {row.report}" if row.report else "outside the case"
        case Extracted():
            yield f"{row.session}: {counted(row.files, 'file')}, extract.json {_short(row.extract)}"
        case Handled():
            yield from _handled(row)
        case _:
            pass


def _handled(row: Handled) -> Iterator[str]:
    yield f"from {row.giver}" if row.giver else ""
    yield f"to {row.receiver}" if row.receiver else ""
    yield f"on {row.medium}" if row.medium else ""
    yield f"at {row.place}" if row.place else ""
    yield f"happened at {row.happened_at}" if row.happened_at else ""
    yield from (f"seal of {one.exhibit} {_short(one.seal)}" for one in row.subjects if one.seal)
    if row.cites is not None:
        yield _cited(row.cites)


def _cited(cites: Cited) -> str:
    case = f" of case {cites.case}" if cites.case else ""
    row = f", row {cites.seq}" if cites.seq else ""
    return f"cites the chain{case}{row}, head {_short(cites.head)}"


def _short(digest: str) -> str:
    """The first digits, enough to tell digests apart in a table; the whole stands in the log."""
    return digest.removeprefix("sha256:")[:SEAL_DIGITS]
