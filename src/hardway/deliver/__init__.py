"""Hands each machine its Ignition file once, over TLS."""
