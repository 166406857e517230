"""A secret of the lab's own layer, in the moment in which it is written."""

from __future__ import annotations

import os
import sys
from stat import S_IMODE

from hardway.lab import root
from hardway.lab.deviations.row import Given, HostTraits
from tests.support.clusters import load_cluster

_watched: list[tuple[str, int]] = []
_on: list[bool] = []


def _look(event: str, words: tuple[object, ...]) -> None:
    """Before a mode is changed: who could read what is there already?"""
    if _on and event == "os.chmod":
        found = os.stat(words[0])  # type: ignore[arg-type]
        _watched.append((str(words[0]), S_IMODE(found.st_mode) if found.st_size else 0))


sys.addaudithook(_look)


def test_a_kubeconfig_is_nobody_elses_from_its_first_byte_on(tmp_path):
    cluster = load_cluster().cluster
    for path in ("master-manifests/kube-proxy-pod.yaml", "auth/kube-proxy.kubeconfig"):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text("kind: Any\n")
    host = HostTraits(cgroups="v2", limits_bind=False)
    given = Given(cluster=cluster, node=cluster.workers[0], host=host, registry="192.0.2.1:5000", assets=tmp_path)
    _on.append(True)
    try:
        root.write_layer(tmp_path / "layer", given)
    finally:
        _on.clear()
    assert [row for row in _watched if row[0].endswith("/kubeconfig")] == []  # by its name, after it was written
    assert _watched
    assert {mode for _, mode in _watched} == {0}
    secret = tmp_path / "layer/etc/kubernetes/static-pod-resources/kube-proxy/kubeconfig"
    found = next(tmp_path.glob("layer/**/kubeconfig"), secret)
    assert S_IMODE(found.stat().st_mode) == 0o600
