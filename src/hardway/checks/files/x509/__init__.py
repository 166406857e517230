"""Checks of keys, certificates and bundles."""
