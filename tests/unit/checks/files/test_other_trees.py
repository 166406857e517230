"""Trees that something else made, and fixes that can be pasted."""

from __future__ import annotations

import shlex
import shutil
from stat import S_IMODE

import pytest

from hardway.checks.files.table import TABLE
from hardway.model.check import run
from tests.support.forge import forge
from tests.support.trees import copy_of, spare

SAME_PKI = [check for check in TABLE if check.name == "ignition.same-pki"]
MODES = [check for check in TABLE if check.name.endswith(".modes") and check.stage in ("05", "06")]


def test_one_name_may_have_certificates_of_several_signers():
    """The installer's controller-manager is called system:admin too, and its tls/ lacks the administrator's own."""
    world = spare("default")
    tls = world.root / "tls"
    for ending in ("crt", "key"):
        (tls / f"kube-controller-manager-client.{ending}").write_bytes(
            (tls / f"admin-kubeconfig-client.{ending}").read_bytes()
        )
    forge(world, "kube-controller-manager-client", signer="kube-control-plane-signer", new_key=True)
    for ending in ("crt", "key"):
        (tls / f"admin-kubeconfig-client.{ending}").unlink()
    names = [c.subject.rfc4514_string() for path in world.files("tls/*.crt") for c in world.certs(path)]
    assert any("CN=system:admin" in name for name in names)
    assert run(SAME_PKI, world).findings == ()


def test_the_administrator_of_another_run_is_found():
    world = spare("default")
    forge(world, "admin-kubeconfig-client", new_key=True)
    found = run(SAME_PKI, world).findings
    assert {f.subject for f in found} == {"bootstrap.ign"}
    assert "kubeconfig" in found[0].message


def test_modes_are_mended_by_the_command_that_is_shown(tmp_path):
    """Pasted as it is, from any folder, also where a path has a space."""
    world = copy_of("default", tmp_path / "my cluster")
    for path in ("tls/root-ca.key", "auth/kubeconfig"):
        (world.root / path).chmod(0o644)
        found = [f for f in run(MODES, world).findings if f.subject == path]
        _, mode, target = shlex.split(found[0].fix.split("`")[1])
        assert (mode, target) == ("600", str(world.root / path))
        (world.root / path).chmod(int(mode, 8))
        assert S_IMODE((world.root / path).stat().st_mode) == 0o600
    assert run(MODES, world).findings == ()


def test_rotation_names_no_stage():
    """A new certificate changes all that carries it, so every stage goes along."""
    world = spare("default")
    world.now = world.cert("tls/aggregator-ca.crt").not_valid_after_utc
    fixes = {f.fix for f in run(TABLE, world).findings if f.check == "pki.validity"}
    assert "run `hardway build --rotate cert/aggregator-ca`" in fixes


@pytest.mark.parametrize(("folder", "stage"), [("plan", "03"), ("tls", "05"), ("auth", "06"), ("manifests", "07")])
def test_a_file_in_the_place_of_a_folder_has_to_go_first(folder, stage):
    world = spare("default")
    shutil.rmtree(world.root / folder)
    (world.root / folder).write_text("")
    checks = [check for check in TABLE if check.name.endswith(".present") and check.stage == stage]
    fixes = {f.fix for f in run(checks, world).findings if f.subject.startswith(f"{folder}/")}
    assert fixes == {f"remove {world.root / folder}, which is no folder, and run `hardway build {stage}`"}
