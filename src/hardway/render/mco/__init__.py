"""MCO's two-step render of the nodes' layer."""
