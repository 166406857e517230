"""User and password before a host, in the name of an image. Names are printed; passwords must not be."""

from __future__ import annotations

import re

_AT = re.compile(r"@(?!sha[0-9]+:)")  # the only other use of @ is before a digest


def names_user(name: str) -> bool:
    return _AT.search(name) is not None
