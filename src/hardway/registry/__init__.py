"""Reading images from a registry, an OCI folder or an archive: every byte checked against its digest."""
