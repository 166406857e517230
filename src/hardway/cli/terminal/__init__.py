"""The terminal: what is printed there, its width and colour, and what moves. Commands say what happens."""
