"""A secret of the lab's own layer, in the moment in which it is written."""

from __future__ import annotations

from stat import S_IMODE

from hardway.lab import root
from hardway.lab.deviations.row import Given, HostTraits
from tests.support.clusters import load_cluster
from tests.support.modes import changed


def test_a_kubeconfig_is_nobody_elses_from_its_first_moment_on(tmp_path):
    cluster = load_cluster().cluster
    for path in ("master-manifests/kube-proxy-pod.yaml", "auth/kube-proxy.kubeconfig"):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text("kind: Any\n")
    host = HostTraits(cgroups="v2", limits_bind=False)
    given = Given(cluster=cluster, node=cluster.workers[0], host=host, registry="192.0.2.1:5000", assets=tmp_path)
    rows = changed(lambda: root.write_layer(tmp_path / "layer", given))
    assert [row.before for row in rows if "/.kubeconfig." in row.name] == [0o600]
    assert [row for row in rows if row.before & ~row.after] == []
    [secret] = tmp_path.glob("layer/**/kubeconfig")
    assert S_IMODE(secret.stat().st_mode) == 0o600
