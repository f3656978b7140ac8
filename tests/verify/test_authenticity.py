"""The third answer."""

import pytest

from agentaudit.model.attestation import Attested, SignatureSeen, SignatureState, StampSeen, StampState
from agentaudit.model.base import Instant
from agentaudit.verify.authenticity import authenticity, check_attested, existed_by


def signatures(*states: SignatureState) -> tuple[SignatureSeen, ...]:
    """Signatures from 1 in these states."""
    return tuple(SignatureSeen(file=f"{n}.sig", number=n, state=one) for n, one in enumerate(states, 1))


def stamp(
    second: int, state: StampState = "trusted", signature: int | None = None, accuracy_ms: int | None = None
) -> StampSeen:
    """A stamp at a second of one minute."""
    return StampSeen(
        file="1.tsr",
        number=1,
        signature=signature,
        state=state,
        stamped_at=Instant(f"2026-03-02T09:00:{second:02}.000000Z"),
        accuracy_ms=accuracy_ms,
    )


@pytest.mark.parametrize(
    ("states", "answer"),
    [
        ((), "unsigned"),
        (("invalid",), "invalid"),
        (("other_namespace", "invalid"), "invalid"),
        (("invalid", "not_checked"), "not_checked"),
        (("not_checked", "not_allowed"), "unknown_key"),
        (("key_not_named", "invalid"), "unknown_key"),
        (("invalid", "trusted", "not_allowed"), "signed"),
    ],
)
def test_the_answer_is_the_best_that_any_signature_gives(states: tuple[SignatureState, ...], answer: str) -> None:
    """A bad signature beside a good one takes nothing from it: anybody can lay one there."""
    assert authenticity(Attested(signatures=signatures(*states))) == answer


def test_signatures_that_were_left_out_make_it_unknown() -> None:
    """Stamps that were left out do not: they say when, not who."""
    assert authenticity(Attested(left_out=("a.sig",))) == "not_checked"
    assert authenticity(Attested(left_out=("a.tsr",))) == "unsigned"


def test_the_seal_existed_by_the_earliest_named_stamp() -> None:
    """Its accuracy is added; stamps whose authority was not named, or that do not hold, count for nothing."""
    worthless = (stamp(10, "authority_not_named"), stamp(5, "invalid"))
    seen = Attested(stamps=(stamp(30), stamp(20, accuracy_ms=1500), *worthless))
    assert existed_by(seen) == "2026-03-02T09:00:21.500000Z"
    assert existed_by(Attested(stamps=(stamp(10, "other_authority"),))) is None


def test_a_stamp_over_a_signature_counts_only_when_that_signature_holds() -> None:
    """A signature over something else does not lead to this seal."""
    both = (stamp(10, signature=1), stamp(20, signature=2))
    seen = Attested(signatures=signatures("invalid", "not_allowed"), stamps=both)
    assert existed_by(seen) == "2026-03-02T09:00:20.000000Z"
    assert existed_by(Attested(signatures=signatures("invalid", "invalid"), stamps=both)) is None


def test_findings_name_file_key_time_and_authority() -> None:
    """And nothing that a certificate or a signature holds beyond that."""
    key = SignatureSeen(file="1.sig", number=1, state="not_allowed", fingerprint="SHA256:x", key_type="ssh-ed25519")
    nobody = stamp(10, "other_authority")
    named = StampSeen(
        file="2.tsr", number=2, signature=None, state="not_valid_then", stamped_at=nobody.stamped_at, authority="CN=A"
    )
    none = StampSeen(file="3.tsr", number=3, signature=None, state="invalid")
    seen = Attested(signatures=(key,), stamps=(nobody, named, none), strays=("4.tsr.pem",))
    assert tuple(check_attested(seen)) == (
        ("S006", "1.sig", "ssh-ed25519 SHA256:x"),
        ("S010", "1.tsr", "2026-03-02T09:00:10.000000Z by an authority that it does not name"),
        ("S011", "2.tsr", "2026-03-02T09:00:10.000000Z by CN=A"),
        ("S009", "3.tsr", ""),
        ("S013", "4.tsr.pem", "its time stamp is gone"),
    )


def test_a_trusted_signature_is_no_finding() -> None:
    """It is the answer."""
    assert tuple(check_attested(Attested(signatures=signatures("trusted"), stamps=(stamp(1),)))) == ()
