"""The rules of RFC 8493 that apply to an exhibit, and the holes of the conformance suite.

- Each bag is built here from its rule; none of the suite's files is used.
- An evidence reader does not depend on its host: what is invalid on one system is invalid on all.
- This format is narrower than BagIt: bags of others that are valid, but never ours, are refused too.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agentaudit.format import layout
from agentaudit.verify import verify_exhibit
from tests.forge import edit, retag, rewrite
from tests.golden import ScriptReader, clean_script, golden_case, golden_exhibit
from tests.mutations import FIRST, SECOND

READERS = (ScriptReader(),)
ZERO = b"0" * 64


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The clean exhibit, to be copied and never changed."""
    return golden_exhibit(golden_case(tmp_path_factory.mktemp("golden") / "case"), clean_script).path


@pytest.fixture
def copy(golden: Path, tmp_path: Path) -> Path:
    """A copy of the clean exhibit."""
    return Path(shutil.copytree(golden, tmp_path / golden.name))


def _codes(root: Path) -> set[str]:
    verdict = verify_exhibit(root, readers=READERS)
    return {code for code, _ in verdict.codes} - {"S002"}


def _validates(root: Path) -> bool:
    tool = Path(sys.executable).with_name("bagit.py")
    done = subprocess.run(
        [sys.executable, tool, "--validate", root], capture_output=True, text=True, check=False, timeout=30
    )
    return done.returncode == 0


def _bagit(octets: bytes) -> Callable[[Path], None]:
    def act(root: Path) -> None:
        rewrite(root / layout.BAGIT, octets)
        retag(root)

    return act


def _path_of(line: bytes) -> bytes:
    return line[66:]


def _line_more(line: bytes) -> Callable[[Path], None]:
    """One more line in the payload manifest, at its place in the order."""

    def act(root: Path) -> None:
        lines: list[bytes] = [*(root / layout.MANIFEST).read_bytes().splitlines(keepends=True), line]
        lines.sort(key=_path_of)
        rewrite(root / layout.MANIFEST, b"".join(lines))
        retag(root)

    return act


