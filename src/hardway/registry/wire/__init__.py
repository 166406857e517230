"""HTTP to a registry."""
