"""Verification: every check reads the world, and none asks the builder."""
