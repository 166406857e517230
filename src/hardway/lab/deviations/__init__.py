"""Where a lab node differs from RHCOS, one row each, with the reason."""
