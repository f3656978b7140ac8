"""The execution bridge as a source: its requests, its walks, its policy, its pacing."""
