"""Who connects where, as whom, trusting whom (stage 06)."""