def _manifest(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def act(root: Path) -> None:
        rewrite(root / layout.MANIFEST, change((root / layout.MANIFEST).read_bytes()))
        retag(root)

    return act


def _file_more(name: str, octets: bytes = b"") -> Callable[[Path], None]:
    return lambda root: rewrite(root / name, octets)


def _file_less(name: str) -> Callable[[Path], None]:
    return lambda root: (root / name).unlink()


def _twice(line_of: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def act(root: Path) -> None:
        first, *rest = (root / layout.MANIFEST).read_bytes().splitlines(keepends=True)
        rewrite(root / layout.MANIFEST, b"".join([first, line_of(first), *rest]))
        retag(root)

    return act


def _named(path: str) -> Callable[[Path], None]:
    return _line_more(ZERO + b"  " + path.encode() + b"\n")


def _second_manifest_with_fewer_files(root: Path) -> None:
    digest = hashlib.sha512((root / FIRST).read_bytes()).hexdigest()
    rewrite(root / "manifest-sha512.txt", f"{digest}  {FIRST}\n".encode())


SUITE: dict[str, tuple[Callable[[Path], None], str]] = {
    "1.0 bagit-with-invalid-whitespace": (
        _bagit(b"BagIt-Version : 1.0\nTag-File-Character-Encoding : UTF-8\n"), "P001",
    ),
    "1.0 not-all-manifests-list-all-files": (_second_manifest_with_fewer_files, "M009"),
    "1.0 same-filename-listed-twice-with-different-hashes": (_twice(lambda line: ZERO + line[64:]), "M004"),
    "1.0 same-filename-listed-twice-with-the-same-hash": (_twice(lambda line: line), "M004"),
    "0.97 baginfo-missing-encoding": (_bagit(b"BagIt-Version: 1.0\n"), "P001"),
    "0.97 bom-in-bagit.txt": (
        _bagit(b"\xef\xbb\xbfBagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"), "P001",
    ),
    "0.97 invalid-version-number": (
        _bagit(b"BagIt-Version: .97\nTag-File-Character-Encoding: UTF-8\n"), "P001",
    ),
    "0.97 corrupt-data-file": (_file_more(FIRST, b"corrupt"), "M005"),
    "0.97 corrupt-tag-file": (_file_more(layout.BAG_INFO, b"Corrupt: yes\n"), "M005"),
    "0.97 extra-file-in-bag": (_file_more("data/script/more.json"), "P003"),
    "0.97 missing-bagit.txt": (_file_less(layout.BAGIT), "P008"),
    "0.97 missing-baginfo": (_file_less(layout.BAG_INFO), "P008"),
    "0.97 out-of-scope dot notation": (_named("../../outside"), "M008"),
    "0.97 out-of-scope dot notation inside": (_named("data/../../outside"), "M008"),
    "0.97 out-of-scope dot notation for fetch": (_file_more("fetch.txt", b"http://h/ 1 ../outside\n"), "P003"),
    "linux-only absolute": (_named("/etc/passwd"), "M008"),
    "linux-only ~/": (_named("~/.profile"), "M008"),
    "linux-only ~user": (_named("~root/.profile"), "M008"),
    "windows-only absolute": (_named("C:\\Windows\\win.ini"), "M008"),
    "windows-only shortcut": (_named("%HOMEPATH%\\x"), "M008"),
    "windows-only UNC": (_named("\\\\server\\share"), "M008"),
    "windows-only long path": (_named("\\\\?\\C:\\x"), "M008"),
    "warning duplicate-file-with-different-case": (_named(SECOND.replace("script", "SCRIPT")), "M004"),
    "warning different normalization": (_named("data/e\u0301.json"), "M008"),
    "warning made-with-md5sum-tools": (_line_more(ZERO + b" *data/zz.json\n"), "M003"),
    "warning relative-path": (_named("./data/zz.json"), "M008"),
    "warning special-system-files": (_named("data/.ds_store"), "M008"),
}  # fmt: skip

HOLES: dict[str, tuple[Callable[[Path], None], str]] = {
    "percent-encoded percent": (_named("data/a%25b.json"), "M008"),
    "percent-encoded dots": (_named("data/%2e%2e/x"), "M008"),
    "carriage return in a name": (_line_more(ZERO + b"  data/a\rb.json\n"), "M003"),
    "trailing blank": (_line_more(ZERO + b"  data/zz.json \n"), "M008"),
    "line separator": (_named("data/a\u2028b.json"), "M008"),
    "NUL": (_named("data/a\0b.json"), "M008"),
    "no UTF-8": (_line_more(ZERO + b"  data/\xff.json\n"), "M003"),
    "double slash": (_named("data//zz.json"), "M008"),
    "a folder": (_named("data/script/"), "M008"),
    "device name": (_named("data/nul.json"), "M008"),
    "tag file in the payload manifest": (_named("agentaudit/VERIFY.txt"), "M008"),
    "upper-case hex": (_line_more(b"A" * 64 + b"  data/zz.json\n"), "M003"),
    "CRLF": (_line_more(ZERO + b"  data/zz.json\r\n"), "M003"),
    "BOM": (_line_more(b"\xef\xbb\xbf" + ZERO + b"  data/zz.json\n"), "M003"),
    "long line": (_line_more(ZERO + b"  data/" + b"z" * 5000 + b"\n"), "M003"),
    "truncated last line": (_manifest(lambda octets: octets + ZERO), "M003"),
    "algorithm file in another case": (_file_more("Manifest-SHA256.txt"), "M009"),
    "symlink": (lambda root: (root / "data/zz.json").symlink_to(root / FIRST), "P005"),
    "dangling symlink": (lambda root: (root / "zz").symlink_to("nowhere"), "P005"),
    "symlink loop": (lambda root: (root / "data/loop").symlink_to(".."), "P005"),
    "pipe": (lambda root: os.mkfifo(root / "zz"), "P006"),
    "hidden file": (_file_more(".hidden"), "P003"),
    "name that differs in case": (_file_more("data/script/s000001/000001.JSON"), "P007"),
    "bag in a bag": (_file_more("data/bagit.txt"), "P003"),
}  # fmt: skip


def test_a_golden_exhibit_is_valid_to_both(golden: Path) -> None:
    """What the writer makes is a valid bag, and intact."""
    assert _validates(golden)
    assert _codes(golden) == set()


@pytest.mark.parametrize("name", sorted(SUITE))
def test_the_rules_of_the_suite(name: str, copy: Path) -> None:
    """A bag that breaks one rule of the RFC yields the code of that rule and no other."""
    act, code = SUITE[name]
    act(copy)
    assert _codes(copy) == {code}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("name", sorted(HOLES))
def test_what_the_suite_does_not_ask(name: str, copy: Path) -> None:
    """A bag with a trap that the suite lacks yields one code, and nothing hangs."""
    act, code = HOLES[name]
    act(copy)
    assert _codes(copy) == {code}


def _only_md5(root: Path) -> None:
    files = sorted(path.relative_to(root).as_posix() for path in (root / "data").rglob("*") if path.is_file())
    for name in (layout.MANIFEST, layout.TAG_MANIFEST):
        (root / name).unlink()
    tags = ["manifest-md5.txt", *(name for name in layout.TAG_FILES if name != layout.MANIFEST)]
    for manifest, names in (("manifest-md5.txt", files), ("tagmanifest-md5.txt", tags)):
        digests = [hashlib.md5((root / name).read_bytes()).hexdigest() for name in names]
        lines = [f"{digest}  {name}\n" for digest, name in zip(digests, names, strict=True)]
        rewrite(root / manifest, "".join(lines).encode())


OVERLOOKED: dict[str, tuple[Callable[[Path], None], set[str]]] = {
    "tag manifest removed": (_file_less(layout.TAG_MANIFEST), {"M002"}),
    "MD5 alone": (_only_md5, {"M001", "M002", "M009"}),
    "extra tag file": (_file_more("agentaudit/extra.json"), {"P003"}),
    "empty folder": (lambda root: (root / "agentaudit/empty").mkdir(), {"P004"}),
    "invalid white space": (SUITE["1.0 bagit-with-invalid-whitespace"][0], {"P001"}),
}


@pytest.mark.parametrize("name", sorted(OVERLOOKED))
def test_what_the_reference_validator_overlooks(name: str, copy: Path) -> None:
    """bagit.py calls it valid, and this reader does not."""
    act, codes = OVERLOOKED[name]
    act(copy)
    assert _validates(copy)
    assert _codes(copy) == codes


def test_both_refuse_a_changed_payload(copy: Path) -> None:
    """The reference validator is no rubber stamp: it refuses a corrupt file as this reader does."""
    edit(copy / FIRST, b"m1", b"m9")
    assert not _validates(copy)
    assert _codes(copy) == {"M005"}
