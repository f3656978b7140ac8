"""What attests a seal, on disk."""

import multiprocessing
import shutil
from pathlib import Path

import pytest

from agentaudit.errors import DestinationFault, NotAPackage, NotSealed, PackageFault
from agentaudit.format import layout
from agentaudit.model.base import digest_of
from agentaudit.model.custody import Signed
from agentaudit.package import attestations
from agentaudit.package.attestations import Laid, SealedFolder, attestation_digests, lay, sealed_folder
from agentaudit.package.tree import Tree
from tests.forge import custody_of, recustody, rewrite
from tests.golden import clean_script, golden_case, golden_exhibit
from tests.support.around import WHO, hand
from tests.support.disks import FULL, FailingDisk

BASE = "tagmanifest-sha256.txt"


@pytest.fixture
def exhibit(tmp_path: Path) -> Path:
    """A sealed exhibit in its case."""
    case = golden_case(tmp_path / "case")
    return golden_exhibit(case, clean_script).path


def row(sealed: SealedFolder, octets: bytes, file: str) -> Signed:
    """A row about a file."""
    return Signed(
        **WHO,
        exhibit=sealed.name,
        seal=sealed.seal,
        file=file,
        sha256=digest_of(octets),
        fingerprint="SHA256:x",
        key_type="ssh-ed25519",
    )


def signed(path: str, octets: bytes) -> str:
    """Lay a signature; its file's name."""
    sealed = sealed_folder(Path(path))
    return lay(sealed, Laid("signature", octets), lambda file: row(sealed, octets, file), hand()).file


def test_files_come_before_their_row_and_are_read_only(exhibit: Path) -> None:
    """A stamp's certificates first, then the stamp, then the row that names it."""
    sealed = sealed_folder(exhibit)
    lies = lay(sealed, Laid("stamp", b"token", 4, b"chain"), lambda file: row(sealed, b"token", file), hand())
    assert (lies.file, lies.number, lies.head.seq) == (f"{BASE}.4.sig.1.tsr", 1, 4)
    assert (exhibit / f"{BASE}.4.sig.1.tsr.pem").read_bytes() == b"chain"
    assert (exhibit / lies.file).stat().st_mode & 0o777 == 0o400
    assert sealed.read(lies.file) == b"token"
    assert sealed.read("none") is None


def test_a_full_disk_leaves_no_row(exhibit: Path) -> None:
    """What could not be kept is not told."""
    sealed = sealed_folder(exhibit)
    with pytest.raises(DestinationFault):
        lay(sealed, Laid("signature", b"x"), lambda file: row(sealed, b"x", file), hand(disk=FailingDisk(1, code=FULL)))
    assert not any(isinstance(one, Signed) for one in sealed.case.rows())


def _sign_many(path: str, count: int) -> None:
    for _ in range(count):
        signed(path, b"x")


def test_signers_at_once_never_take_one_number(exhibit: Path) -> None:
    """Several processes lay signatures; each file has its row, and numbers have no hole."""
    context = multiprocessing.get_context("spawn")
    runs = [context.Process(target=_sign_many, args=(str(exhibit), 5)) for _ in range(3)]
    for run in runs:
        run.start()
    for run in runs:
        run.join(60)
    files = {f"{BASE}.{number}.sig" for number in range(1, 16)}
    rows = [one for one in custody_of(exhibit.parent) if isinstance(one, Signed)]
    assert {one.file for one in rows} == files == set(_digests(exhibit))
    assert [one.seq for one in rows] == list(range(4, 19))


def _digests(exhibit: Path) -> dict[str, str | None]:
    with Tree(exhibit) as tree:
        return dict(attestation_digests(tree))


def test_each_attestation_is_read_back_with_its_digest(exhibit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link or a file beyond the limit has none."""
    signed(str(exhibit), b"x")
    (exhibit / f"{BASE}.2.sig").symlink_to("/etc/passwd")
    monkeypatch.setattr(attestations, "ATTESTATION_MAX", 9)
    rewrite(exhibit / f"{BASE}.1.tsr", bytes(10))
    assert _digests(exhibit) == {f"{BASE}.1.sig": digest_of(b"x"), f"{BASE}.2.sig": None, f"{BASE}.1.tsr": None}


def test_what_is_no_sealed_exhibit_of_a_case_is_refused(exhibit: Path, tmp_path: Path) -> None:
    """Each with its own status: 8, 9, 7, 4."""
    with pytest.raises(NotAPackage):
        sealed_folder(tmp_path / "none")
    with pytest.raises(NotAPackage):
        sealed_folder(exhibit.parent)
    with pytest.raises(NotSealed):
        sealed_folder(exhibit.with_name("EX-0002.partial"))
    alone = Path(shutil.copytree(exhibit, tmp_path / "alone/EX-0001"))
    with pytest.raises(DestinationFault, match="not a case"):
        sealed_folder(alone)
    (exhibit / layout.TAG_MANIFEST).unlink()
    with pytest.raises(NotAPackage, match="no tag manifest"):
        sealed_folder(exhibit)


def test_a_seal_that_the_log_does_not_hold_is_not_attested(exhibit: Path) -> None:
    """Another seal is refused; none at all is what a crash left, and the next row heals it."""
    recustody(exhibit.parent, custody_of(exhibit.parent)[:-1])
    assert sealed_folder(exhibit).name == "EX-0001"
    signed(str(exhibit), b"x")
    rewrite(exhibit / layout.TAG_MANIFEST, b"other")
    with pytest.raises(PackageFault, match="not the one that the custody log holds"):
        sealed_folder(exhibit)
