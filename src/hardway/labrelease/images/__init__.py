"""Packs compiled components as OCI images, reproducibly."""
