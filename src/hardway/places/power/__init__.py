"""Who switches machines on and off: a BMC, libvirt, or a person."""
