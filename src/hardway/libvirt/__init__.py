"""A cluster's network, storage and machines in libvirt: wanted as pure functions, seen through virsh, compared."""
