"""The differences from openshift-install that are meant, each with its reason."""
