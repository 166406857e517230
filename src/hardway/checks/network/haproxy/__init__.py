"""Checks of a haproxy.cfg that somebody wrote."""
