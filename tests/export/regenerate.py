"""`python -m tests.export.regenerate` writes the shipped schemas of exports anew from the types."""

from importlib import resources
from pathlib import Path

from agentaudit.export.schemas import schema, schema_file, schema_names

SHIPPED = Path(str(resources.files("agentaudit.export"))) / "schemas"


def main() -> None:
    """Write each schema to its file."""
    for name in schema_names():
        (SHIPPED / schema_file(name)).write_bytes(schema(name))


if __name__ == "__main__":
    main()
