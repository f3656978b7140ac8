"""JSON Schemas (2020-12) from our own types.

- A schema says what the strict reader says: the same types, no key beyond them.
- The bytes are the same on every run: keys sorted, two spaces, one LF at the end.
"""

import msgspec

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_of(kind: object, title: str) -> bytes:
    """The schema of a `Frozen` class or of a union of them, as an indented JSON document."""
    schema = {**msgspec.json.schema(kind), "$schema": _DIALECT, "title": title}
    encoded = msgspec.json.Encoder(order="sorted").encode(schema)
    return msgspec.json.format(encoded, indent=2) + b"\n"
