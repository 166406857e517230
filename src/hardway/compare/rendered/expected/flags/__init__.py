"""Flags that differ."""
