"""The nouns. Nothing here reads or writes the world."""
