"""Bounded fuzzing: honest samples, broken in ten thousand ways, read by a child with little memory."""
