"""What the operators render for the same cluster, what is different in what is written by hand, and why."""
