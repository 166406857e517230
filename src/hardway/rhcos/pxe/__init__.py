"""Network boot of RHCOS."""
