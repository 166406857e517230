"""The seventeen stages: what each builds, verifies and teaches."""
