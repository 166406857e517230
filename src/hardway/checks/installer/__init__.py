"""A folder of openshift-install: what it wrote, before the machines have it."""
