"""Compiles components from pinned Go modules."""
