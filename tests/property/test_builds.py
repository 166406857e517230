"""Any valid configuration builds, verifies without an error, and is understood by a second reader."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import yaml
from hypothesis import HealthCheck, given, settings

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.table import TABLE
from hardway.model.check import run
from tests.support.configs import valid_install_configs
from tests.support.entropy import NOW
from tests.support.go import reader as go_reader
from tests.support.trees import build_folder, write_folder


def as_dict(config):
    return yaml.safe_load(config) if isinstance(config, str) else config


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(valid_install_configs())
def test_a_valid_configuration_builds_and_verifies(config):
    with tempfile.TemporaryDirectory() as scratch:
        folder = write_folder(Path(scratch), as_dict(config), keys="ecdsa-p256")
        workspace = build_folder(folder)
        world = Artifacts(root=workspace.store.root, cluster=workspace.loaded.cluster, now=NOW)
        errors = {f.check for f in run(TABLE, world).findings if f.severity == "error"}
        assert errors == {"operators.signing-keys"}  # ECDSA keys are made faster; operators cannot sign with them
        texts = [p.read_text() for p in workspace.store.root.rglob("*.y*ml")]
        assert go_reader.read(texts) == [json.loads(json.dumps(yaml.safe_load(t))) for t in texts]
