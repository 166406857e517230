"""The load balancer on a libvirt host: HAProxy and its addresses, as systemd services with the cluster's name."""
