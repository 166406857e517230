"""Checks of the nodes' Ignition files."""
