"""The known switches that settings files of agents set: what readers of stores and of telemetry share."""
