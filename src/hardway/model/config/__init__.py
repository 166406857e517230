"""install-config.yaml: read, checked and explained field by field."""
