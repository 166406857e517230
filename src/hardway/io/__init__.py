"""Files on disk: written whole, locked, remembered."""
