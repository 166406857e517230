"""The Ignition files of masters and workers, on top of MCO's render."""
