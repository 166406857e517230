"""hardway lab and its sub-commands."""
