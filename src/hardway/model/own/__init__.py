"""The documents of the user's folder `manifests/`: read, split, judged."""
