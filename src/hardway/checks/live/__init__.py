"""Checks of a running cluster, seen from outside: stage 17."""
