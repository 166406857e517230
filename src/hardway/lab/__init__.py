"""A cluster of booted nodes on one machine, and the release of our own that it runs."""
