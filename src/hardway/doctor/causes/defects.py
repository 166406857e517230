"""Which checks find the same defect twice: in the thing itself, and in what was made of it."""

from __future__ import annotations

from hardway.doctor.causes.row import Leads, leads

MEASURED = "measured: the file was removed, cut or exchanged, and every check ran"
REPLACED = "the certificate was replaced on disk, and these files contain the one before it"


def _row(cause: str, effects: str, why: str) -> tuple[Leads, ...]:
    return leads(cause, effects, why, MEASURED)


PLAN: tuple[Leads, ...] = (
    *_row("plan.present", "plan.nodes plan.endpoints plan.identity", "what is missing cannot be compared"),
    *_row("plan.identity", "manifest.fields", "manifests carry the cluster's ids"),
)
RELEASE: tuple[Leads, ...] = (
    *_row(
        "release.present",
        "release.images release.operators release.pinned release.version release.crds release.kinds",
        "these checks compare with the release, which was not read completely",
    ),
    *_row("release.crds", "release.kinds manifest.kinds operators.types", "the kind of an object needs its CRD"),
    *_row("render.present", "render.release render.cluster render.pull-secret own.rendered", "nothing is rendered"),
    *_row("render.present", "ignition.present", "Ignition files of masters and workers are made from MCO's render"),
    *_row("render.cluster", "ignition.same-pki", "MCO's render carries certificates into the Ignition files"),
)
PKI: tuple[Leads, ...] = (
    *_row(
        "pki.present",
        "pki.modes pki.pair pki.chain pki.bundles pki.key-pairs kubeconfig.trust kubeconfig.identity "
        "kubeconfig.accepted pod.request-header pod.csr-signer pod.service-account manifest.signers manifest.root-ca "
        "ignition.same-pki ignition.pod-files ignition.carries",
        "files that contain it, or that it signed, cannot match a file that is missing",
    ),
    *_row(
        "pki.readable",
        "pki.modes pki.pair pki.chain pki.bundles pki.key-pairs kubeconfig.trust kubeconfig.identity "
        "pod.request-header pod.csr-signer pod.service-account manifest.signers manifest.root-ca manifest.fields "
        "ignition.same-pki ignition.carries",
        "files that contain it have other bytes than the damaged file",
    ),
    *_row(
        "pki.pair",
        "pki.chain pki.subject pki.names pki.usages pki.serials pki.signers kubeconfig.identity manifest.signers "
        "manifest.root-ca manifest.fields ignition.no-ca-key ignition.same-pki ignition.carries operators.signing-keys",
        "another certificate or key is in the place of the right one",
    ),
    *_row("pki.authority", "pki.chain", "a chain through a signer that may not sign is not valid"),
    *_row(
        "pki.chain",
        "pki.bundles kubeconfig.trust kubeconfig.accepted pod.request-header pod.csr-signer manifest.signers "
        "manifest.root-ca manifest.fields ignition.same-pki ignition.carries",
        "the signer was replaced, and what was made before has the old one",
    ),
    *(
        row
        for check in ("usages", "names", "validity", "not-before", "strength", "serials", "signers")
        for row in _row(f"pki.{check}", "manifest.fields ignition.same-pki ignition.carries", REPLACED)
    ),
    *_row("pki.bundles", "kubeconfig.trust ignition.same-pki ignition.carries", "these files contain the bundle"),
    *_row(
        "pki.subject",
        "kubeconfig.identity pod.request-header manifest.node-bootstrap",
        "these use the certificate's name",
    ),
    *_row(
        "pki.key-pairs", "pod.service-account manifest.fields ignition.carries", "these files contain the public key"
    ),
    *_row("host.clock", "pki.not-before", "validity begins at the time of the clock that signed"),
)
MANIFESTS: tuple[Leads, ...] = (
    *_row(
        "kubeconfig.present",
        "kubeconfig.modes kubeconfig.context kubeconfig.server kubeconfig.trust kubeconfig.identity "
        "kubeconfig.accepted pod.identity manifest.kubeadmin ignition.pod-files ignition.carries",
        "the folder auth is incomplete, and other files contain its files",
    ),
    *_row(
        "pod.present",
        "pod.host-network pod.images pod.etcd-prefix pod.etcd-name pod.identity pod.version-operator pod.cis "
        "pod.fields ignition.carries",
        "a pod that is missing has no fields",
    ),
    *_row(
        "manifest.readable",
        "manifest.present manifest.kinds manifest.namespaces manifest.fields own.same ignition.carries",
        "a document that cannot be read defines no object",
    ),
    *_row(
        "manifest.present",
        "manifest.namespaces manifest.infrastructure manifest.domains manifest.networks manifest.scheduling "
        "manifest.feature-gate manifest.cluster-version manifest.cluster-config manifest.pull-secret manifest.signers "
        "manifest.etcd-endpoints manifest.node-bootstrap manifest.no-proxy manifest.kubeadmin manifest.root-ca "
        "operators.network operators.etcd-needs operators.apiserver-needs ignition.carries",
        "the object is missing altogether",
    ),
    *_row("own.present", "own.rendered", "a document that is not among the artifacts is not in the render"),
    *_row("own.same", "own.rendered", "the render was made from the document as it was"),
)
IGNITION: tuple[Leads, ...] = (
    *_row(
        "ignition.present",
        "ignition.hostname ignition.network ignition.from-mcs ignition.same-pki ignition.carries",
        "a file that is missing has no content",
    ),
    *_row(
        "ignition.readable",
        "ignition.unique ignition.modes ignition.hostname ignition.network ignition.units ignition.kubelet "
        "ignition.same-pki ignition.pod-files ignition.from-mcs ignition.mirrors ignition.pull-secret ignition.enabled "
        "ignition.login ignition.carries",
        "a file that cannot be read has no content",
    ),
)
OUTSIDE: tuple[Leads, ...] = (
    *_row("host.programs", "host.kvm host.libvirt", "a program that this check runs is not installed"),
    *_row("host.ports", "lb.listens", "another program has the port, so that the load balancer cannot bind it"),
    *_row(
        "dns.server",
        "dns.api dns.balancer dns.nodes dns.reverse dns.apps dns.catch-all dns.denied dns.etcd",
        "a name server that does not answer has no record",
    ),
    *_row("dns.api", "dns.balancer", "a name that does not resolve has no address to compare"),
    *_row(
        "lb.listens", "lb.api lb.machine-config lb.ingress-http lb.ingress-https", "a closed port leads to no server"
    ),
    *_row("haproxy.bind", "haproxy.backends haproxy.mode haproxy.checks", "a frontend that is missing has no settings"),
)
RUNNING: tuple[Leads, ...] = (
    *_row(
        "cluster.machines",
        "cluster.answers cluster.nodes cluster.operators cluster.pods",
        "what runs on a machine that is off does not answer",
    ),
    *_row(
        "cluster.machines",
        "nodes.units nodes.ports final.listens lb.api",
        "what listened on the machine, or connected to it, has gone",
    ),
    *_row("nodes.units", "cluster.nodes cluster.pods final.nodes", "a node without its kubelet or CRI-O is not Ready"),
    *_row("nodes.units", "final.listens", "nobody listens where the unit does not run"),
    *_row("nodes.ports", "lb.api cluster.answers", "an API server whose etcd has no quorum fails its health check"),
    *_row("lb.api", "cluster.answers", "behind the load balancer is no API server that passes its check"),
    *_row("haproxy.checks", "lb.api cluster.answers", "a server that fails a wrong health check gets no connections"),
    *_row("lb.listens", "cluster.answers", "nobody listens where clients of the API connect"),
    *_row("cluster.nodes", "final.nodes", "it is the same node"),
    *_row("cluster.nodes", "cluster.pods cluster.operators", "pods of a node that is not Ready do not run"),
    *_row("cluster.operators", "cluster.version", "CVO reports the operators that are not available"),
)
DEFECTS: tuple[Leads, ...] = (*PLAN, *RELEASE, *PKI, *MANIFESTS, *IGNITION, *OUTSIDE, *RUNNING)
