"""For each check of stage 06 a planted defect: exactly that check must find it."""

from __future__ import annotations

from base64 import b64encode

import pytest

from hardway.checks.files.table import KUBECONFIGS
from hardway.model.check import run
from tests.support.edited import edit_file
from tests.support.trees import spare

ADMIN = "auth/kubeconfig"


def edit(world, change, path=ADMIN):
    edit_file(world.root / path, change)


def embed(world, path):
    return b64encode((world.root / path).read_bytes()).decode()


def plant_missing(world):
    (world.root / "auth/lb-ext.kubeconfig").unlink()


def plant_no_user(world):
    edit(world, lambda c: c["users"].clear())


def plant_open(world):
    (world.root / ADMIN).chmod(0o640)


def plant_context(world):
    edit(world, lambda c: c.update({"current-context": "other"}))


def plant_server(world):
    """The API by a bare name of another domain."""
    edit(world, lambda c: c["clusters"][0]["cluster"].update(server="https://api.example.com:6443"))


def plant_trust(world):
    bundle = embed(world, "tls/root-ca.crt")
    edit(world, lambda c: c["clusters"][0]["cluster"].update({"certificate-authority-data": bundle}))


def plant_other_identity(world):
    """The controller-manager as an administrator."""
    pair = {
        "client-certificate-data": embed(world, "tls/admin-kubeconfig-client.crt"),
        "client-key-data": embed(world, "tls/admin-kubeconfig-client.key"),
    }
    edit(world, lambda c: c["users"][0]["user"].update(pair), "auth/controller-manager.kubeconfig")


def plant_other_key(world):
    key = embed(world, "tls/kubelet-client.key")
    edit(world, lambda c: c["users"][0]["user"].update({"client-key-data": key}))


def plant_unknown_signer(world):
    bundle = world.root / "tls/kube-apiserver-complete-client-ca-bundle.crt"
    bundle.write_bytes((world.root / "tls/admin-kubeconfig-signer.crt").read_bytes())


PLANTED = [
    ("kubeconfig.present", plant_missing),
    ("kubeconfig.present", plant_no_user),
    ("kubeconfig.modes", plant_open),
    ("kubeconfig.context", plant_context),
    ("kubeconfig.server", plant_server),
    ("kubeconfig.trust", plant_trust),
    ("kubeconfig.identity", plant_other_identity),
    ("kubeconfig.identity", plant_other_key),
    ("kubeconfig.accepted", plant_unknown_signer),
]


@pytest.mark.parametrize(("check", "plant"), PLANTED, ids=[p.__name__ for _, p in PLANTED])
def test_a_planted_defect_is_found_by_its_check_and_no_other(check, plant):
    world = spare("default")
    plant(world)
    found = run(KUBECONFIGS, world).findings
    assert {f.check for f in found} == {check}
    assert all(f.fix and f.message for f in found)


def test_a_good_tree_has_no_finding():
    assert run(KUBECONFIGS, spare("default")).findings == ()


def test_every_check_has_a_planted_defect():
    assert {check for check, _ in PLANTED} == {check.name for check in KUBECONFIGS}
