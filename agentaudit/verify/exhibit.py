"""The check of one sealed exhibit, in the order of FORMAT.md, section 9.

- Nothing is opened whose name was not checked, and nothing is believed that was not hashed.
- What lies in layers above a fault is not checked, and the verdict says so.
- Hashing comes first and has the threads to itself: what runs beside it in the interpreter only holds it up.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from agentaudit.encoding.canonical import encode_line
from agentaudit.format import layout
from agentaudit.format.attestations import read_name
from agentaudit.format.baginfo import package_info
from agentaudit.format.folds import package_file
from agentaudit.format.readings import PageReader, Reading
from agentaudit.format.tally import Tally
from agentaudit.model.attestation import Attested
from agentaudit.model.base import Digest
from agentaudit.model.journal import Answered, Closed, Opened
from agentaudit.model.storejournal import Kept
from agentaudit.model.verdict import NotChecked, Part, Verdict
from agentaudit.package.check import Bag, check_closed_world, check_digests, check_manifests, check_texts
from agentaudit.package.check_rows import check_closed, check_journal, check_losses
from agentaudit.package.derive import derive_indexed, read_index
from agentaudit.package.hashing import Hashing
from agentaudit.package.index import JournalIndex
from agentaudit.package.ledger import Ledger
from agentaudit.package.reader import observe, read_listing
from agentaudit.package.tree import Tree, resolved
from agentaudit.verify.authenticity import NoWitness, Witness, authenticity, check_attested, existed_by
from agentaudit.verify.compare import READINGS, Comparison, read_form
from agentaudit.verify.cursors import CursorCheck
from agentaudit.verify.facts import FactCheck
from agentaudit.verify.opening import check_is_sealed, noted_seal, readable, small, stated_package
from agentaudit.verify.travelling import check_travelling

FOLDS = (layout.ENTRIES, layout.ITEMS, layout.WALKS, layout.GAPS)
THREADS_MAX = 8

_BELOW = "there are faults below it"
_BYTES_ONLY = "only bytes were to be checked"


def verify_exhibit(
    path: Path,
    *,
    readers: tuple[PageReader, ...],
    seal: str | None = None,
    bytes_only: bool = False,
    threads: int = 0,
    witness: Witness | None = None,
) -> Verdict:
    """The verdict on a sealed exhibit; `seal` is compared with its own, `threads` 0 means one a core.

    `witness` says what signatures and time stamps are worth; without one they are left unchecked.

    Raises NotAPackage (8), NotSealed (9), UsageFault (2) for a seal that is none.
    """
    noted = noted_seal(seal)
    with readable(path):
        check_is_sealed(path)
    with readable(path), Tree(path) as tree:
        check = _ExhibitCheck(tree, resolved(path), readers, bytes_only=bytes_only)
        check.run(threads or min(THREADS_MAX, os.cpu_count() or 1))
        return check.verdict(noted, witness or NoWitness())


class _ExhibitCheck:
    """One check from the structure upwards."""

    def __init__(self, tree: Tree, root: Path, readers: tuple[PageReader, ...], *, bytes_only: bool) -> None:
        self.tree = tree
        self.root = root
        self.readers = readers
        self.bytes_only = bytes_only
        self.ledger = Ledger()
        self.skipped: list[NotChecked] = []
        self.bag = Bag(
            observe(root),
            read_listing(tree, layout.MANIFEST, tags=False),
            read_listing(tree, layout.TAG_MANIFEST, tags=True),
        )
        self.index = JournalIndex()
        self.seal: Digest | None = None

    def skip(self, reason: str, *parts: Part) -> None:
        self.skipped.extend(NotChecked(part=part, reason=reason) for part in parts)

    def run(self, threads: int) -> None:
        """Layer on layer, up to the first with a fault."""
        self.bytes(threads)
        if self.ledger.has_errors():
            self.skip(_BELOW, "journal", "folds", "walks", "readings", "losses")
            return
        opened, closed = self.journal()
        if self.ledger.has_errors() or opened is None or closed is None:
            self.skip(_BELOW, "folds", "walks", "readings", "losses")
            return
        if self.bytes_only:
            self.skip(_BYTES_ONLY, "folds", "walks", "readings", *self.facts())
        else:
            self.derived(opened, closed)
        self.ledger.add_all(check_losses(closed.counts.losses))

    def facts(self) -> tuple[Part, ...]:
        """The part that is left out beside the readings where files of a store were preserved."""
        return ("facts",) if len(self.index.entries) else ()

    def bytes(self, threads: int) -> None:
        """Structure, manifests, digests."""
        bag = self.bag
        self.ledger.add_all(check_manifests(bag))
        self.ledger.add_all(check_closed_world(bag))
        expected = bag.digested()
        sealed = {layout.TAG_MANIFEST} & bag.observed.files.keys()
        found = Hashing(self.root, bag.observed.files, {*expected, *sealed}, threads).result()
        self.ledger.add_all(check_digests(expected, found))
        self.seal = _seal(found)

    def agrees(self, path: str, size: int, digest: Digest) -> bool:
        """True when the manifest and the file that lies there are what a journal row says."""
        listed = self.bag.payload.listed.get(path)
        return digest == f"sha256:{listed}" and self.bag.observed.files.get(path) == size

    def journal(self) -> tuple[Opened | None, Closed | None]:
        """The journal against the payload, and the tag files that follow from it at once."""
        index = self.index = read_index(self.tree, self.agrees)
        self.ledger.add_all(check_journal(index, self.bag.payload.listed))
        info = small(self.tree, layout.BAG_INFO)
        self.ledger.add_all(check_texts(self.bag, small(self.tree, layout.BAGIT), info))
        if self.ledger.has_errors() or index.opened is None or index.closed is None:
            return None, None
        package = package_file(index.opened, index.resumed, index.clock, index.closed, tuple(index.roots))
        if small(self.tree, layout.PACKAGE) != encode_line(package):
            self.ledger.add("P010" if stated_package(self.tree) is None else "P011", layout.PACKAGE)
        if info != package_info(package):
            self.ledger.add("P002", layout.BAG_INFO, "it is not the fold of package.json")
        return index.opened, index.closed

    def derived(self, opened: Opened, closed: Closed) -> None:
        """Everything that follows from journal and pages is drawn again and compared."""
        reader = next((one for one in self.readers if one.name == opened.adapter), None)
        names = FOLDS + READINGS if reader else FOLDS
        sinks = {name: Comparison(self.tree, name) for name in names}
        cursors, facts = CursorCheck(), FactCheck(self.tree)

        def watch(row: Answered | Kept, reading: Reading) -> None:
            cursors(row, reading)
            facts(row, reading)

        result = derive_indexed(self.tree, self.index, opened, reader, sinks=sinks, watch=watch)
        for name, comparison in sinks.items():
            line = comparison.differs_at()
            if line:
                self.ledger.add("R001" if name in READINGS else "J008", f"{name}:{line}")
        self.ledger.add_all(cursors.rows(self.index))
        self.ledger.add_all(facts.rows())
        if reader is None:
            self.recount(result.tally)
        if not self.ledger.has_errors():
            self.ledger.add_all(check_closed(closed, result.outcome, result.counts))

    def recount(self, tally: Tally) -> None:
        """Without their adapter, readings are only read for their form, and counted."""
        self.ledger.add("R002", layout.RECORDS)
        self.skip("their adapter is of another version", "readings", *self.facts())
        for name in READINGS:
            line = read_form(self.tree, name, tally)
            if line:
                self.ledger.add("P010", f"{name}:{line}")

    def attested(self, witness: Witness) -> Attested:
        """What lies beside the seal, and its findings."""
        attested = witness.attested(self.tree, sorted(filter(read_name, self.bag.observed.files)))
        self.ledger.add_all(check_attested(attested))
        for reason in attested.reasons:
            self.skip(reason, "attestations")
        return attested

    def verdict(self, noted: Digest | None, witness: Witness) -> Verdict:
        """The three answers."""
        if noted is not None and noted != self.seal:
            self.ledger.add("S001", layout.TAG_MANIFEST)
        attested = self.attested(witness)
        package = stated_package(self.tree)
        self.ledger.add_all(check_travelling(self.root, package))
        return Verdict(
            exhibit=package.exhibit if package else self.root.name,
            case=package.case if package else None,
            integrity="faults" if self.ledger.has_errors() else "intact",
            outcome=package.outcome if package else None,
            authenticity=authenticity(attested),
            endpoint_class=package.endpoint_class if package else None,
            seal=self.seal,
            adapter=package.adapter if package else None,
            counts=package.counts if package else None,
            findings=self.ledger.findings(),
            codes=self.ledger.codes(),
            not_checked=tuple(self.skipped),
            signatures=attested.signatures,
            stamps=attested.stamps,
            existed_by=existed_by(attested),
        )


def _seal(found: Mapping[str, str | None]) -> Digest | None:
    digest = found.get(layout.TAG_MANIFEST)
    return Digest(f"sha256:{digest}") if digest else None
