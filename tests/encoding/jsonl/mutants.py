"""JSON texts, and texts that are nearly JSON: what a byte less, more or other makes of them."""

import json

from hypothesis import strategies as st

DOCUMENTS = (
    b'{"a":1,"b":[1.5,-0,2e10,true,false,null,"x\\n\\u12ab\xc3\xa9"],"c":{}}',
    b'{"type":"user","message":{"role":"user","content":[{"type":"text","text":"a \\"b\\" \\\\ c"}]},"n":-12.5E-7}',
    b'[ { "a" : [ ] } , [ [ ] ] , "\\ud83d\\ude00" ]',
    b'{"type":"t","type":"u","big":18446744073709551615,"deep":[[[[{"k":[]}]]]]}',
    '{"type":"é\u2028","emoji":"\U0001f600\U0001f600","":""}'.encode(),
    b"{}",
    b'{"type":1}',
    b'{"text":"\\ud83d","n":99999999999999999999999}',
)
_BYTES = st.sampled_from(
    [bytes([byte]) for byte in b'{}[]",:01-+.eE\\u tfnaN/\x00\r\t\x1f\x7f\x80\xc3\xe2\xed\xf0\xff']
)


@st.composite
def mutants(draw: st.DrawFn) -> bytes:
    """A document of the list with up to three bytes taken out, put in or changed, or its end cut off."""
    text = draw(st.sampled_from(DOCUMENTS))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        act = draw(st.sampled_from(("drop", "put", "change", "cut", "double")))
        if act == "cut":
            text = text[:at]
        elif act == "double":
            text = text[:at] + text
        else:
            byte = b"" if act == "drop" else draw(_BYTES)
            text = text[:at] + byte + text[at + (act != "put") :]
    return text


def json_values() -> st.SearchStrategy[bytes]:
    """Any JSON value as its UTF-8 text, in the one or the other style of spaces."""
    scalars = (
        st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(max_size=8)
    )
    values = st.recursive(
        scalars.filter(lambda one: one not in (float("inf"), float("-inf"))),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
        max_leaves=12,
    )
    return st.builds(_dumped, values, st.sampled_from(((",", ":"), (", ", ": "))), st.booleans())


def _dumped(value: object, separators: tuple[str, str], ascii_only: bool) -> bytes:
    return json.dumps(value, separators=separators, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
