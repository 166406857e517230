"""What a machine's console says, and what it means."""
