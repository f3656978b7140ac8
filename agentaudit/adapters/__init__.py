"""Other people's formats, each read by a pure and tolerant module of a stated version: bytes to facts."""
