"""Release lines: what is true of one minor version of OpenShift alone, a folder for each line."""
