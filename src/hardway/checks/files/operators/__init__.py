"""Checks of what the operators of a release need."""
