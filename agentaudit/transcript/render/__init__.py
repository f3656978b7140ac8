"""The renderings of a copy: pure functions, one module a format; none of them opens a file or knows a clock."""
