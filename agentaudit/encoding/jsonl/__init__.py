"""JSON Lines: where each physical line begins and ends, and whether it is one complete JSON object.

- Lines are split at 0x0A and nowhere else; bytes are never changed, values never converted.
- The grammar is RFC 8259 over UTF-8 (RFC 3629); nesting is judged to 1,024 levels.
- The fast parser only says yes; whatever it refuses is decided by the exact reader.
- The answer depends on the bytes alone: not on the chunks, the locale, the engine or the number of processes.
"""
