"""One complete file per node, as a machine reads it at first boot (stage 08)."""
