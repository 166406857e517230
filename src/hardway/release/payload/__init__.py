"""A release's payload: its manifests, images and gates."""
