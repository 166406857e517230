"""OpenShift the hard way: every artifact of a cluster, made by hand and explained."""

__version__ = "0.2.0"
