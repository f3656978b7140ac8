"""Exporting: verified exhibits to the manifest of a case file. Exhibits are read, never changed.

- Values in, bytes out: renderings are pure; what reads folders and what writes them stand at the two ends.
- The same exhibits and the same custody head give the same bytes; the custody row about an export comes after it.
"""
