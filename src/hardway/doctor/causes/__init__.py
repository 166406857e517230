"""What explains what, as a table."""
