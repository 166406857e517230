"""Names, ports and the load balancer of a cluster."""
