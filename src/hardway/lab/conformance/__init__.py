"""Kubernetes' own conformance tests, against a lab that is up."""
