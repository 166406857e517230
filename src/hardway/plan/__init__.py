"""Stage 03: the plan that every later stage reads, and a map of all that will be made."""
