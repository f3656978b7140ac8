"""The transcript of one session as a working copy for reading: content, with provenance, losses and the way back.

- A working copy is never evidence: it says so in its first line, and lies outside every exhibit.
- It is drawn from the raw pages of an exhibit that was verified just before; the same exhibit gives the same bytes.
- Calls and results are joined by tool-use id alone; what cannot be joined so stays unjoined, and that is said.
"""
