"""Facts of this machine."""
