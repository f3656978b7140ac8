"""transcript-<session>.html: the copy as one self-contained page, to be read on a screen and on paper.

- No script, no outside reference, a policy that forbids both; links lead inside the page only.
- Every text is escaped and made visible; a text of the transcript stands in a box of its own, so that it cannot be
  taken for a word of the program.
"""

from collections.abc import Iterator

from agentaudit.export.render.as_html import html
from agentaudit.export.render.markup import attribute, isolated
from agentaudit.export.render.style import DEMONSTRATION, STYLE, policy
from agentaudit.transcript.opening import Copy
from agentaudit.transcript.render.as_markdown import text_lines
from agentaudit.transcript.render.front import back, front, title
from agentaudit.transcript.telling import Facts, Passage, Told, tell

READING = """
article { margin: 2rem 0; padding-top: .5rem; border-top: 1px solid #777; }
article h3 { margin: .2rem 0 .3rem; }
article.user h3 { border-left: .5rem solid #111; padding-left: .5rem; }
article.assistant h3 { border-left: .5rem double #777; padding-left: .5rem; }
article.lost { border: 2px dashed #111; padding: .5rem .8rem; }
article.part { border-top: 3px solid #111; }
article.aside h3, article.part h3 { font-weight: normal; font-size: .9rem; }
article.aside { margin: .5rem 0; border-top: 1px dotted #999; color: #333; }
section { margin: 1rem 0 1rem 1.2rem; }
section h4 { margin: 0 0 .2rem; font-size: .95rem; }
.facts { font: .72rem/1.4 "Helvetica Neue", Arial, "Liberation Sans", sans-serif; color: #333; margin: .2rem 0;
  max-width: none; overflow-wrap: anywhere; }
.facts span { margin-right: 1.2em; }
.label { font-size: .8rem; color: #333; margin: .5rem 0 .1rem; }
pre.said { margin: .2rem 0 .5rem; padding: .5rem .7rem; border: 1px solid #999; background: #f7f7f5;
  white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; unicode-bidi: plaintext;
  font: .8rem/1.45 ui-monospace, "DejaVu Sans Mono", "Liberation Mono", Menlo, Consolas, monospace; }
.mark { display: inline-block; border: 2px solid #111; padding: .1rem .5rem; margin: .3rem .5rem .3rem 0;
  font: bold .78rem/1.4 "Helvetica Neue", Arial, "Liberation Sans", sans-serif; max-width: none; }
.leads { font-size: .85rem; }
:target { outline: 3px solid #777; outline-offset: .3rem; }
@media print { article h3, section h4, .facts, .label { break-after: avoid; } pre.said { background: none; }
  .mark { break-inside: avoid; } }
"""


def render_html(copy: Copy) -> Iterator[bytes]:
    """The page, piece by piece."""
    for piece in _page(copy):
        yield piece.encode()


def _page(copy: Copy) -> Iterator[str]:
    style = STYLE + READING + (DEMONSTRATION if copy.head.attention else "")
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(style)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{attribute(title(copy.head))}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
    )
    for block in front(copy.head):
        yield from html(block)
    for one in tell(copy.pieces()):
        yield from _piece(one)
    for block in back(copy.head):
        yield from html(block)
    yield "</main>\n</body>\n</html>\n"


def _piece(one: Told) -> Iterator[str]:
    anchor = f' id="{one.anchor}"' if one.anchor else ""
    yield f'<article class="{one.kind}"{anchor}>\n<h3>{isolated(one.heading)}</h3>\n'
    yield _marks(one.marks)
    for passage in one.passages:
        yield from _passage(passage)
    yield _facts(one.facts)
    yield "</article>\n"


def _passage(passage: Passage) -> Iterator[str]:
    yield f'<section id="{passage.anchor}">\n<h4>{isolated(passage.heading)}</h4>\n'
    for label, text in passage.texts:
        yield f'<p class="label">{isolated(label)}</p>\n' if label else ""
        yield '<pre class="said">'
        # The line feed after the tag is not part of the text (HTML, section 13.1.2.5).
        yield "".join(f"\n{attribute_line(line)}" for line in text_lines(text))
        yield "</pre>\n"
    yield _marks(passage.marks)
    yield _leads(passage.leads)
    yield _facts(passage.facts)
    yield "</section>\n"


def attribute_line(line: str) -> str:
    """A line that was made visible before, escaped; its tabs stay."""
    return "\t".join(attribute(part) for part in line.split("\t"))


def _facts(facts: Facts) -> str:
    if not facts:
        return ""
    spans = "".join(f"<span>{isolated(name)}: <code>{isolated(text)}</code></span> " for name, text in facts)
    return f'<p class="facts">{spans}</p>\n'


def _marks(marks: tuple[str, ...]) -> str:
    return "".join(f'<p class="mark">{isolated(mark)}</p>\n' for mark in marks)


def _leads(leads: Facts) -> str:
    if not leads:
        return ""
    words = (f'<a href="#{anchor}">{isolated(text)}</a>' if anchor else isolated(text) for text, anchor in leads)
    return f'<p class="leads">{" ".join(words)}</p>\n'
