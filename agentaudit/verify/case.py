"""The check of a case: its file, its custody log, its folder, and each sealed exhibit in it.

- A custody log that is broken is judged up to its break; the folder is then not compared with it.
- What an exhibit says of itself is used against the log only when the exhibit is intact.
"""

import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from agentaudit.encoding import foreign
from agentaudit.encoding.canonical import NotCanonical
from agentaudit.errors import NotAPackage
from agentaudit.format import layout
from agentaudit.format.chain import CUSTODY_CODEC, Break, Link, links
from agentaudit.format.codecs import CASE_CODEC
from agentaudit.format.readings import PageReader
from agentaudit.model.base import Digest, digest_of
from agentaudit.model.custody import CaseFile, CustodyRow
from agentaudit.model.journal import CustodyHead
from agentaudit.model.verdict import CaseVerdict, NotChecked, Verdict
from agentaudit.package.attestations import attestation_digests
from agentaudit.package.check_case import (
    CaseFolder,
    CustodyIndex,
    check_attestations,
    check_custody,
    check_exhibit,
    check_folder,
    check_heads,
    index_custody,
)
from agentaudit.package.derive import ROW_MAX
from agentaudit.package.ledger import Ledger
from agentaudit.package.tree import Tree, resolved
from agentaudit.verify.authenticity import Witness
from agentaudit.verify.exhibit import verify_exhibit
from agentaudit.verify.opening import holds_package, readable, small, stated_package

_VERSION = re.compile(r"agentaudit-case/(\d{1,9})\Z")
REPORTS_MAX = 10_000
_FILES = (layout.CASE, layout.CUSTODY)


def is_case(path: Path) -> bool:
    """True when the path is a folder that holds a case file or a custody log."""
    return path.is_dir() and any(os.path.lexists(path / name) for name in _FILES)


def verify_case(
    path: Path,
    *,
    readers: tuple[PageReader, ...],
    bytes_only: bool = False,
    threads: int = 0,
    witness: Witness | None = None,
) -> CaseVerdict:
    """The verdict on a case and on every sealed exhibit in it.

    `witness` says what signatures and time stamps are worth; without one they are left unchecked.
    Raises NotAPackage (8) when the path is no case, or one of a newer format.
    """
    if not is_case(path):
        raise NotAPackage(f"{path} is not a case", "name a folder that holds case.json and custody.jsonl")
    with readable(path), Tree(path) as tree:
        check = _CaseCheck(tree, resolved(path))
        folder = check.log_and_folder()

        def judge(place: Path) -> Verdict:
            return verify_exhibit(place, readers=readers, bytes_only=bytes_only, threads=threads, witness=witness)

        exhibits = tuple(check.exhibit(name, judge) for name in sorted(folder.sealed))
        return check.verdict(folder, tuple(one for one in exhibits if one is not None))


