"""The name that the machine-config controller gives to a pool's rendered config: a hash of its content.

The controller hashes the spec as Go's encoder writes it. Two renders of the same content have the same name, whoever
made them; one different byte gives another name.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import md5
from typing import Any

from hardway.emit import goyaml
from hardway.lines.sources import source

SOURCE = source("machine-config-operator", "pkg/controller/render/hash.go")
SALT = bytes.fromhex(
    "107ccee48b38afaf4fe586769d9ad36e195d2ffdac6a2507ae0da0b96e115734db830cceda8d7487bcb5c097e93e7ea5"
    "4053b3770fa8d0c5926b3ae385bcee1a211aebca20ad1fea2990944f06ce1716"
)


def rendered_name(pool: str, spec: Mapping[str, Any]) -> str:
    content = SALT + goyaml.dump(spec).encode()
    return f"rendered-{pool}-{md5(content, usedforsecurity=False).hexdigest()}"
