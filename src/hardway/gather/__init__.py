"""What can be seen of a cluster, in one archive without secrets."""
