"""The documents that are applied to the cluster (stage 07), one module a family."""
