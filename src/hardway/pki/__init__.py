"""Every key, certificate and bundle of the cluster (stage 05)."""

import warnings

# The node-bootstrapper's name is longer than X.509 would have it, and must be: no news each time it is read.
warnings.filterwarnings("ignore", message="Attribute's length must be")
