"""Checks of names, ports and the load balancer."""
