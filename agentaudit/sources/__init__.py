"""What can be read: each source yields questions and gaps, and writes nothing."""
