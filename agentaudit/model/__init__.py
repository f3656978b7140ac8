"""The frozen values of the domain: nothing here reads, writes, or knows the time."""
