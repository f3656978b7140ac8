"""bag-info.txt: a fold of the journal, and read strictly (RFC 8493, section 2.2.2; FORMAT.md, section 2.2).

- One `Label: value` a line; labels and their order are fixed by this format.
"""

import re

from agentaudit.format.bagit import bag_info, payload_oxum
from agentaudit.model.tagfiles import PackageFile

_LINE = re.compile(r"([A-Z][A-Za-z0-9]*(?:-[A-Z][A-Za-z0-9]*)*): (\S[^\x00-\x1f\x7f]*)\Z")

OXUM = "Payload-Oxum"


def package_info(package: PackageFile) -> bytes:
    """The bytes of bag-info.txt, from package.json."""
    counts = package.counts
    return bag_info(
        (
            ("External-Identifier", f"{package.case}/{package.exhibit}"),
            ("Bagging-Date", package.ended_at[:10]),
            (OXUM, payload_oxum(counts.payload_bytes, counts.items)),
            ("Bag-Software-Agent", f"{package.tool.name} {package.tool.version}"),
            ("Agentaudit-Format", package.format),
            ("Agentaudit-Endpoint-Class", package.endpoint_class),
            ("Agentaudit-Outcome", package.outcome),
        )
    )


def read_bag_info(octets: bytes) -> tuple[tuple[str, str], ...] | None:
    """The labels and values in their order; None when any line is not of our form."""
    try:
        text = octets.decode()
    except UnicodeDecodeError:
        return None
    *lines, rest = text.split("\n")
    rows = tuple(match.groups() for line in lines if (match := _LINE.match(line)))
    if rest or len(rows) != len(lines):
        return None
    return tuple((str(label), str(words)) for label, words in rows)
