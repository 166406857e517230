"""What the renders write, file by file."""
