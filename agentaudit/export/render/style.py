"""The style sheet of the HTML page, and the policy that lets nothing else act.

- One sheet, known to the policy by its digest: no other style, no script, no image, no font, no connection.
- Black on white; lines and weight instead of colour, so that paper loses nothing.
"""

from base64 import b64encode
from hashlib import sha256

STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
html { font: 15px/1.5 Charter, "Bitstream Charter", Georgia, "Liberation Serif", serif; color: #111; background: #fff; }
body { max-width: 60rem; margin: 2.5rem auto 5rem; padding: 0 1.5rem; overflow-wrap: break-word; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 3rem 0 .8rem; padding-top: .7rem; border-top: 2px solid #111; }
h3 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
p { margin: .6rem 0; max-width: 44rem; }
.attention { border: 3px solid #111; padding: .6rem .9rem; font-weight: bold; max-width: none; }
nav ol { margin: .4rem 0; padding-left: 1.4rem; columns: 2; }
nav li { margin: 0; padding: .15rem 0; }
a { color: #0b3d7a; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 1.4rem; font: .78rem/1.4 "Helvetica Neue", Arial,
  "Liberation Sans", sans-serif; font-variant-numeric: tabular-nums; }
table.pairs { font: inherit; font-size: .95rem; border-top: 1px solid #999; margin: .6rem 0 1rem; }
table.pairs th { width: 27%; font-weight: normal; color: #333; border-bottom: 1px solid #ccc; padding-right: 1rem; }
tr.blank { height: 2.6rem; }
tr.blank td { border-bottom: 1px solid #111; }
caption { text-align: left; font-weight: bold; padding-bottom: .3rem; }
th, td { text-align: left; vertical-align: top; padding: .28rem .6rem .28rem 0; border-bottom: 1px solid #ccc;
  overflow-wrap: anywhere; }
th { border-bottom: 1.5px solid #111; overflow-wrap: normal; hyphens: none; }
tr.group td { border-top: 1.5px solid #777; font-weight: bold; }
td.word { overflow-wrap: normal; }
.number { text-align: right; padding-right: 1.1rem; }
td.number { white-space: nowrap; }
td span { display: block; }
b.whole { font-weight: inherit; white-space: nowrap; }
code { font: .92em/1.35 ui-monospace, "DejaVu Sans Mono", "Liberation Mono", Menlo, Consolas, monospace;
  overflow-wrap: anywhere; }
td code { font-size: .86em; }
pre { margin: .4rem 0 .6rem; padding-left: 1.5rem; white-space: pre-wrap; }
ul { margin: .4rem 0; padding-left: 1.4rem; max-width: 44rem; }
li { margin: .25rem 0; }
figure { margin: 1.2rem 0; break-inside: avoid; }
figure svg { width: 100%; height: auto; display: block; }
figcaption { font-size: .85rem; color: #333; max-width: 44rem; }
.more td { font-style: italic; }
footer { margin-top: 3rem; border-top: 1px solid #999; padding-top: .5rem; font-size: .85rem; }
@media screen and (max-width: 50rem) { th, td.word { overflow-wrap: anywhere; } }
@page { size: A4; margin: 18mm 16mm 18mm 18mm;
  @bottom-right { content: "page " counter(page) " of " counter(pages); font: 8pt Arial, sans-serif; } }
@media print {
  html { font-size: 10pt; }
  body { max-width: none; margin: 0; padding: 0; }
  h1, h2, h3, caption { break-after: avoid; }
  h2.page { break-before: page; margin-top: 0; }
  thead { display: table-header-group; }
  thead { break-after: avoid; }
  table.short { break-inside: avoid; }
  tr, figure, .attention, pre { break-inside: avoid; }
  table { font-size: 7.6pt; }
  table.pairs { font-size: 9.5pt; }
  a { color: inherit; text-decoration: none; }
  p { orphans: 3; widows: 3; }
}
"""

DEMONSTRATION = """
@page { @top-left { content: "DEMONSTRATION. Not evidence."; font: bold 9pt Arial, sans-serif; } }
"""


def policy(style: str) -> str:
    """The content security policy of a page whose one style element holds exactly this text."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
