"""EXTRACT-VERIFY.txt: how to prove with stock tools that an extract's files belong to the sealed original.

- Commands stand alone, indented by four spaces; the tests run those very lines.
- It names the extract's own files and folders, which are neutral, and nothing else of it.
"""

_TEXT = """\
HOW TO CHECK THIS EXTRACT WITHOUT THE PROGRAM THAT MADE IT
==========================================================

This folder holds one session of a sealed exhibit, and no exhibit: the rest stayed with the original. What was left
behind stands in extract.json as numbers. Open a terminal in this folder, and work through the steps in their order:
each rests on the one before. Nothing below writes into the folder. On macOS write shasum -a 256 wherever sha256sum
stands.

1. Nothing but files
--------------------

Prints nothing:

    find . ! -type d ! -type f

2. The seal of the original
---------------------------

    sha256sum tagmanifest-sha256.txt

Compare all 64 digits with the seal that was noted when the exhibit was sealed, or with what the other side states.
If they differ, stop. If no seal was noted outside the reach of whoever holds this folder, and nothing in step 3
holds, the rest shows accidental change and careless editing only.

3. Signatures and time stamps over that seal, where there are any
-----------------------------------------------------------------

ALLOWED is your own file of trusted keys, WHO a name in it, AUTHORITY the certificate as you got it from the authority:

    ssh-keygen -Y verify -f ALLOWED -I WHO -n agentaudit-seal -s tagmanifest-sha256.txt.1.sig < tagmanifest-sha256.txt
    openssl ts -verify -in tagmanifest-sha256.txt.1.tsr -data tagmanifest-sha256.txt -CAfile AUTHORITY

4. The manifest and the tag files belong to that seal
-----------------------------------------------------

Each of these files must be a line of the tag manifest. Prints nothing:

    sha256sum {tags} | grep -F -x -v -f tagmanifest-sha256.txt

5. The payload belongs to the manifest
--------------------------------------

Each file below data/ must be a line of the payload manifest of the original, name and digest. Prints nothing:

    find data -type f -exec sha256sum {{}} + | grep -F -x -v -f manifest-sha256.txt

6. Nothing of this session is missing
-------------------------------------

The original holds the session in these folders and nowhere else. Prints nothing; a name at the left margin is extra,
an indented one is missing:

    d=$(mktemp -d)
    find data -type f | LC_ALL=C sort > "$d/here"
    cut -c 67- manifest-sha256.txt | grep -F {folders} | LC_ALL=C sort > "$d/listed"
    LC_ALL=C comm -3 "$d/here" "$d/listed"

7. What was drawn up for this extract
-------------------------------------

The files in rows/, extract.json and this text are not part of the original: nothing above proves them. rows/ holds
the lines of the original's own tables that are about this session. Whoever has the original can prove them; EXHIBIT
is its folder. Prints nothing:

    for f in rows/*; do grep -F -x -v -f "$EXHIBIT/agentaudit/${{f#rows/}}" "$f"; done

sha256sums.txt lists every file of this folder, for the way from one hand to the next:

    sha256sum --strict --quiet --check sha256sums.txt

What these checks do not see
----------------------------

* Step 5 proves that a file is one of the original's files. That all of them belong to this one session rests on
  their folder names and on rows/items.jsonl.
* What the original says of its own gaps, of other sessions, and of what the source can never show, stayed there, but
  for agentaudit/coverage.json and the lines in rows/.
* None of this tells whether the source told the truth, or gave everything it had. Absence proves nothing.
"""


def verify_text(tags: tuple[str, ...], folders: tuple[str, ...]) -> bytes:
    """The bytes of the text for an extract with these tag files and these folders of payload: ASCII, LF."""
    named = " ".join(f"-e '{folder}'" for folder in folders)
    return _TEXT.format(tags=" ".join(tags), folders=named or "-e ''").encode("ascii")
