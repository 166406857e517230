"""Signatures of releases."""
