"""Checks of files: whatever made them, they are read back from a folder."""
