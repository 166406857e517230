"""Images as skopeo reads them."""

from __future__ import annotations

import json
import subprocess

from hardway.labrelease.images import layers, layout
from hardway.labrelease.images import oci as image
from hardway.labrelease.images.layers import Entry
from hardway.labrelease.images.layout import Blobs

FILES = (
    Entry(path="usr/bin/tool", source=b"#!/bin/sh\n", mode=0o755),
    Entry(path="etc/tool/config", source=b"x=1\n"),
    Entry(path="usr/bin/alias", link="tool"),
)


def test_skopeo_reads_a_layout_and_agrees_on_every_digest(tmp_path):
    blobs = Blobs(tmp_path / "blobs")
    layer = layers.pack(FILES, blobs)
    made = image.make(image.Recipe(layers=[layer], entrypoint=("/usr/bin/tool",), labels={"a": "b"}), blobs)
    folder = layout.write(tmp_path / "layout", blobs, {"tool": made})
    seen = json.loads(
        subprocess.run(["skopeo", "inspect", f"oci:{folder}:tool"], capture_output=True, check=True).stdout
    )
    assert (seen["Digest"], seen["Layers"], seen["Labels"]) == (made.digest, [layer.digest], {"a": "b"})
    target = tmp_path / "copy"
    copy = ["skopeo", "--insecure-policy", "copy", "--quiet", f"oci:{folder}:tool", f"dir:{target}"]
    subprocess.run(copy, check=True, capture_output=True)  # checks every blob against its digest
    assert (target / layer.digest.removeprefix("sha256:")).stat().st_size == layer.size
