"""The package format, version 1: pure, bytes and values, no I/O, no clock. FORMAT.md is its text."""
