"""Machines of their owner's: reached by ssh, switched by a person, behind a load balancer that somebody else runs."""
