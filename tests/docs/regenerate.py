"""`python -m tests.docs.regenerate`: write the help blocks of README.md and docs/commands.md anew.

- The order is that of the program; what stands before the first block and behind the last one stays.
"""

import sys

from tests.docs.test_readme import BLOCK, NAMES, ROOT, said


def main() -> int:
    """Write both documents; 0."""
    for document, names in (("README.md", ("",)), ("docs/commands.md", tuple(name for name in NAMES if name))):
        path = ROOT / document
        text = path.read_text("utf-8")
        found = list(BLOCK.finditer(text))
        blocks = "\n\n".join(_block(name) for name in names)
        path.write_text(text[: found[0].start()] + blocks + text[found[-1].end() :], encoding="utf-8")
    return 0


def _block(name: str) -> str:
    words = f"agentaudit {name} --help" if name else "agentaudit --help"
    return f"`$ {words}`\n\n```text\n{said(name).rstrip()}\n```"


if __name__ == "__main__":
    sys.exit(main())
