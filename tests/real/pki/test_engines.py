"""Certificates as openssl judges them, and handshakes with keys that take long to make."""

from __future__ import annotations

import subprocess

import pytest

from tests.support.clusters import TOPOLOGIES
from tests.support.entropy import NOW
from tests.support.trees import built
from tests.unit.pki import test_engines as handshakes


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_openssl_accepts_every_leaf_for_each_of_its_uses(topology):
    workspace = built(handshakes.VARIANT_OF[topology])
    for row, path in handshakes.leaves(workspace):
        signer = workspace.store.root / f"tls/{row.signer}.crt"
        for usage in row.says.usages:
            command = ["openssl", "verify", "-attime", str(int(NOW.timestamp())), "-purpose", f"ssl{usage}"]
            done = subprocess.run([*command, "-CAfile", signer, path], capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{path.name} as {usage}: {done.stdout}{done.stderr}"


def test_handshakes_with_large_keys():
    handshakes.test_every_kubeconfig_reaches_its_face_of_the_api_server("rsa-4096")
    handshakes.test_etcd_members_talk_to_each_other_and_to_their_clients("rsa-4096")
