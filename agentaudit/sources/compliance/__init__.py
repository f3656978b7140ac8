"""The compliance API as a source: walks without I/O, a pure policy, a pure budget, and the one transport."""
