"""Each code of the catalogue has a tampering that yields it and no other."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from agentaudit.format import layout
from agentaudit.format.codes import CATALOGUE
from agentaudit.model.attestation import Attested, SignatureSeen, SignatureState, StampSeen, StampState
from agentaudit.model.losses import Gap
from agentaudit.model.verdict import Verdict
from agentaudit.package import hashing
from agentaudit.package.tree import Tree
from agentaudit.verify import verify_exhibit
from tests.forge import edit, retag
from tests.golden import LIMITS, LIST, Script, ScriptReader, clean_script, golden_case, golden_exhibit, page
from tests.mutations import MUTATIONS

READERS = (ScriptReader(),)


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The clean exhibit, to be copied and never changed."""
    return golden_exhibit(golden_case(tmp_path_factory.mktemp("golden") / "case"), clean_script).path


@pytest.fixture
def copy(golden: Path, tmp_path: Path) -> Path:
    """A copy of the clean exhibit."""
    return Path(shutil.copytree(golden, tmp_path / golden.name))


def _codes(verdict: Verdict) -> set[str]:
    return {code for code, _ in verdict.codes}


def test_the_clean_exhibit_has_no_finding_but_that_it_is_unsigned(golden: Path) -> None:
    """Intact, all given, unsigned: and nothing else is said of the clean golden exhibit."""
    verdict = verify_exhibit(golden, readers=READERS)
    assert (verdict.integrity, verdict.outcome, verdict.authenticity) == ("intact", "all_given", "unsigned")
    assert _codes(verdict) == {"S002"}
    assert verdict.not_checked == ()


@pytest.mark.parametrize("code", sorted(MUTATIONS))
def test_a_tampering_yields_its_code_and_no_other(code: str, copy: Path) -> None:
    """One tampering, one code; only an error touches integrity."""
    MUTATIONS[code](copy)
    verdict = verify_exhibit(copy, readers=READERS)
    assert _codes(verdict) - {"S002"} == {code}, verdict.findings
    assert verdict.integrity == ("faults" if CATALOGUE[code].severity == "error" else "intact")


def test_a_bag_info_that_states_another_class_is_p002(copy: Path) -> None:
    """What people read first follows from the journal like the rest."""
    edit(copy / layout.BAG_INFO, b"loopback", b"vendor")
    retag(copy)
    assert _codes(verify_exhibit(copy, readers=READERS)) - {"S002"} == {"P002"}


