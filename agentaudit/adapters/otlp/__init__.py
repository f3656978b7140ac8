"""OpenTelemetry output of coding agents, as it reaches the disk: bytes to events and streams, without content."""

ADAPTER = "otlp/1"
