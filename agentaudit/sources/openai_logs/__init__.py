"""OpenAI's Compliance Logs Platform as a source: its requests, its walks, its policy, the signed address of a file."""
