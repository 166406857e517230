"""What other users of this machine can see of the programs that hardway starts: their command lines, and no secret."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
import yaml

from tests.support.clusters import install_config
from tests.support.hardway_program import hardway
from tests.support.release.files import files, references, tag, write_oci

SECRET = "dXNlcjpzZWNyZXQtb2YtdGhlLXB1bGwtc2VjcmV0"
PASSWORD = "password-of-the-proxy"
PODMAN = """#!/bin/sh
for one in $$ $PPID; do cat /proc/$one/cmdline | tr '\\0' '\\n' >> "$SEEN/argv"; done
cat /proc/$$/environ | tr '\\0' '\\n' >> "$SEEN/environment"
cat "$REGISTRY_AUTH_FILE" >> "$SEEN/auth"
stat -c %a "$REGISTRY_AUTH_FILE" "$(dirname "$REGISTRY_AUTH_FILE")" >> "$SEEN/modes"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A cluster with a pull secret and a password for its proxy, that has read a release."""
    digest = write_oci(tmp_path / "oci", files(image_references=json.dumps(references(spec={"tags": TAGS})).encode()))
    config = install_config(
        pullSecret=json.dumps({"auths": {"quay.io": {"auth": SECRET}}}),
        proxy={"httpsProxy": f"http://user:{PASSWORD}@proxy.example.com:3128"},
    )
    (tmp_path / "install-config.yaml").write_text(yaml.safe_dump(config))
    (tmp_path / "hardway.yaml").write_text(f"release: oci:{tmp_path / 'oci'}@{digest}\nkeys: ecdsa-p256\n")
    return tmp_path


def release_images() -> list[str]:
    from hardway.bootkube.operators.table import TABLE
    from hardway.release.catalogue import release_for

    return sorted({*release_for("4.18.0").images, *(row.image for row in TABLE)})


TAGS = [tag(name) for name in release_images()]


def private_lines(folder: Path) -> set[str]:
    """Of every key, and the administrator's password."""
    keys = [path.read_text().splitlines() for path in (folder / "assets/tls").glob("*.key")]
    password = (folder / "assets/auth/kubeadmin-password").read_text().strip()
    return {line for lines in keys for line in lines if not line.startswith("-----")} | {password}


def test_no_secret_is_in_a_command_line_or_printed(folder: Path, tmp_path: Path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/podman").write_text(PODMAN)
    (tmp_path / "bin/podman").chmod(0o755)
    (tmp_path / "seen").mkdir()
    path = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "SEEN": str(tmp_path / "seen")}
    read = hardway("-v", "-C", folder, "build", "04", **path)
    shutil.rmtree(folder / "assets/mco")  # what a program that does nothing has rendered
    built = hardway("-v", "-C", folder, "build", "03", "05", "06", "07", **path)
    assert built.returncode == 0, built.stderr
    rendered = hardway("-v", "-C", folder, "render", "--all", **path)
    assert rendered.returncode == 0, rendered.stderr
    seen = {path.name: path.read_text() for path in (tmp_path / "seen").iterdir()}
    said = "".join(done.stdout + done.stderr for done in (built, read, rendered))
    secrets = {SECRET, PASSWORD, *private_lines(folder)}
    assert len(secrets) > 20
    assert [word for word in secrets if word in seen["argv"] or word in said] == []
    assert [word for word in secrets - {PASSWORD} if word in seen["environment"]] == []
    assert "--http-proxy=false" in seen["argv"].splitlines(), "podman hands its proxy to the programs of images"
    assert SECRET in seen["auth"]
    assert set(seen["modes"].split()) == {"600", "700"}
