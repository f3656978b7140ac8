"""JSON Schemas from our own types."""

import json

import jsonschema
import pytest

from agentaudit.encoding.canonical import encode
from agentaudit.encoding.schemas import schema_of
from agentaudit.model.limits import ByteLimits


def test_a_schema_says_what_the_strict_reader_says() -> None:
    """It takes our value, and no member beyond its type."""
    schema = json.loads(schema_of(ByteLimits, "limits"))
    jsonschema.Draft202012Validator.check_schema(schema)
    value = json.loads(encode(ByteLimits()))
    jsonschema.validate(value, schema)
    for member in ({"more": 1}, {"tool_input_max_bytes": "1"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**value, **member}, schema)
    assert schema["title"] == "limits"


def test_its_bytes_are_the_same_on_every_run() -> None:
    """Sorted, indented, one LF at the end."""
    octets = schema_of(ByteLimits, "limits")
    assert octets == schema_of(ByteLimits, "limits")
    assert octets.endswith(b"}\n")
    assert octets.splitlines()[1].startswith(b'  "$')
