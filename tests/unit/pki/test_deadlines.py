"""When certificates end, as the files on disk say it."""

from __future__ import annotations

import shutil

from hardway.pipeline.select import deadlines
from hardway.workspace.folder import open_workspace
from tests.support.trees import built


def test_a_damaged_certificate_is_left_to_verification(tmp_path):
    folder = tmp_path / "c"
    shutil.copytree(built("single").store.root.parent, folder, symlinks=True)
    workspace = open_workspace(folder)
    before = deadlines(workspace)
    (workspace.store.root / workspace.graph[before[0].address].path).write_bytes(b"-----BEGIN CERTIFICATE-----\nAA==\n")
    (workspace.store.root / workspace.graph[before[1].address].path).write_bytes(b"nothing")
    assert deadlines(open_workspace(folder)) == before[2:]
