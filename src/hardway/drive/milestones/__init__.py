"""What a cluster reaches on its way, in order."""
