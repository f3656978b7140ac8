"""What the program costs, held against stock tools: `python -m benchmarks`, one module a benchmark.

- Every server is a process of its own on loopback, bounded in time, ended by its own id.
- Contestants take turns (A B A B) in one run, after a round that is not counted; a ratio is taken within a round.
- A miss is printed and is no failure, unless `--strict` says so. No test ever looks at a time.
"""
