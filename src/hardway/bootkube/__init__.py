"""bootkube taken apart: its stages as rows, each of which can be read, run alone, and run again."""