def test_what_cannot_be_read_is_p009(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A listed file beyond the reader's limit counts as unreadable."""
    size = (copy / layout.FORMAT).stat().st_size
    monkeypatch.setattr(hashing, "FILE_BYTES_MAX", size - 1)
    verdict = verify_exhibit(copy, readers=READERS)
    assert _codes(verdict) - {"S002"} == {"P009"}
    assert [row.subject for row in verdict.findings if row.code == "P009"] == [layout.FORMAT]


def test_readings_of_another_adapter_are_r002(copy: Path) -> None:
    """Readings whose adapter is not at hand are not rebuilt, their form is checked and their rows are counted."""
    verdict = verify_exhibit(copy, readers=())
    assert _codes(verdict) == {"R002", "S002"}
    assert verdict.integrity == "intact"
    assert [row.part for row in verdict.not_checked] == ["readings"]


def test_another_seal_is_s001(copy: Path) -> None:
    """A noted seal that is not that of the exhibit is an error, whatever else is intact."""
    own = verify_exhibit(copy, readers=READERS)
    assert own.seal is not None
    assert verify_exhibit(copy, readers=READERS, seal=own.seal.upper().replace("SHA256:", "")).integrity == "intact"
    verdict = verify_exhibit(copy, readers=READERS, seal="0" * 64)
    assert _codes(verdict) == {"S001", "S002"}
    assert verdict.integrity == "faults"


def test_an_attestation_that_is_not_checked_is_s003(copy: Path) -> None:
    """A signature beside the seal has its place, and the verdict says that it was not checked."""
    (copy / f"{layout.TAG_MANIFEST}.1.sig").write_bytes(b"x")
    verdict = verify_exhibit(copy, readers=READERS)
    assert _codes(verdict) == {"S003"}
    assert (verdict.integrity, verdict.authenticity) == ("intact", "not_checked")
    assert [row.part for row in verdict.not_checked] == ["attestations"]


@dataclass(frozen=True)
class Says:
    """A witness that says what it was given."""

    attested_: Attested

    def attested(self, tree: Tree, names: Sequence[str]) -> Attested:
        """What it was given."""
        del tree, names
        return self.attested_


def _signature(state: SignatureState) -> Attested:
    return Attested(signatures=(SignatureSeen(file="tagmanifest-sha256.txt.1.sig", number=1, state=state),))


def _stamp(state: StampState, *, fits: bool = True) -> Attested:
    stamp = StampSeen(file="tagmanifest-sha256.txt.1.tsr", number=1, signature=None, state=state, chain_fits=fits)
    return Attested(stamps=(stamp,))


ATTESTED: dict[str, Attested] = {
    "S004": _signature("invalid"),
    "S005": _signature("other_namespace"),
    "S006": _signature("not_allowed"),
    "S007": _signature("key_not_named"),
    "S008": _stamp("over_something_else"),
    "S009": _stamp("invalid"),
    "S010": _stamp("other_authority"),
    "S011": _stamp("not_valid_then"),
    "S012": _stamp("authority_not_named"),
    "S013": _stamp("trusted", fits=False),
}


@pytest.mark.parametrize("code", sorted(ATTESTED))
def test_what_a_witness_says_yields_its_code_and_touches_no_integrity(code: str, golden: Path) -> None:
    """One state, one code; the bytes are as they were sealed, whoever attests them."""
    verdict = verify_exhibit(golden, readers=READERS, witness=Says(ATTESTED[code]))
    assert _codes(verdict) - {"S002"} == {code}
    assert verdict.integrity == "intact"


def _with_cut(by: str) -> Callable[[Script], None]:
    def write(script: Script) -> None:
        script.begin("script/s000001", LIMITS)
        script.answer("script/s000001", 1, page([{"id": "m1", "role": "user", "cut": by}], None), limits=LIMITS)
        script.end("script/s000001", 1, 1)

    return write


def _with_gap(gap: Gap) -> Callable[[Script], None]:
    def write(script: Script) -> None:
        clean_script(script)
        script.note(gap)

    return write


def _with_truncated_session(script: Script) -> None:
    script.begin(LIST)
    script.answer(LIST, 1, page([{"id": "s000001", "truncated": True}], None))
    script.end(LIST, 1, 1)


LOSSES: dict[str, tuple[Callable[[Script], None], str]] = {
    "L001": (_with_cut("ours"), "all_given"),
    "L002": (_with_cut("server"), "all_given_with_losses"),
    "L003": (_with_cut("marker"), "all_given_with_losses"),
    "L004": (_with_cut("unclear"), "all_given_with_losses"),
    "L005": (_with_truncated_session, "all_given_with_losses"),
    "L006": (
        _with_gap(Gap(kind="unavailable", code="session_call_cap", basis="field", session="s000001")),
        "all_given_with_losses",
    ),
    "L007": (_with_gap(Gap(kind="not_obtained", code="retries_exhausted", basis="absence")), "incomplete"),
    "L008": (_with_gap(Gap(kind="excluded", code="other_user", basis="rule", count=4)), "all_given"),
}


@pytest.mark.parametrize("code", sorted(LOSSES))
def test_each_kind_of_loss_has_its_own_code(code: str, tmp_path: Path) -> None:
    """A loss of one kind is stated under its code alone, and makes the outcome what it should."""
    write, outcome = LOSSES[code]
    sealed = golden_exhibit(golden_case(tmp_path / "case"), write)
    verdict = verify_exhibit(sealed.path, readers=READERS)
    assert _codes(verdict) - {"S002"} == {code}
    assert (verdict.integrity, verdict.outcome) == ("intact", outcome)


def test_every_code_of_an_exhibit_has_its_case_here() -> None:
    """No code is in the catalogue that no tampering of these tests yields."""
    own = {code for code in CATALOGUE if not code.startswith("C")}
    assert own == {*MUTATIONS, *LOSSES, *ATTESTED, "J011", "P009", "R002", "R003", "S001", "S002", "S003"}
