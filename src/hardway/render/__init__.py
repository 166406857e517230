"""Stage 04: the release is read into the cluster's folder, and the machine-config operator renders the nodes' layer."""