class _CaseCheck:
    """One check of one case."""

    def __init__(self, tree: Tree, root: Path) -> None:
        self.tree = tree
        self.root = root
        self.ledger = Ledger()
        self.skipped: list[NotChecked] = []
        content = small(tree, layout.CASE)
        self.file = _case_file(path=root, content=content)
        self.index = index_custody(self.custody())
        self.digest = digest_of(content) if self.file else None

    def custody(self) -> Iterator[Link[CustodyRow] | Break]:
        try:
            yield from links(self.tree.lines(layout.CUSTODY, ROW_MAX), CUSTODY_CODEC, CustodyRow)
        except OSError:
            return

    def log_and_folder(self) -> CaseFolder:
        """Judge the log, then the folder by it."""
        self.ledger.add_all(check_custody(self.index, self.digest))
        folder = _folder(self.root)
        if self.ledger.has_errors():
            self.skipped.append(NotChecked(part="seals", reason="the custody log or the case file has faults"))
            self.ledger.add_all(check_folder(CustodyIndex(), CaseFolder(_NO, _NO, _NO, folder.strange)))
        else:
            self.ledger.add_all(check_folder(self.index, folder))
            self.ledger.add_all(check_heads(self.index, self.heads()))
        return folder

    def heads(self) -> Iterator[tuple[str, CustodyHead]]:
        """The custody row that each export of this case names, where one names it."""
        reports = self.root / layout.REPORTS
        for folder in sorted(reports.iterdir())[:REPORTS_MAX] if reports.is_dir() else ():
            for file, key in layout.REPORT_HEADS.items():
                place = f"{layout.REPORTS}/{folder.name}/{file}"
                head = _head(small(self.tree, place), key, self.number)
                if head is not None:
                    yield place, head

    def exhibit(self, name: str, judge: Callable[[Path], Verdict]) -> Verdict | None:
        """One exhibit's own verdict, then what the log has against it; None when it is a package no longer."""
        place = self.root / name
        if not holds_package(place):
            self.ledger.add("C005", name, "its folder holds no package")
            return None
        verdict = judge(place)
        if self.skipped:
            return verdict
        with Tree(place) as tree:
            package = stated_package(tree) if verdict.integrity == "intact" else None
            self.ledger.add_all(check_attestations(self.index, name, attestation_digests(tree)))
        ours = (package.case == self.number and package.exhibit == name) if package else None
        head = package.custody_head if package else None
        self.ledger.add_all(check_exhibit(self.index, name, verdict.seal, head, ours))
        return verdict

    @property
    def number(self) -> str | None:
        """The case's number, where its file can be read."""
        return self.file.number if self.file else None

    def verdict(self, folder: CaseFolder, exhibits: tuple[Verdict, ...]) -> CaseVerdict:
        """The verdict on the whole."""
        faulty = self.ledger.has_errors() or any(one.integrity == "faults" for one in exhibits)
        return CaseVerdict(
            case=self.number,
            integrity="faults" if faulty else "intact",
            custody_head=Digest(f"sha256:{self.index.lines[-1]}") if self.index.lines else None,
            partial=tuple(sorted(folder.partial)),
            exhibits=exhibits,
            findings=self.ledger.findings(),
            codes=self.ledger.codes(),
            not_checked=tuple(self.skipped),
        )


_NO: frozenset[str] = frozenset()


def _case_file(path: Path, content: bytes) -> CaseFile | None:
    """The case file, None when it is none; NotAPackage when it is of a newer format."""
    try:
        stated = foreign.mapping(foreign.decode(content))
    except foreign.NotJson:
        return None
    word = stated.get("format") if stated else None
    version = _VERSION.match(word) if isinstance(word, str) else None
    if version is not None and int(version.group(1)) > 1:
        raise NotAPackage(f"{path} is of case format {version.group(1)}", "use a newer agentaudit")
    try:
        row = CASE_CODEC.decode(content[:-1] if content.endswith(b"\n") else b"")
    except NotCanonical:
        return None
    return row if isinstance(row, CaseFile) else None


def _head(content: bytes, key: str, case: str | None) -> CustodyHead | None:
    """The head in an export's file; None for a file of another case, or of another form: it is no evidence."""
    try:
        stated = foreign.mapping(foreign.decode(content)) or {}
    except foreign.NotJson:
        return None
    head = foreign.mapping(stated.get(key)) or {}
    seq, digest = head.get("seq"), head.get("digest")
    if stated.get("case") != case or not isinstance(seq, int) or not isinstance(digest, str):
        return None
    return CustodyHead(seq=seq, digest=Digest(digest))


def _folder(root: Path) -> CaseFolder:
    sealed, partial, empty, strange = set(), set(), set(), []
    with os.scandir(root) as entries:
        for entry in entries:
            look = entry.stat(follow_symlinks=False)
            is_folder = stat.S_ISDIR(look.st_mode) and not getattr(look, "st_reparse_tag", False)
            name = entry.name.removesuffix(layout.PARTIAL)
            if layout.exhibit_number(entry.name) is None or not is_folder:
                if not _has_a_place(entry.name, look.st_mode, is_folder=is_folder):
                    strange.append(entry.name)
            elif name == entry.name:
                sealed.add(name)
            else:
                partial.add(name)
                if not any(Path(entry.path).iterdir()):
                    empty.add(name)
    return CaseFolder(frozenset(sealed), frozenset(partial), frozenset(empty), tuple(sorted(strange)))


def _has_a_place(name: str, mode: int, *, is_folder: bool) -> bool:
    return (name in _FILES and stat.S_ISREG(mode)) or (name == layout.REPORTS and is_folder)
