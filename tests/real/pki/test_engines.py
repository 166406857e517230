"""Certificates as openssl judges them."""

from __future__ import annotations

import subprocess

import pytest

from hardway.pki import families
from hardway.pki.assets import file_name, nodes_of
from tests.support.clusters import TOPOLOGIES
from tests.support.entropy import NOW
from tests.support.trees import built

VARIANT_OF = {"3+2": "default", "3+0": "compact", "1+0": "single"}


def leaves(workspace):
    cluster = workspace.loaded.cluster
    for row in families.TABLE:
        if row.signer:
            for node in nodes_of(row, cluster):
                yield row, workspace.store.root / f"tls/{file_name(row, node)}.crt"


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_openssl_accepts_every_leaf_for_each_of_its_uses(topology):
    workspace = built(VARIANT_OF[topology])
    for row, path in leaves(workspace):
        signer = workspace.store.root / f"tls/{row.signer}.crt"
        for usage in row.says.usages:
            command = ["openssl", "verify", "-attime", str(int(NOW.timestamp())), "-purpose", f"ssl{usage}"]
            done = subprocess.run([*command, "-CAfile", signer, path], capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{path.name} as {usage}: {done.stdout}{done.stderr}"
