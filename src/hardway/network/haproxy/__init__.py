"""HAProxy's configuration: written, read, and changed at run time."""
