"""One session taken out of a sealed exhibit, for a hand-over without the rest.

- Its files lie under their original paths, byte for byte; the original's manifests and what attests them come along.
  So `sha256sum` and `grep` prove that each file belongs to the sealed original, without this program.
- Nothing of another session comes along but neutral names and digests, in the manifests.
- An extract is no exhibit: it has no seal of its own, and says whose it rests on.
"""
