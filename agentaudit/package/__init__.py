"""Packages on disk: one writer, one reader, one pure check. No source is named here."""
