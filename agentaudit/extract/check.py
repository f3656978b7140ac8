"""The check of an extract: every file against what proves it, and nothing beside them.

- The chain is that of EXTRACT-VERIFY.txt: seal, tag manifest, payload manifest, files. Nothing is believed of
  extract.json that the manifests do not bear out; what it alone states is said to be drawn up.
- Codes are those of exhibits, and mean the same.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from agentaudit.encoding import foreign
from agentaudit.encoding.canonical import Codec, NotCanonical
from agentaudit.errors import NotAPackage
from agentaudit.export.writing import SUMS
from agentaudit.extract.document import EXTRACT, ROWS, ExtractedFile, ExtractFile, ExtractVerdict
from agentaudit.format import layout
from agentaudit.format.attestations import read_name
from agentaudit.format.baginfo import read_bag_info
from agentaudit.format.codecs import LINE_CODECS
from agentaudit.model.base import Digest
from agentaudit.model.tagfiles import ItemRow
from agentaudit.model.verdict import NotChecked
from agentaudit.package.check import Bag, Row, check_manifests
from agentaudit.package.derive import ROW_MAX
from agentaudit.package.hashing import Hashing
from agentaudit.package.ledger import Ledger
from agentaudit.package.reader import observe, read_listing
from agentaudit.package.tree import Tree
from agentaudit.verify.opening import noted_seal, readable

EXTRACT_MAX = 256 * 1024 * 1024

_CODEC = Codec(ExtractFile)
_VERSION = re.compile(r"agentaudit-extract/(\d{1,9})\Z")
_UNLISTED = (EXTRACT, SUMS)


def is_extract(path: Path) -> bool:
    """True when the path is a folder that holds an extract.json."""
    return (path / EXTRACT).is_file()


def verify_extract(path: Path, *, seal: str | None = None, threads: int = 1) -> ExtractVerdict:
    """The verdict on an extract; `seal`, as a person noted it, is compared with that of its original.

    Raises NotAPackage (8) when the path is no extract, or one of a newer format; UsageFault (2) for a wrong seal.
    """
    noted = noted_seal(seal)
    if not is_extract(path):
        raise NotAPackage(f"{path} is not an extract", "name a folder that holds extract.json")
    with readable(path), Tree(path) as tree:
        return _Check(tree, path.resolve(), threads).verdict(noted)


class _Check:
    """One check of one extract."""

    def __init__(self, tree: Tree, root: Path, threads: int) -> None:
        self.tree = tree
        self.ledger = Ledger()
        self.bag = Bag(
            observe(root),
            read_listing(tree, layout.MANIFEST, tags=False),
            read_listing(tree, layout.TAG_MANIFEST, tags=True),
        )
        there = self.bag.observed.files
        self.found = Hashing(root, there, there, threads).result()
        self.stated = self._read()

    def verdict(self, noted: Digest | None) -> ExtractVerdict:
        """All checks, then the answer."""
        digest = self.found.get(layout.TAG_MANIFEST)
        seal = Digest(f"sha256:{digest}") if digest else None
        self.ledger.add_all((code, path, "") for code, path in self.bag.observed.oddities)
        self.ledger.add_all(check_manifests(self.bag))
        self.ledger.add_all(self._bound())
        if noted is not None and noted != seal:
            self.ledger.add("S001", layout.TAG_MANIFEST)
        stated = self.stated
        if stated is None:
            self.ledger.add("P010", EXTRACT)
        else:
            self.ledger.add_all(self._stated(stated, seal))
        attests = tuple(sorted(filter(read_name, self.bag.observed.files)))
        self.ledger.add("S003" if attests else "S002", layout.TAG_MANIFEST)
        return ExtractVerdict(
            exhibit=stated.exhibit if stated else None,
            case=stated.case if stated else None,
            session=stated.session if stated else None,
            endpoint_class=stated.endpoint_class if stated else None,
            integrity="faults" if self.ledger.has_errors() else "intact",
            seal=seal,
            payload_files=sum(1 for path in self.bag.observed.files if path.startswith(f"{layout.DATA}/")),
            left_behind=stated.left_behind if stated else None,
            attestations=attests,
            findings=self.ledger.findings(),
            codes=self.ledger.codes(),
            not_checked=tuple(_left_out(attested=bool(attests))),
        )

    def _read(self) -> ExtractFile | None:
        """extract.json; None when it is none of ours, NotAPackage when it is newer."""
        try:
            octets = self.tree.read(EXTRACT, EXTRACT_MAX)
            word = (foreign.mapping(foreign.decode(octets)) or {}).get("format")
        except (OSError, foreign.NotJson):
            return None
        version = _VERSION.match(word) if isinstance(word, str) else None
        if version is not None and int(version.group(1)) > 1:
            raise NotAPackage(f"an extract of format {version.group(1)}", "use a newer agentaudit")
        try:
            stated = _CODEC.decode(octets[:-1] if octets.endswith(b"\n") else b"")
        except NotCanonical:
            return None
        return stated if isinstance(stated, ExtractFile) else None

    def _bound(self) -> Iterator[Row]:
        """What the manifests say of the files that lie there."""
        tags, payload = self.bag.tags.listed, self.bag.payload.listed
        for path in sorted(self.bag.observed.files):
            if path == layout.MANIFEST or path in layout.TAG_FILES:
                yield from self._against(path, tags, "M010")
            elif path.startswith(f"{layout.DATA}/"):
                yield from self._against(path, payload, "P003")

    def _against(self, path: str, listed: dict[str, str], unlisted: str) -> Iterator[Row]:
        if path not in listed:
            yield unlisted, path, ""
        elif self.found.get(path) is None:
            yield "P009", path, ""
        elif self.found[path] != listed[path]:
            yield "M005", path, ""

    def _stated(self, stated: ExtractFile, seal: Digest | None) -> Iterator[Row]:
        """What extract.json says, against the manifests and what lies there."""
        if stated.seal != seal:
            yield "S001", EXTRACT, "it states another seal than that of its tag manifest"
        there, named = self.bag.observed.files, {one.path for one in stated.files}
        for one in stated.files:
            if one.path not in there:
                yield "M006", one.path, ""
            elif one.proof in ("attests", "drawn") and not self._is(one):
                yield "M005", one.path, ""
        bound = {path for path in there if path.startswith(f"{layout.DATA}/")}
        for path in sorted(there.keys() - named - bound - {*_UNLISTED, *layout.TAG_FILES}):
            yield "P003", path, ""
        for path in sorted(self.bag.payload.listed.keys() - there.keys()):
            if path.startswith(stated.folders) and path not in named:
                yield "M006", path, "the manifest has it in a folder of this session"
        yield from self._folders()
        yield from self._rows(stated)

    def _is(self, one: ExtractedFile) -> bool:
        return one.sha256 == f"sha256:{self.found.get(one.path)}"

    def _folders(self) -> Iterator[Row]:
        used = {
            "/".join(path.split("/")[:depth])
            for path in self.bag.observed.files
            for depth in range(1, path.count("/") + 1)
        }
        for folder in sorted(self.bag.observed.folders - used):
            yield "P004", folder, ""

    def _rows(self, stated: ExtractFile) -> Iterator[Row]:
        """Each row is one of its kind; the items are those that lie here; the identity is that of bag-info.txt."""
        items: dict[str, str] = {}
        for path in sorted(self.bag.observed.files):
            name = f"{layout.TAGS}/{path.removeprefix(f'{ROWS}/')}"
            if path.startswith(f"{ROWS}/") and name in LINE_CODECS:
                line = self._read_rows(path, LINE_CODECS[name], items)
                if line:
                    yield "P010", f"{path}:{line}", ""
        taken = {one.path: one.sha256 for one in stated.files if one.proof == "manifest"}
        if items != taken:
            yield "P010", f"{ROWS}/items.jsonl", "its items are not the files of this extract"
        try:
            said = dict(read_bag_info(self.tree.read(layout.BAG_INFO, ROW_MAX)) or ())
        except OSError:
            said = {}
        if said.get("External-Identifier") != f"{stated.case}/{stated.exhibit}":
            yield "P010", EXTRACT, "it names another exhibit than bag-info.txt does"

    def _read_rows(self, path: str, codec: Codec, items: dict[str, str]) -> int:
        """The first line that is none of its kind, from 1, or 0; items are collected."""
        number = 0
        for number, line in enumerate(self.tree.lines(path, ROW_MAX), 1):
            try:
                row = codec.decode(line[:-1] if line.endswith(b"\n") else b"")
            except NotCanonical:
                return number
            if isinstance(row, ItemRow):
                items[row.path] = row.sha256
        return 0


def _left_out(*, attested: bool) -> Iterator[NotChecked]:
    yield NotChecked(part="journal", reason="it stayed with the original")
    yield NotChecked(part="readings", reason="the rows were drawn up from the original, which is not here")
    if attested:
        yield NotChecked(part="attestations", reason="EXTRACT-VERIFY.txt says how to check them with stock tools")
