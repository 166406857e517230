"""Every field of install-config.yaml that OpenShift 4.18 knows on platform none, each with its reason."""

from __future__ import annotations

from hardway.model.config.fields import content, features, identity, networking, pools
from hardway.model.config.table import shape_of

INSTALL_CONFIG = (*identity.ROWS, *networking.ROWS, *pools.ROWS, *content.ROWS, *features.ROWS)
SHAPE = shape_of(INSTALL_CONFIG)
