"""What openshift-install writes for the same install-config, what is different here, and why."""
