"""The pages from a server of this machine, for this machine: with commands to run, and stages that change meanwhile."""
