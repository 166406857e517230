"""The identity that new nodes share: until when they can ask with it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from cryptography.x509 import load_pem_x509_certificate

from hardway.io import links
from hardway.model.entropy import SystemEntropy

JOINING = "tls/kubelet-client.crt"


def ends(assets: Path) -> datetime | None:
    """None if the folder has none. From the folder's file: a node that was installed with an older one has an older
    end."""
    try:
        return load_pem_x509_certificate(links.read(assets / JOINING, below=assets)).not_valid_after_utc
    except (FileNotFoundError, ValueError):  # a damaged file is verification's business
        return None


def over(assets: Path) -> str:
    """When it expired; empty if it has not, or if the folder has none."""
    end = ends(assets)
    return f"{end:%Y-%m-%d %H:%M} UTC" if end and end <= SystemEntropy().now() else ""


def remedy(ended: str) -> str:
    return (
        f"the shared identity of new nodes expired at {ended}: `hardway build` makes a new one, and a "
        "node that has not joined must be installed again with it"
    )
