"""When certificates end, as the files on disk say it."""

from __future__ import annotations

import shutil
import subprocess
from datetime import UTC, datetime, timedelta

from hardway.pipeline.select import deadline_line, deadlines
from hardway.workspace.folder import open_workspace
from tests.support.trees import built


def ends(file) -> datetime:
    done = subprocess.run(
        ["openssl", "x509", "-noout", "-enddate", "-in", str(file)], capture_output=True, text=True, check=True
    )
    return datetime.strptime(done.stdout.strip(), "notAfter=%b %d %H:%M:%S %Y GMT").replace(tzinfo=UTC)


def test_every_certificate_is_listed_with_its_end_and_the_first_is_first():
    workspace = built("single")
    found = deadlines(workspace)
    assert len(found) > 30
    assert {d.address: d.ends for d in found} == {
        d.address: ends(workspace.store.root / workspace.graph[d.address].path) for d in found
    }
    assert [d.ends for d in found] == sorted(d.ends for d in found)
    assert found[0].address in deadline_line(workspace, found[0].ends - timedelta(seconds=1))
    assert deadline_line(workspace, found[0].ends).startswith("deadline  PASSED: ")


def test_a_damaged_certificate_is_left_to_verification(tmp_path):
    folder = tmp_path / "c"
    shutil.copytree(built("single").store.root.parent, folder, symlinks=True)
    workspace = open_workspace(folder)
    before = deadlines(workspace)
    (workspace.store.root / workspace.graph[before[0].address].path).write_bytes(b"-----BEGIN CERTIFICATE-----\nAA==\n")
    (workspace.store.root / workspace.graph[before[1].address].path).write_bytes(b"nothing")
    assert deadlines(open_workspace(folder)) == before[2:]
