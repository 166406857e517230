"""The ends of certificates as openssl reads them."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta

from hardway.pipeline.select import deadline_line, deadlines
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
