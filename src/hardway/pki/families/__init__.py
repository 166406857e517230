"""The certificate table, family by family."""
