"""What a log shows: words of components, and the failure mode that they stand for."""
