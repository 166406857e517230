"""Every field of install-config.yaml that OpenShift knows on platform none, each with its reason."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from hardway.lines.default import DEFAULT
from hardway.lines.line import Line
from hardway.model.config.fields import content, features, identity, networking, pools
from hardway.model.config.table import FieldRow, Shape, shape_of

_ROWS = (*identity.ROWS, *networking.ROWS, *pools.ROWS, *content.ROWS, *features.ROWS)


def install_config(line: Line) -> tuple[FieldRow, ...]:
    """The fields as one line knows them: the capabilities are its own."""
    words = {
        "capabilities.baselineCapabilitySet": tuple(line.capability_sets),
        "capabilities.additionalEnabledCapabilities[]": line.capabilities,
    }
    return tuple(replace(row, values=words.get(row.path, row.values)) for row in _ROWS)


@cache
def shape(line: Line) -> Shape:
    return shape_of(install_config(line))


INSTALL_CONFIG = install_config(DEFAULT)
