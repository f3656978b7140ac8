"""The tampering matrix through this program: each act gives exactly its findings."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from agentaudit.verify import verify_exhibit
from tests.golden import ScriptReader
from tests.spec.tampering import ACTS, KINDS, MANIFESTS, SEALS, expected, found, perform
from tests.support.attesting import AttestedCase, attested_case, needs_tools, new_authority, new_key

pytestmark = needs_tools

Copy = Callable[[], AttestedCase]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> AttestedCase:
    """A signed, stamped case, and strangers; not to be changed."""
    one = attested_case(tmp_path_factory.mktemp("made"))
    new_key(one.folder / "stranger")
    new_authority(one.folder / "stranger-tsa")
    new_authority(one.folder / "expired-tsa", days=(-100, -3), above=one.authority)
    return one


@pytest.fixture
def copy(made: AttestedCase, tmp_path: Path) -> AttestedCase:
    """A copy to tamper with."""
    return made.at(Path(shutil.copytree(made.path, tmp_path / "case")))


def test_an_untouched_case_has_no_finding(copy: AttestedCase) -> None:
    """Signed, stamped, whole: the check can say yes."""
    assert found(copy) == set()
    verdict = verify_exhibit(copy.exhibit, readers=(ScriptReader(),), witness=copy.witness())
    assert (verdict.integrity, verdict.authenticity, verdict.existed_by is not None) == ("intact", "signed", True)


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("kind", KINDS)
def test_an_act_on_any_file_is_found_as_what_it_is(kind: str, act: str, made: AttestedCase, tmp_path: Path) -> None:
    """Every file of every kind, and no code but those of the act."""
    one = KINDS[kind]
    for number, name in enumerate(one.names):
        copy = made.at(Path(shutil.copytree(made.path, tmp_path / str(number))))
        perform(copy.path, name, one, act)
        assert found(copy) == expected(one, act), name


def test_every_file_of_the_case_is_in_the_matrix(made: AttestedCase) -> None:
    """But for manifests and the custody log, which have acts of their own, and empty files, which have no bit."""
    files = {path.relative_to(made.path).as_posix() for path in made.path.rglob("*") if path.is_file()}
    named = {name for kind in KINDS.values() for name in kind.names}
    assert named <= files
    left = {name for name in files - named if (made.path / name).stat().st_size}
    assert left == {
        "custody.jsonl", "EX-0001/manifest-sha256.txt", "EX-0001/tagmanifest-sha256.txt",
    }  # fmt: skip


@pytest.mark.parametrize("name", MANIFESTS)
def test_what_is_done_to_a_manifest_is_found_as_what_it_is(name: str, copy: AttestedCase) -> None:
    """A changed tag manifest is another seal: the log, the signatures and the stamp say so too."""
    file, act, codes = MANIFESTS[name]
    act(copy.exhibit / file)
    assert found(copy) == set(codes.split())


@pytest.mark.parametrize("name", SEALS)
def test_what_is_done_to_the_seal_s_attestations_and_to_the_log_is_found(name: str, copy: AttestedCase) -> None:
    """Another key, another namespace, an old token, another authority; rows changed, swapped, missing, cut."""
    act, codes = SEALS[name]
    act(copy)
    assert found(copy) == set(codes.split())


@pytest.mark.parametrize("name", [name for name, (_, codes) in SEALS.items() if "S" in codes])
def test_what_attests_the_seal_never_touches_the_exhibit_s_integrity(name: str, copy: AttestedCase) -> None:
    """Whatever is wrong with signatures and stamps, the bytes are as they were sealed."""
    act, codes = SEALS[name]
    act(copy)
    verdict = verify_exhibit(copy.exhibit, readers=(ScriptReader(),), witness=copy.witness())
    assert verdict.integrity == "intact"
    assert {code for code, _ in verdict.codes} == {code for code in codes.split() if code[0] == "S"}
