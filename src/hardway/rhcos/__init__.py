"""Stage 09: the image of the release, an installation medium for each machine, and the installation itself."""
