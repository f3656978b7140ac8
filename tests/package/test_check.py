"""Declared against observed."""

from dataclasses import replace

import pytest

from agentaudit.format import layout
from agentaudit.format.bagit import BAGIT_TEXT, Fault
from agentaudit.package.check import Bag, check_closed_world, check_digests, check_manifests, check_texts
from agentaudit.package.reader import Manifest, Observed

HEX = "0" * 64
PAYLOAD = "data/w/000001.json"


def _bag(*more: str, less: tuple[str, ...] = (), folders: tuple[str, ...] = ()) -> Bag:
    files = dict.fromkeys((*layout.TAG_FILES, layout.TAG_MANIFEST, PAYLOAD, *more), 1)
    observed = Observed(
        files={name: size for name, size in files.items() if name not in less},
        folders={"agentaudit", "data", "data/w", *folders},
    )
    payload = Manifest(present=layout.MANIFEST not in less, listed={PAYLOAD: HEX})
    tags = Manifest(present=layout.TAG_MANIFEST not in less, listed=dict.fromkeys(layout.TAG_FILES, HEX))
    return Bag(observed, payload if payload.present else Manifest(present=False), tags)


def _world(bag: Bag) -> list[tuple[str, str]]:
    return [(code, subject) for code, subject, _ in check_closed_world(bag)]


def _manifests(bag: Bag) -> list[tuple[str, str]]:
    return [(code, subject) for code, subject, _ in check_manifests(bag)]


def test_a_closed_world_has_no_finding() -> None:
    """Every file listed, every listed file there."""
    assert _world(_bag()) == []
    assert _manifests(_bag()) == []


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ("notes.txt", "P003"),
        ("data/w/000002.json", "P003"),
        ("fetch.txt", "P003"),
        ("tagmanifest-sha256.txt.0.sig", "P003"),
        ("agentaudit/tagmanifest-sha256.txt.1.sig", "P003"),
        ("data/w/a b.json", "P007"),
        ("data/W/000001.json", "P007"),
        ("manifest-md5.txt", "M009"),
        ("tagmanifest-sha512.txt", "M009"),
        ("MANIFEST-SHA256.TXT", "M009"),
        ("x/manifest-md5.txt", "P003"),
    ],
)
def test_an_extra_file_has_one_code(more: str, code: str) -> None:
    """By what it is: unlisted, badly named, or a manifest of another algorithm."""
    assert _world(_bag(more)) == [(code, more)]


def test_attestations_are_no_extra_files() -> None:
    """Signatures and tokens have their place."""
    assert _world(_bag("tagmanifest-sha256.txt.1.sig", "tagmanifest-sha256.txt.1.sig.1.tsr")) == []


def test_what_is_missing_has_one_code() -> None:
    """A tag file is P008, a payload file M006, the manifests have codes of their own."""
    assert _world(_bag(less=(layout.VERIFY,))) == [("P008", layout.VERIFY)]
    assert _world(_bag(less=(PAYLOAD,))) == [("M006", PAYLOAD)]
    assert _world(_bag(less=(layout.MANIFEST,))) == []
    assert _manifests(_bag(less=(layout.MANIFEST,))) == [("M001", layout.MANIFEST)]
    assert _world(_bag(less=(layout.TAG_MANIFEST,))) == []
    assert _manifests(_bag(less=(layout.TAG_MANIFEST,))) == [("M002", layout.TAG_MANIFEST)]


def test_without_the_payload_manifest_other_files_are_still_found() -> None:
    """Only what might be payload is passed over."""
    assert _world(_bag("agentaudit/x", less=(layout.MANIFEST,))) == [("P003", "agentaudit/x")]


def test_an_unlisted_tag_file_is_m010() -> None:
    """It is required, and it is there, but nothing covers it; without a tag manifest that goes without saying."""
    bag = _bag()
    listed = {name: HEX for name in layout.TAG_FILES if name != layout.GAPS}
    assert _world(replace(bag, tags=Manifest(present=True, listed=listed))) == [("M010", layout.GAPS)]
    assert _world(replace(bag, tags=Manifest(present=False))) == []


