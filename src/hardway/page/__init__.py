"""A cluster's folder as pages for a browser: the guide with its own values, every artifact with its reasons."""
