"""The stages that let an operator render: what they read and write is computed from the operator's own row."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.bootkube.operators import table
from hardway.bootkube.operators.row import ASSETS, OPT, Operator
from hardway.bootkube.row import Stage

STANDS_IN = {
    "api-bootstrap": "without the program: the CRDs that stage 04 chose; our FeatureGate has its status already",
    "kube-controller-manager-bootstrap": "the release has no such operator image: our own pod, kubeconfig, keys and "
    "namespaces",
    "kube-scheduler-bootstrap": "the release has no such operator image: our own pod, kubeconfig and namespace",
    "ingress-operator-bootstrap": "the release has no such operator image: nothing, because no manifest here is of "
    "its type",
    "node-tuning-bootstrap": "the release has no such operator image: nothing, because the manifests have the "
    "MachineConfigs of CPU partitioning already",
    "cco-bootstrap": "the release has no such operator image: nothing, because platform none has no credentials",
}


def function(name: str) -> str:
    """A stage's, in the script."""
    return name.replace("-", "_")


def rendered(number: str, name: str) -> Stage:
    row = table.BY_STAGE[name]
    return Stage(
        number=number,
        name=name,
        why=row.why,
        waits="the release's image" if row.name != "etcd" else "the release's image; a machine that has its address",
        reads=tuple(_reads(row)),
        writes=tuple(_writes(row)),
        command=function(name),
        marker=f"{name}.done",
        operator=row.name,
        lab=STANDS_IN.get(name, ""),
    )


def _reads(row: Operator) -> Iterator[str]:
    for flag in row.flags:
        path = f"/{flag.value.lstrip('/')}"
        if path.startswith(f"{ASSETS}/") and not path.startswith(f"{ASSETS}/{row.output}"):
            yield path.replace(ASSETS, OPT, 1)
    yield from (f"{OPT}/{copy.source}/{copy.pattern}" for copy in row.copies if copy.source)


def _writes(row: Operator) -> Iterator[str]:
    yield f"{OPT}/{row.output}/"
    yield from dict.fromkeys(c.target if c.target.startswith("/") else f"{OPT}/{c.target}" for c in row.copies)
