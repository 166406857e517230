"""What the machines stand on: network, load balancer, DNS, virtual machines, and the image they are installed from."""
