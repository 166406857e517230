"""Checks of a cluster's objects, as its API or an archive has them."""
