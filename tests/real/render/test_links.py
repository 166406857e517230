"""A cluster's folder from somebody else, whose renders are a link."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hardway.model.settings.file import Options
from hardway.pipeline.build import builder_of
from hardway.pipeline.release import bring_release
from hardway.release.catalogue import release_for
from hardway.render.operators.all import render_all
from hardway.workspace.folder import example, open_workspace
from tests.support.entropy import FixedEntropy
from tests.support.release.files import files, references, tag, write_oci


def test_renders_do_not_tidy_up_behind_a_link(tmp_path: Path):
    """What a killed run leaves has names with a dot, as .ssh has."""
    (tmp_path / "home/.ssh").mkdir(parents=True)
    tags = [tag(name) for name in release_for("4.18.0").images]
    said = json.dumps(references(spec={"tags": tags})).encode()
    digest = write_oci(tmp_path / "oci", files(image_references=said))
    (tmp_path / "install-config.yaml").write_text(example("install-config.yaml"))
    (tmp_path / "hardway.yaml").write_text(f"release: oci:{tmp_path / 'oci'}@{digest}\nkeys: ecdsa-p256\n")
    bring_release(tmp_path, Options(), lambda what, done, total: None)
    workspace = open_workspace(tmp_path)
    builder_of(workspace, FixedEntropy()).build([a for n in ("05", "06", "07") for a in workspace.of_stage(n)])
    (tmp_path / "assets/rendered").symlink_to(tmp_path / "home")
    with pytest.raises(OSError, match="is a symbolic link to"):
        render_all(workspace, [], print)
    assert (tmp_path / "home/.ssh").is_dir()
