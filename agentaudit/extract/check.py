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
from agentaudit.extract.document import ROWS, ExtractedFile, ExtractFile, ExtractVerdict
from agentaudit.extract.recognise import EXTRACT, is_extract
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
from agentaudit.package.tree import Tree, resolved
from agentaudit.verify.opening import noted_seal, readable

EXTRACT_MAX = 256 * 1024 * 1024

_CODEC = Codec(ExtractFile)
_VERSION = re.compile(r"agentaudit-extract/(\d{1,9})\Z")
_MANIFESTS = (layout.MANIFEST, layout.TAG_MANIFEST)
_ITEMS = f"{ROWS}/items.jsonl"


def verify_extract(path: Path, *, seal: str | None = None, threads: int = 1) -> ExtractVerdict:
    """The verdict on an extract; `seal`, as a person noted it, is compared with that of its original.

    Raises NotAPackage (8) when the path is no extract, or one of a newer format; UsageFault (2) for a wrong seal.
    """
    noted = noted_seal(seal)
    if not is_extract(path):
        raise NotAPackage(f"{path} is not an extract", "name a folder that holds extract.json")
    with readable(path), Tree(path) as tree:
        return _Check(tree, resolved(path), threads).verdict(noted)


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
        """What the manifests that are here say of the files that lie there."""
        tags, payload = self.bag.tags, self.bag.payload
        for path in sorted(self.bag.observed.files):
            if path in layout.TAG_FILES and tags.present:
                yield from self._against(path, tags.listed, "M010")
            elif path.startswith(f"{layout.DATA}/") and payload.present:
                yield from self._against(path, payload.listed, "P003")

    def _against(self, path: str, listed: dict[str, str], unlisted: str) -> Iterator[Row]:
        if path not in listed:
            yield unlisted, path, ""
        elif self.found.get(path) != listed[path]:
            yield "M005", path, ""

    def _stated(self, stated: ExtractFile, seal: Digest | None) -> Iterator[Row]:
        """What extract.json says, against the manifests and what lies there."""
        if seal is not None and stated.seal != seal:
            yield "S001", EXTRACT, "it states another seal than that of its tag manifest"
        there, named = self.bag.observed.files, {one.path for one in stated.files}
        for one in stated.files:
            if one.path not in there and one.path not in _MANIFESTS:
                yield "M006", one.path, ""
            elif one.path in there and one.proof in ("attests", "drawn") and not self._is(one):
                # A changed tag manifest is another seal, and that was said.
                yield from (("M005", one.path, ""),) if one.path != layout.TAG_MANIFEST else ()
        yield from (("P003", path, "") for path in sorted(there.keys() - named) if not self._is_judged(path))
        for path in sorted(self.bag.payload.listed.keys() - there.keys() - named):
            if path.startswith(stated.folders):
                yield "M006", path, "the manifest has it in a folder of this session"
        yield from self._idle_folders({*there, *named})
        yield from self._rows(stated)

    def _is_judged(self, path: str) -> bool:
        """True for what the manifests judge, and for the two files that nothing lists."""
        return path.startswith(f"{layout.DATA}/") or path in layout.TAG_FILES or path in (EXTRACT, SUMS)

    def _is(self, one: ExtractedFile) -> bool:
        return one.sha256 == f"sha256:{self.found.get(one.path)}"

    def _idle_folders(self, paths: set[str]) -> Iterator[Row]:
        used = {path.rsplit("/", up)[0] for path in paths for up in range(1, path.count("/") + 1)}
        yield from (("P004", folder, "") for folder in sorted(self.bag.observed.folders - used))

    def _rows(self, stated: ExtractFile) -> Iterator[Row]:
        """Rows that are as they were drawn up are of their kind; the items are those that lie here."""
        items: dict[str, str] | None = None
        for one in stated.files:
            codec = LINE_CODECS.get(one.path.replace(f"{ROWS}/", f"{layout.TAGS}/", 1))
            if codec is None or not one.path.startswith(f"{ROWS}/") or not self._is(one):
                continue
            found, line = self._read_rows(one.path, codec)
            items = found if one.path == _ITEMS else items
            if line:
                yield "P010", f"{one.path}:{line}", ""
        taken = {one.path: one.sha256 for one in stated.files if one.proof == "manifest"}
        if items is not None and items != taken:
            yield "P010", _ITEMS, "its items are not the files of this extract"
        if self.found.get(layout.BAG_INFO) == self.bag.tags.listed.get(layout.BAG_INFO, ""):
            said = dict(read_bag_info(self.tree.read(layout.BAG_INFO, ROW_MAX)) or ())
            if said.get("External-Identifier") != f"{stated.case}/{stated.exhibit}":
                yield "P010", EXTRACT, "it names another exhibit than bag-info.txt does"

    def _read_rows(self, path: str, codec: Codec) -> tuple[dict[str, str], int]:
        """The items among the rows, and the first line that is none of its kind, from 1, or 0."""
        items: dict[str, str] = {}
        for number, line in enumerate(self.tree.lines(path, ROW_MAX), 1):
            try:
                row = codec.decode(line[:-1] if line.endswith(b"\n") else b"")
            except NotCanonical:
                return items, number
            if isinstance(row, ItemRow):
                items[row.path] = row.sha256
        return items, 0


def _left_out(*, attested: bool) -> Iterator[NotChecked]:
    yield NotChecked(part="journal", reason="it stayed with the original")
    yield NotChecked(part="readings", reason="the rows were drawn up from the original, which is not here")
    if attested:
        yield NotChecked(part="attestations", reason="EXTRACT-VERIFY.txt says how to check them with stock tools")
