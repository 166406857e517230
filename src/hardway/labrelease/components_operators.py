"""OpenShift's operators and what belongs to them: rows of the table in components.py.

Of each the newest, up to the line of the lab's release, that the module proxy serves. The operators of the
controller-manager and the scheduler are not among them: no version of theirs is to be had as a module.
"""

from __future__ import annotations

from hardway.labrelease.component import Component, Set, programs
from hardway.model.why import Why, because


def _operator(
    name: str,
    *,
    version: str,
    pin: str,
    why: Why,
    sets: tuple[Set, ...] = ("operators",),
    data: tuple[str, ...] = ("manifests", "bindata"),
) -> Component:
    """A program that is called like its module, stamped with its pin, and the manifests that deploy it."""
    module = f"github.com/openshift/{name}"
    return Component(
        name=name,
        version=version,
        module=module,
        programs=programs(module, name),
        stamps=((f"{module}/pkg/version.versionFromGit", pin),),
        sets=sets,
        data=data,
        why=why,
    )


OPERATORS: tuple[Component, ...] = (
    _operator(
        "cluster-policy-controller",
        version="January 2025",
        pin="v0.0.0-20250120184244-f5a25728ff43",
        sets=("core", "operators"),
        data=(),
        why=because(
            "Gives every namespace its range of user ids, and pod security labels that fit its SCCs. A container of "
            "the controller-manager's pod: it has no manifests of its own.",
            breaks="SCC admission finds no `openshift.io/sa.scc.uid-range` on a namespace and refuses its pods",
        ),
    ),
    _operator(
        "cluster-etcd-operator",
        version="December 2024",
        pin="v0.0.0-alpha.0.0.20241204234553-ec243c9c0111",
        why=because("Grows etcd's members on the masters out of the bootstrap member, and signs their certificates."),
    ),
    _operator(
        "cluster-kube-apiserver-operator",
        version="October 2024",
        pin="v0.0.0-alpha.0.0.20241023164229-aa95a2b0ecfe",
        why=because("Rolls the API server's static pods out to the masters, and rotates its certificates."),
    ),
    _operator(
        "cluster-config-operator",
        version="December 2023",
        pin="v0.0.0-alpha.0.0.20231213185242-e4dc676febfe",
        data=("manifests",),
        why=because("Keeps the objects of config.openshift.io, and reports as the operator `config-operator`."),
    ),
    _operator(
        "service-ca-operator",
        version="June 2024",
        pin="v0.0.0-20240621184327-1f7d6472fea3",
        why=because("Signs a serving certificate for each service that asks for one by annotation."),
    ),
    _operator(
        "cluster-openshift-apiserver-operator",
        version="October 2024",
        pin="v0.0.0-alpha.0.0.20241024021503-2b2ba3bef928",
        why=because("Deploys openshift-apiserver, and reports on the API services that it brings."),
    ),
)
