"""VERIFY.txt: how to check a package with stock tools, without trust in the program that made it.

- The same bytes in every package of one version of the program; nothing in it depends on the package.
- The order is that of an investigator: seal, attestations, tag files, payload, what should not be there.
- Commands stand alone, indented by four spaces; the tests run those very lines.
"""

_TEXT = """\
HOW TO CHECK THIS PACKAGE WITHOUT THE PROGRAM THAT MADE IT
==========================================================

Open a terminal in the folder that holds this package's bagit.txt. Work through the steps in their order: each
rests on the one before. Nothing below writes into the package. Read "What these checks do not see" at the end.

1. The seal
-----------

The seal is the SHA-256 of the file tagmanifest-sha256.txt. It is not written in this package. It was printed
when the package was sealed and stands in the custody log of its case; it should also stand in the case notes,
on the custody form, or wherever it was noted outside the reach of whoever holds this folder.

Linux:

    sha256sum tagmanifest-sha256.txt

macOS:

    shasum -a 256 tagmanifest-sha256.txt

Windows PowerShell:

    (Get-FileHash -Algorithm SHA256 tagmanifest-sha256.txt).Hash.ToLower()

Compare all 64 digits with the noted seal. If they differ, stop: this is not the package that was noted. If no
seal was noted elsewhere, the rest shows accidental change and careless editing, and nothing more: whoever
can write to this folder can also make all of its manifests anew.

2. Signatures and time stamps, where there are any
--------------------------------------------------

Whom you trust is yours to say. Nothing that lies in or beside this package can be trusted for that: the files
that the commands name after ~ are your own. For .1. in a command put the number of the file that is there.

Files named tagmanifest-sha256.txt.1.sig, .2.sig and so on are SSH signatures over tagmanifest-sha256.txt, in
the namespace agentaudit-seal. The first command says by which key, and not whose it is. The others say whose:
~/allowed_signers is your file of trusted keys, one "name key-type key" a line, as ssh-keygen(1) describes it.

    ssh-keygen -Y check-novalidate -n agentaudit-seal -s tagmanifest-sha256.txt.1.sig < tagmanifest-sha256.txt
    WHO=$(ssh-keygen -Y find-principals -f ~/allowed_signers -s tagmanifest-sha256.txt.1.sig | head -n 1)
    ssh-keygen -Y verify -f ~/allowed_signers -I "$WHO" -n agentaudit-seal -s tagmanifest-sha256.txt.1.sig < tagmanifest-sha256.txt

Files named tagmanifest-sha256.txt.1.tsr and so on are RFC 3161 time stamps over the same file, those named
tagmanifest-sha256.txt.1.sig.1.tsr over that signature; the certificates that came with each lie beside it as
.pem. The first command says when, by the authority's clock. ~/authority.pem is the authority's certificate, or
that of one above it, as you got it from the authority itself. OpenSSL is needed, LibreSSL will not do.

    openssl ts -reply -in tagmanifest-sha256.txt.1.tsr -text
    openssl ts -verify -in tagmanifest-sha256.txt.1.tsr -data tagmanifest-sha256.txt -CAfile ~/authority.pem -partial_chain -untrusted tagmanifest-sha256.txt.1.tsr.pem
    openssl ts -verify -in tagmanifest-sha256.txt.1.sig.1.tsr -data tagmanifest-sha256.txt.1.sig -CAfile ~/authority.pem -partial_chain -untrusted tagmanifest-sha256.txt.1.sig.1.tsr.pem

These judge the certificate as of today. One that has expired since was valid when it stamped if this says OK:

    AT=$(date -u -d "$(openssl ts -reply -in tagmanifest-sha256.txt.1.tsr -text | sed -n 's/^Time stamp: //p')" +%s)
    openssl ts -verify -in tagmanifest-sha256.txt.1.tsr -data tagmanifest-sha256.txt -CAfile ~/authority.pem -partial_chain -untrusted tagmanifest-sha256.txt.1.tsr.pem -attime "$AT"

(date -d is GNU's; on macOS give the seconds since 1970 of that time by hand.)

3. The tag files
----------------

Each line must end in OK, and the command must end with status 0. Linux:

    sha256sum --strict --check tagmanifest-sha256.txt

macOS:

    shasum -a 256 --check tagmanifest-sha256.txt

4. The payload
--------------

Linux (prints only what is wrong):

    sha256sum --strict --quiet --check manifest-sha256.txt

macOS:

    shasum -a 256 --check manifest-sha256.txt

A package without any payload has an empty manifest, and both tools complain that it holds no lines.

Windows PowerShell, steps 3 and 4 together (prints only what is wrong):

    Get-Content tagmanifest-sha256.txt, manifest-sha256.txt | ForEach-Object { $n = $_.Substring(66); if ((Get-FileHash -Algorithm SHA256 -LiteralPath $n).Hash -ne $_.Substring(0, 64)) { "DIFFERS $n" } }

5. What should not be there
---------------------------

Steps 3 and 4 look only at files that are listed. These commands look for the others. Linux and macOS: the
first two must print nothing, the last nothing but the files of step 2. A name at the left margin is extra, an
indented one is missing.

    find . ! -type d ! -type f
    find . -type d -empty
    d=$(mktemp -d)
    find . ! -type d | sed 's,^\\./,,' | LC_ALL=C sort > "$d/there"
    { cut -c 67- manifest-sha256.txt; cut -c 67- tagmanifest-sha256.txt; echo tagmanifest-sha256.txt; } | LC_ALL=C sort > "$d/listed"
    LC_ALL=C comm -3 "$d/there" "$d/listed"

Windows PowerShell:

    $l = @('tagmanifest-sha256.txt') + (Get-Content tagmanifest-sha256.txt, manifest-sha256.txt | ForEach-Object { $_.Substring(66) })
    $t = Get-ChildItem -Recurse -File -Force | ForEach-Object { $_.FullName.Substring($PWD.Path.Length + 1).Replace('\\', '/') }
    Compare-Object $l $t -CaseSensitive

6. The same by an independent program
-------------------------------------

This package is a bag of BagIt 1.0 (RFC 8493). The Library of Congress' validator, bagit-python, checks it:

    bagit.py --validate .

What these checks do not see
----------------------------

* sha256sum and shasum look only at listed files: an extra file passes steps 3 and 4. --ignore-missing would
  hide removed files: do not use it. Both wait for ever on a named pipe: run the first command of step 5 before
  steps 3 and 4 on a package that you do not trust.
* bagit.py, by the rules of the RFC, accepts a bag whose tag manifest was removed, one whose SHA-256 manifests
  were replaced by MD5 alone, extra files outside data/, and empty folders. Step 5 finds the extra files and
  folders; step 1 finds the others.
* A signature or a time stamp that was removed leaves no trace here, and neither does one that was put beside the
  others: step 5 prints their names whatever they hold. The custody log of the case says which were made.
* A .pem beside a time stamp is not compared with the certificates in it, and a changed one can pass.
* find and comm are led astray by names with line breaks. No name in this format holds one.
* None of this tells whether the journal, the walks and the readings in agentaudit/ agree with the payload.
  agentaudit/FORMAT.md says exactly how they follow from it, so that anybody can write such a check;
  `agentaudit verify` is one.
* None of this tells whether the source told the truth, or gave everything it had. What is known to be missing
  stands in agentaudit/gaps.jsonl, what is known to be shortened in agentaudit/truncations.jsonl, and what this
  kind of source can never show in agentaudit/coverage.json. Absence of a row proves nothing.

`openssl dgst -sha256 FILE` gives the same digests and is often several times faster than sha256sum.
"""  # noqa: E501 - a command stands on one line, so that it can be copied whole


def verify_text() -> bytes:
    """The bytes of VERIFY.txt: ASCII, LF, lines of commands unbroken."""
    return _TEXT.encode("ascii")
