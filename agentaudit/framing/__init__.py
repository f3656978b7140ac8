"""The check of JSON Lines files: reads files, pipes and compressed texts, and uses every core for the large ones.

- A file is read once: the bytes that are judged are the bytes that are hashed.
- A large file is taken in turns by processes that read, hash and judge their own blocks, where that can be; else one
  process reads and hashes everything, and others judge with it.
- Memory is bounded whatever the size: a few slots, and one line.
- A stream that is broken, bombed or cut is a finding about it; a file that cannot be read is said and the others go on.
"""
