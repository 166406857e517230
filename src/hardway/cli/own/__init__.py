"""A cluster on machines of its owner's: up, run, exec, logs, kubectl."""
