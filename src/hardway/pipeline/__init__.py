"""Runs stages: what is wanted, what was made, how far it is."""
