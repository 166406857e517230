"""Drives a cluster to its end, wherever its nodes are: look, decide, act, tell."""
