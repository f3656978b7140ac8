"""The catalogue of findings: each code once, with its severity, its title and its clause of FORMAT.md.

- Codes are public and never reused: P package, M manifest, J journal, W walk, R reading, L loss, S seal, C custody.
- Only an `error` touches integrity.
- `finding` is the only way to make a finding: what is not in the catalogue cannot be reported.
"""

from collections.abc import Mapping
from types import MappingProxyType

from agentaudit.model.finding import Code, Finding, Severity

_ROWS: tuple[tuple[str, Severity, str, str], ...] = (
    ("P001", "error", "bagit.txt is not the two lines of BagIt 1.0", "2.1"),
    ("P002", "error", "bag-info.txt is malformed, or its Payload-Oxum is not that of the payload", "2.2"),
    ("P003", "error", "a file that no manifest lists", "2.5"),
    ("P004", "error", "a folder that holds no listed file", "2.5"),
    ("P005", "error", "a symbolic link", "2.5"),
    ("P006", "error", "neither a regular file nor a folder", "2.5"),
    ("P007", "error", "a name that not every system reads alike", "2.6"),
    ("P008", "error", "a required tag file is missing", "2"),
    ("P009", "error", "it could not be read", "2.5"),
    ("P010", "error", "a tag file is not canonical, or not of its type", "3"),
    ("P011", "error", "package.json is not the fold of the journal", "7.4"),
    ("P012", "error", "over a limit of this reader", "9.3"),
    ("M001", "error", "the payload manifest is missing", "2.3"),
    ("M002", "error", "the tag manifest is missing", "2.4"),
    ("M003", "error", "a manifest line is malformed or out of order", "2.3"),
    ("M004", "error", "a path is listed twice", "2.3"),
    ("M005", "error", "the bytes are not those of the manifest", "2.3"),
    ("M006", "error", "a listed file is missing", "2.3"),
    ("M008", "error", "a manifest names a path that it must not name", "2.6"),
    ("M009", "error", "a manifest of another algorithm lies beside or instead of SHA-256", "2.3"),
    ("M010", "error", "the tag manifest does not list a tag file", "2.4"),
    ("J001", "error", "a journal line is not a canonical row of this format", "4"),
    ("J002", "error", "the journal's hash chain is broken", "4.1"),
    ("J003", "error", "the journal's numbering has a hole", "4.1"),
    ("J004", "error", "the journal does not begin with `opened`, or opens twice", "4.2"),
    ("J005", "error", "the journal does not end with `closed`", "4.2"),
    ("J006", "error", "a journal row and the manifest contradict each other about a payload file", "4.3"),
    ("J007", "error", "a payload file without a journal row", "4.3"),
    ("J008", "error", "a tag file is not the fold of the journal", "7"),
    ("J009", "error", "`closed` states other numbers or another outcome than the rows give", "8"),
    ("J010", "warning", "the clock ran backwards between two journal rows", "4.1"),
    ("J011", "error", "an entry or a kept file does not follow from its survey", "4.4"),
    ("W001", "warning", "a walk has no end", "5.1"),
    ("W002", "error", "the pages of a walk have a hole", "5.2"),
    ("W003", "error", "a page was asked for with another cursor than the page before gave", "5.3"),
    ("W004", "error", "the byte limits changed inside a walk, or are not those of `opened`", "5.4"),
    ("W005", "error", "a walk is said to be exhausted, but its last page leads on", "5.3"),
    ("W006", "error", "a walk begins or ends twice, or an answer lies outside its walk", "5.1"),
    ("R001", "warning", "a reading is not what its adapter makes of the raw pages", "7.5"),
    ("R002", "note", "the readings were not rebuilt: their adapter is of another version", "7.5"),
    ("R003", "warning", "the facts of a preserved file are not those of its bytes", "7.7"),
    ("L001", "note", "clipped by the byte limit that was asked for", "6.1"),
    ("L002", "note", "clipped by the source's own limit", "6.1"),
    ("L003", "note", "replaced or dropped, as a marker says", "6.1"),
    ("L004", "note", "clipped, by whom cannot be told", "6.1"),
    ("L005", "note", "sessions that the source itself calls truncated", "6.2"),
    ("L006", "note", "unavailable at the source", "6.2"),
    ("L007", "warning", "not obtained", "6.2"),
    ("L008", "note", "excluded on purpose", "6.2"),
    ("S001", "error", "the seal is not the one that was given", "2.4"),
    ("S002", "note", "unsigned", "2.7"),
    ("S003", "note", "signatures or time stamps lie beside the seal and were not checked", "2.7"),
    ("S004", "warning", "a signature does not hold: it is none, is damaged, or is over something else", "2.7"),
    ("S005", "warning", "a signature is bound to another namespace", "2.7"),
    ("S006", "warning", "a signature holds, by a key that no allowed signer has at this time", "2.7"),
    ("S007", "note", "a signature holds; whose key it is was not said", "2.7"),
    ("S008", "warning", "a time stamp is over something else", "2.7"),
    ("S009", "warning", "a time stamp does not hold, or is none", "2.7"),
    ("S010", "warning", "a time stamp holds, by an authority that was not named or may not stamp", "2.7"),
    ("S011", "warning", "the authority's certificate was not valid at the time that the stamp states", "2.7"),
    ("S012", "note", "a time stamp holds; which authority is trusted was not said", "2.7"),
    ("S013", "warning", "the certificates beside a time stamp are not those that it came with", "2.7"),
    ("C001", "error", "a custody row is not a canonical row of this format", "10.2"),
    ("C002", "error", "the custody log's chain is broken", "10.2"),
    ("C003", "error", "case.json is missing, malformed, or not the one that the custody log opened", "10.1"),
    ("C004", "error", "the custody log is missing, does not begin with `opened`, or opens twice", "10.2"),
    ("C005", "error", "a begun exhibit is neither sealed nor partial: it is gone", "10.3"),
    ("C006", "warning", "a sealed exhibit has no `sealed` row yet", "10.3"),
    ("C007", "error", "an exhibit's seal is not the one that the custody log holds", "10.3"),
    ("C008", "error", "an exhibit that the custody log never began", "10.3"),
    ("C009", "error", "a file or folder that has no place in a case", "10.1"),
    ("C010", "error", "an exhibit knows a custody row that the log lacks", "10.4"),
    ("C011", "note", "an exhibit is not sealed yet", "10.3"),
    ("C012", "error", "an exhibit's number is used twice", "10.3"),
    ("C013", "warning", "the custody log ends in a torn line", "10.2"),
    ("C014", "error", "an exhibit belongs to another case, or bears another number", "10.3"),
    ("C015", "error", "a signature or time stamp that the custody log holds is gone", "10.5"),
    ("C016", "error", "a signature or time stamp is not the one that the custody log holds", "10.5"),
    ("C017", "warning", "a signature or time stamp that the custody log does not hold", "10.5"),
    ("C018", "error", "an export knows a custody row that the log lacks", "10.4"),
    ("C019", "warning", "the custody copies beside an exhibit are not those of a case that sealed it", "10.6"),
)  # fmt: skip

CATALOGUE: Mapping[str, Code] = MappingProxyType(
    {code: Code(code=code, severity=severity, title=title, clause=clause) for code, severity, title, clause in _ROWS}
)

SUBJECT_MAX = 240


def finding(code: str, subject: str, detail: str = "") -> Finding:
    """A finding of the catalogue; foreign names in `subject` are escaped to printable ASCII and cut.

    Raises KeyError for a code that the catalogue does not have.
    """
    entry = CATALOGUE[code]
    return Finding(
        code=entry.code,
        severity=entry.severity,
        subject=printable(subject),
        detail=detail or entry.title,
        clause=entry.clause,
    )


def printable(name: str) -> str:
    """The name with whatever is not printable ASCII as a backslash escape, at most `SUBJECT_MAX` characters."""
    safe = name[:SUBJECT_MAX].encode("unicode_escape").decode("ascii")
    return safe if len(safe) <= SUBJECT_MAX else safe[: SUBJECT_MAX - 3] + "..."
