"""`agentaudit verify` on an extract: what it is, whether it is the sealed original's, what was not checked.

- An extract is no exhibit: its verdict has no outcome and no authenticity of its own.
"""

from collections.abc import Iterator
from pathlib import Path

from agentaudit.cli.console import Console
from agentaudit.cli.summary import banner, seal_groups
from agentaudit.cli.tables import pairs
from agentaudit.cli.words import counted
from agentaudit.encoding.canonical import encode
from agentaudit.extract.check import verify_extract
from agentaudit.extract.document import ExtractVerdict, LeftBehind
from agentaudit.format.codes import CATALOGUE

FAULTS = 4


def check_extract(console: Console, path: Path, seal: str | None, *, as_json: bool) -> int:
    """`verify` on an extract: 0 when it is intact, 4 when there are faults."""
    verdict = verify_extract(path, seal=seal)
    if as_json:
        console.document(encode(verdict))
    else:
        tell_extract(console, verdict)
    return 0 if verdict.integrity == "intact" else FAULTS


def tell_extract(console: Console, verdict: ExtractVerdict) -> None:
    """The verdict on an extract, to standard output."""
    console.result(f"Extract of {verdict.exhibit or 'an unknown exhibit'}, session {verdict.session or 'unknown'}")
    for line in banner(verdict.endpoint_class or "unknown", console.width() - 2):
        console.result(f"  {line}".rstrip())
    pairs(console, tuple(_answers(verdict)))
    counts = dict(verdict.codes)
    first = {one.code: one for one in reversed(verdict.findings)}
    for code, one in sorted(first.items()):
        more = f" and {counts[code] - 1:,} more" if counts[code] > 1 else ""
        console.result(f"  {code}  {one.severity}  {CATALOGUE[code].title}: {one.subject}{more}")
    for part in verdict.not_checked:
        console.result(f"  not checked: {part.part}, because {part.reason}")


def _answers(verdict: ExtractVerdict) -> Iterator[tuple[str, str]]:
    intact = "intact: every file is the sealed original's, or drawn up for this extract, and nothing is beside it"
    yield "integrity", intact if verdict.integrity == "intact" else "FAULTS: it is not as it was taken out"
    yield "what it is", "one session of a sealed exhibit, not an exhibit"
    yield "payload", counted(verdict.payload_files, "file")
    if verdict.left_behind is not None:
        yield "left behind", behind(verdict.left_behind)
    if verdict.seal is not None:
        head, tail = seal_groups(verdict.seal)
        yield "seal of it", head
        yield "", tail


def behind(left: LeftBehind) -> str:
    """What stayed with the original, in one sentence."""
    parts = [
        counted(left.sessions, "other session"),
        f"{counted(left.payload_files, 'file')} ({counted(left.list_pages, 'list page')} among them)",
        counted(left.tag_files, "tag file"),
    ]
    if left.package_json:
        parts.append("package.json among these, because it names others")
    return ", ".join(parts)
