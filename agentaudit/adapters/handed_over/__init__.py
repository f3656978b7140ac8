"""Files that were handed over: what is denied, how they are named, and the ground of every reading of them."""
