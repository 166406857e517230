"""Bytes out."""
