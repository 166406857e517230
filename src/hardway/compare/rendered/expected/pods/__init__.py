"""Pod fields that differ."""
