"""The release that the lab runs, made from pinned Go modules."""
