"""Failures to plant in a running lab of one master and one worker, each with its undoing."""