def test_a_manifest_that_is_there_and_cannot_be_read_is_p009() -> None:
    """It is not missing."""
    bag = replace(_bag(), payload=Manifest(present=False))
    assert _manifests(bag) == [("P009", layout.MANIFEST)]


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (Fault(2, "form"), "M003"),
        (Fault(2, "order", "data/a.json"), "M003"),
        (Fault(2, "order", PAYLOAD), "M004"),
        (Fault(2, "twice", PAYLOAD), "M004"),
        (Fault(2, "name", "../x"), "M008"),
        (Fault(2, "name", PAYLOAD.upper()), "M004"),
    ],
)
def test_a_faulty_line_has_one_code(fault: Fault, code: str) -> None:
    """Its subject is the line, and the path that it names counts as listed."""
    bag = _bag(*([fault.path] if fault.path == "data/a.json" else []))
    bag.payload.faults.append(fault)
    assert _manifests(bag) == [(code, f"{layout.MANIFEST}:2")]
    assert _world(bag) == []


def test_a_manifest_over_its_limit_is_p012() -> None:
    """What was left unread is said."""
    bag = _bag()
    bag.tags.over_limit = True
    assert _manifests(bag) == [("P012", layout.TAG_MANIFEST)]


def test_a_folder_needs_a_file_below_it() -> None:
    """An empty one is P004, at any depth; one that holds an extra file is not blamed twice."""
    assert _world(_bag(folders=("empty", "data/e", "data/e/f"))) == [
        ("P004", "data/e"),
        ("P004", "data/e/f"),
        ("P004", "empty"),
    ]
    assert _world(_bag("x/y/z", folders=("x", "x/y"))) == [("P003", "x/y/z")]


def test_the_folder_of_a_missing_file_is_not_idle() -> None:
    """One removed file is one finding."""
    bag = _bag(less=(PAYLOAD,))
    assert _world(bag) == [("M006", PAYLOAD)]


def test_what_is_odd_is_found_once() -> None:
    """A link in the place of a file or of a folder is not also a missing file, nor an idle folder."""
    bag = _bag(less=(PAYLOAD, layout.VERIFY))
    bag.observed.oddities += [("P005", "data/w"), ("P006", layout.VERIFY), ("P012", "data/deep/er")]
    bag.observed.folders |= {"data/deep"}
    assert _world(bag) == [("P005", "data/w"), ("P006", layout.VERIFY), ("P012", "data/deep/er")]


def test_the_digest_of_every_listed_file_is_compared() -> None:
    """Another digest is M005, none is P009; what is not there is not expected here."""
    bag = _bag(less=(layout.GAPS,))
    expected = bag.digested()
    assert layout.GAPS not in expected
    found: dict[str, str | None] = dict(expected)
    assert list(check_digests(expected, found)) == []
    found[PAYLOAD] = "1" * 64
    found[layout.VERIFY] = None
    assert sorted(check_digests(expected, found)) == [("M005", PAYLOAD, ""), ("P009", layout.VERIFY, "")]


@pytest.mark.parametrize(
    ("bagit", "info", "codes"),
    [
        (BAGIT_TEXT, b"Payload-Oxum: 1.1\n", []),
        (BAGIT_TEXT[:-1], b"Payload-Oxum: 1.1\n", ["P001"]),
        (b"", b"", ["P001", "P002"]),
        (BAGIT_TEXT, b"Payload-Oxum: 1.2\n", ["P002"]),
        (BAGIT_TEXT, b"Payload-Oxum: 1.1\nPayload-Oxum: 1.1\n", ["P002"]),
        (BAGIT_TEXT, b"Payload-Oxum:1.1\n", ["P002"]),
        (BAGIT_TEXT, b"Label: 1\n", ["P002"]),
    ],
)
def test_the_two_texts(bagit: bytes, info: bytes, codes: list[str]) -> None:
    """bagit.txt is two lines; bag-info.txt states the payload's size and number, once."""
    assert [code for code, _, _ in check_texts(_bag(), bagit, info)] == codes
