"""The seventeen stages of the notes: what each builds, verifies and teaches."""
