"""hardway release and its sub-commands."""
