"""Reads the reasons: by address, by file, by line."""
