"""The tampering matrix through the stock tools: the documents say truthfully what each overlooks.

- The commands are those of VERIFY.txt, to the letter.
- The table in docs/threat-model.md is what was measured here; `python -m tests.spec.test_tampering_stock` prints it.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from agentaudit.format.attestations import read_name
from agentaudit.format.verifytxt import verify_text
from tests.spec.tampering import BASE, FIRST, KINDS, MANIFESTS, SEALS, perform
from tests.support.attesting import AttestedCase, attested_case, needs_tools, new_authority, new_key

pytestmark = [needs_tools, pytest.mark.skipif(shutil.which("sha256sum") is None, reason="needs GNU coreutils")]

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/threat-model.md"
HEADING = "## What stock tools overlook"
LINES = [line[4:] for line in verify_text().decode().splitlines() if line.startswith("    ")]
EXTRA = LINES[LINES.index("find . ! -type d ! -type f") : LINES.index('LC_ALL=C comm -3 "$d/there" "$d/listed"') + 1]


def line(*words: str) -> str:
    """The one command of VERIFY.txt that has all these words."""
    (found,) = [one for one in LINES if all(word in one for word in words)]
    return found


TOOLS: Mapping[str, tuple[str, ...]] = {
    "seal noted": (line("sha256sum tagmanifest"),),
    "ssh-keygen": (line("WHO="), line("-Y verify")),
    "openssl ts": (line("AT="), line("ts -verify", "-attime")),
    "sha256sum, tag files": (line("sha256sum", "--check tagmanifest"),),
    "sha256sum, payload": (line("sha256sum", "--check manifest"),),
    "find": tuple(EXTRA),
    "bagit.py": (line("bagit.py"),),
}

Tampering = Callable[[AttestedCase], None]


def tamperings() -> dict[str, Tampering]:
    """One act on one file of each kind that matters, every act on manifests, every act on attestations."""
    acts = (
        ("payload", "flip"), ("payload", "delete"), ("payload", "add"), ("payload", "rename"), ("payload", "swap"),
        ("tag file", "flip"), ("tag file", "delete"), ("tag file", "add"), ("second signature", "flip"),
        ("second signature", "delete"), ("second signature", "append"), ("time stamp", "flip"),
        ("time stamp", "delete"), ("certificates", "flip"),
    )  # fmt: skip
    found: dict[str, Tampering] = {f"{kind}, {act}": _on_file(kind, act) for kind, act in acts}
    found |= {name: _on_manifest(name) for name in MANIFESTS}
    return found | {name: act for name, (act, codes) in SEALS.items() if "S" in codes}


def _on_file(kind: str, act: str) -> Tampering:
    one = KINDS[kind]
    return lambda made: perform(made.path, one.names[0], one, act)


def _on_manifest(name: str) -> Tampering:
    file, act, _ = MANIFESTS[name]
    return lambda made: act(made.exhibit / file)


def scripts(tool: str, made: AttestedCase) -> tuple[str, ...]:
    """What is run: once, or once for each signature or stamp that lies there, as the text says."""
    script = "\n".join(TOOLS[tool])
    if tool == "bagit.py":
        return (script.replace("bagit.py", f"'{sys.executable}' '{Path(sys.executable).with_name('bagit.py')}'", 1),)
    suffix = {"ssh-keygen": ".sig", "openssl ts": ".tsr"}.get(tool)
    if suffix is None:
        return (script,)
    marks = (path.name.removeprefix(BASE).removesuffix(suffix) for path in made.exhibit.glob(f"{BASE}.*{suffix}"))
    return tuple(script.replace(f".1{suffix}", f"{mark}{suffix}") for mark in sorted(marks) if mark.count(".") == 1)


def run(tool: str, made: AttestedCase, home: Path) -> tuple[bool, list[str]]:
    """Whether the tool ended well, and the lines that it printed but for names of attestations."""
    printed: list[str] = []
    for script in scripts(tool, made):
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script],
            cwd=made.exhibit,
            env={**os.environ, "HOME": str(home)},
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )
        if done.returncode != 0:
            return False, printed
        printed += [word for word in done.stdout.splitlines() if not read_name(word)]
    return True, printed


def objections(made: AttestedCase, home: Path, clean: Mapping[str, list[str]]) -> set[str]:
    """The tools that say no, or, where their word is what they print, print something else than on the clean case."""
    found = set()
    for tool in TOOLS:
        ok, printed = run(tool, made, home)
        if not ok or (tool in ("seal noted", "find") and printed != clean[tool]):
            found.add(tool)
    return found


def home_of(made: AttestedCase, folder: Path) -> Path:
    """A home with the files that VERIFY.txt names."""
    folder.mkdir()
    shutil.copy(made.allowed, folder / "allowed_signers")
    shutil.copy(made.authority.root, folder / "authority.pem")
    return folder


def with_strangers(folder: Path) -> AttestedCase:
    """A signed, stamped case, and strangers."""
    one = attested_case(folder)
    new_key(one.folder / "stranger")
    new_authority(one.folder / "stranger-tsa")
    new_authority(one.folder / "expired-tsa", days=(-100, -3), above=one.authority)
    return one


def measured(folder: Path) -> dict[str, set[str]]:
    """Each tampering, and the tools that object."""
    made = with_strangers(folder / "made")
    home = home_of(made, folder / "home")
    clean = {tool: run(tool, made, home) for tool in TOOLS}
    assert all(ok for ok, _ in clean.values()), clean
    printed = {tool: words for tool, (_, words) in clean.items()}
    table = {}
    for number, (name, act) in enumerate(tamperings().items()):
        copy = made.at(Path(shutil.copytree(made.path, folder / str(number))))
        act(copy)
        table[name] = objections(copy, home, printed)
    return table


def as_markdown(table: Mapping[str, set[str]]) -> str:
    """The table as the document has it."""
    rows = ["| tampering | " + " | ".join(TOOLS) + " |", "|---|" + "---|" * len(TOOLS)]
    rows += [
        f"| {name} | {' | '.join('found' if tool in seen else '' for tool in TOOLS)} |" for name, seen in table.items()
    ]
    return "\n".join(rows) + "\n"


def test_the_document_says_what_each_tool_overlooks(tmp_path: Path) -> None:
    """Every cell of the table is what the tool did."""
    section = DOCUMENT.read_text("utf-8").partition(HEADING)[2].partition("\n## ")[0]
    told = "".join(f"{row}\n" for row in section.splitlines() if row.startswith("|"))
    assert told == as_markdown(measured(tmp_path))


def test_a_stamp_over_a_signature_is_checked_by_its_own_command(tmp_path: Path) -> None:
    """As it stands in the text, with the certificate of today."""
    made = attested_case(tmp_path / "made")
    home = home_of(made, tmp_path / "home")
    command = line("ts -verify", "-data tagmanifest-sha256.txt.1.sig ")
    environ = {**os.environ, "HOME": str(home)}
    for expected_ok in (True, False):
        done = subprocess.run(["bash", "-c", command], cwd=made.exhibit, env=environ, capture_output=True, check=False)
        assert (done.returncode == 0) is expected_ok
        path = made.exhibit / FIRST
        path.chmod(0o600)
        path.write_bytes(path.read_bytes() + b"x")


def test_the_first_commands_say_which_key_and_when(tmp_path: Path) -> None:
    """Without any trust: the key's fingerprint, and the authority's time."""
    made = attested_case(tmp_path / "made")
    commands = (line("check-novalidate"), next(one for one in LINES if one.startswith("openssl ts -reply")))
    key, when = (
        subprocess.run(["bash", "-c", one], cwd=made.exhibit, capture_output=True, text=True, check=True).stdout
        for one in commands
    )
    assert 'Good "agentaudit-seal" signature with ED25519 key SHA256:' in key
    assert "Time stamp: " in when


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        sys.stdout.write(as_markdown(measured(Path(place))))
