"""The release image's manifests."""
