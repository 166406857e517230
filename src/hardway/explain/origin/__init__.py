"""Which lines of the user's files decide a value: found by experiment, not by annotation."""
