"""The command line: the only floor that knows typer, rich, the environment, the standard streams and exit."""
