"""Checks of the cluster manifests."""
