"""Ours against the bootstrap.ign that openshift-install wrote."""
