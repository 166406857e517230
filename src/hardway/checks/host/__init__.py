"""Checks of the machine that is to carry the cluster: stage 01."""
