"""OCI folders as skopeo writes them."""

from __future__ import annotations

import subprocess

import pytest

from tests.support.registry import images
from tests.support.registry.server import Reader


@pytest.fixture
def reader(tmp_path):
    return Reader(tmp_path / "cache")


@pytest.fixture
def made():
    return images.release()


def test_what_skopeo_writes(reader, made, tmp_path):
    source = images.write_layout(tmp_path / "source", {"a": made})
    for kind in ("oci", "oci-archive"):
        target = f"{kind}:{tmp_path / kind}:quay.io/some/name:4.18"
        subprocess.run(
            ["skopeo", "copy", "--insecure-policy", "-q", f"oci:{source}:a", target], check=True, capture_output=True
        )
        assert len(reader.read(target).files) == 5
