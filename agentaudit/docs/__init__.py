"""The documents that explain a package and are shipped with the program; `agentaudit docs NAME` prints them."""
