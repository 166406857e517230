"""hardway install."""
