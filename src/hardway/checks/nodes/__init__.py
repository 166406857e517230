"""Checks of the machines of a running cluster, each asked on the machine itself."""
