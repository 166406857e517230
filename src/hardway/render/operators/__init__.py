"""What each operator renders for the bootstrap node."""
