"""What the files and folders of a cluster's folder are called."""

from __future__ import annotations

INSTALL_CONFIG = "install-config.yaml"
HOSTS = "hosts.yaml"
SETTINGS = "hardway.yaml"
YOURS = "manifests"  # the user's own documents
ASSETS = "assets"
RELEASE = "release"  # below assets: what stage 04 read
MCO = "mco"  # below assets: where stage 04 puts MCO's render
VERIFIED = ".verified.json"  # below assets: what was verified, for `hardway status`
CRDS = "crds"  # below assets: where stage 04 puts the release's CRDs
