"""hardway.yaml: how this tool works."""
