"""Bytes and values: the only floor that uses msgspec.json and orjson."""
