"""Declared against observed: the closed world of a package, judged without touching a disk.

- Every file is listed in a manifest, or is the tag manifest, or attests it; everything else is a finding.
- A path that a faulty line names counts as listed, so that one fault is found once.
- A finding here is a row: code, subject, detail.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from agentaudit.format import layout
from agentaudit.format.attestations import read_name
from agentaudit.format.baginfo import OXUM, read_bag_info
from agentaudit.format.bagit import BAGIT_TEXT, Fault, is_below_data, payload_oxum
from agentaudit.format.names import is_portable, twin_key
from agentaudit.package.reader import Manifest, Observed

Row = tuple[str, str, str]

_OTHER_MANIFEST = re.compile(r"(tag)?manifest-[^/]*\.txt\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Bag:
    """What a package declares beside what lies there."""

    observed: Observed
    payload: Manifest
    tags: Manifest

    def claimed(self) -> frozenset[str]:
        """Every path that a manifest names, on a faulty line too."""
        faulty = (fault.path for manifest in (self.payload, self.tags) for fault in manifest.faults)
        return frozenset((*self.payload.listed, *self.tags.listed, *faulty))

    def digested(self) -> dict[str, str]:
        """Every listed file that lies there, with the hex digest that is declared for it."""
        listed = {**self.payload.listed, **self.tags.listed}
        return {path: digest for path, digest in listed.items() if path in self.observed.files}


def check_manifests(bag: Bag) -> Iterator[Row]:
    """The two manifests: present, well-formed, naming nothing that they must not name."""
    named = ((layout.MANIFEST, bag.payload, "M001"), (layout.TAG_MANIFEST, bag.tags, "M002"))
    for name, manifest, missing in named:
        if not manifest.present:
            yield ("P009" if name in bag.observed.files else missing), name, ""
        if manifest.over_limit:
            yield "P012", name, "more lines than this reader takes"
        folded = {twin_key(path) for path in manifest.listed} if manifest.faults else set()
        for fault in manifest.faults:
            yield _fault_code(fault, manifest, folded), f"{name}:{fault.line}", _fault_detail(fault)


def _fault_code(fault: Fault, manifest: Manifest, folded: set[str]) -> str:
    if fault.rule == "twice" or (fault.rule == "order" and fault.path in manifest.listed):
        return "M004"
    if fault.rule == "name":
        return "M004" if twin_key(fault.path) in folded else "M008"
    return "M003"


def _fault_detail(fault: Fault) -> str:
    return {"form": "malformed", "order": "out of order"}.get(fault.rule, "")


def check_closed_world(bag: Bag) -> Iterator[Row]:
    """Every file and folder that lies there is declared, and every declared file lies there."""
    yield from ((code, path, "") for code, path in bag.observed.oddities)
    claimed = bag.claimed()
    folded: set[str] = set()
    for path in sorted(bag.observed.files):
        code = _file_code(bag, path, claimed)
        if code == "P003" and not is_portable(path):
            code = "P007"
        elif code == "P003":
            folded = folded or {twin_key(name) for name in claimed}
            code = "P007" if twin_key(path) in folded else code
        if code is not None:
            yield code, path, ""
    yield from _missing(bag)
    yield from _idle_folders(bag, claimed)


def _file_code(bag: Bag, path: str, claimed: frozenset[str]) -> str | None:
    if path in claimed or path == layout.TAG_MANIFEST or read_name(path):
        return None
    if path in layout.TAG_FILES:
        return "M010" if bag.tags.present else None
    if layout.is_payload_name(path) and not bag.payload.present:
        return None
    return "M009" if _OTHER_MANIFEST.match(path) else "P003"


def _missing(bag: Bag) -> Iterator[Row]:
    odd = frozenset(path for _, path in bag.observed.oddities)
    there = bag.observed.files
    for path in layout.TAG_FILES:
        if path not in there and path != layout.MANIFEST and not _is_below(path, odd):
            yield "P008", path, ""
    for path in bag.payload.listed:
        if path not in there and not _is_below(path, odd):
            yield "M006", path, ""


def _is_below(path: str, odd: frozenset[str]) -> bool:
    """True when the path, or a folder above it, was already found to be odd."""
    return bool(odd) and (path in odd or any(folder in odd for folder in _above(path)))


def _above(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _idle_folders(bag: Bag, claimed: frozenset[str]) -> Iterator[Row]:
    odd = [path for _, path in bag.observed.oddities]
    used = {layout.DATA, layout.TAGS, *odd}
    for path in (*claimed, *bag.observed.files, *odd):
        for folder in _above(path):
            if folder in used:
                break
            used.add(folder)
    for folder in sorted(bag.observed.folders - used):
        yield "P004", folder, ""


def check_digests(expected: Mapping[str, str], found: Mapping[str, str | None]) -> Iterator[Row]:
    """The bytes of every listed file are those that its manifest names."""
    for path, digest in expected.items():
        seen = found.get(path)
        if seen is None:
            yield "P009", path, ""
        elif seen != digest:
            yield "M005", path, ""


def check_texts(bag: Bag, bagit: bytes, info: bytes) -> Iterator[Row]:
    """bagit.txt and bag-info.txt say what RFC 8493 wants, and the payload is as large as they say."""
    if bagit != BAGIT_TEXT:
        yield "P001", layout.BAGIT, ""
    rows = read_bag_info(info)
    if rows is None:
        yield "P002", layout.BAG_INFO, "a line is not `Label: value`"
        return
    sizes = [size for path, size in bag.observed.files.items() if is_below_data(path)]
    if [words for label, words in rows if label == OXUM] != [payload_oxum(sum(sizes), len(sizes))]:
        yield "P002", layout.BAG_INFO, "Payload-Oxum is not that of the payload"
