"""From a configuration to a cluster: names, addresses, networks."""
