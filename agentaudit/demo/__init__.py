"""The synthetic world: an in-memory organisation that answers as the compliance API documents it.

Laws:
    - It needs no other part of the program, so that a fault of the program cannot hide in its own mirror.
    - Everything it says is determined by its seed, its clock and the order of the requests.
    - Where the documentation is silent, the choice made here is named in the docstring that makes it.
"""
