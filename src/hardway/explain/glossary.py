"""The glossary: words that the program, the guide and the reference use, in one or two sentences each.

`python -m hardway.explain.glossary FILE` writes it as a page.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from hardway.lines.default import DEFAULT


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    name: str
    meaning: str
    also: tuple[str, ...] = ()  # addresses or other terms to read next

    @property
    def address(self) -> str:
        return f"term/{self.name.lower().replace(' ', '-')}"


def _term(name: str, meaning: str, *also: str) -> Term:
    return Term(name=name, meaning=meaning, also=also)


TERMS: tuple[Term, ...] = (
    _term(
        "address",
        "The name of one thing that hardway knows: `kind/name`, for example `cert/root-ca`.",
    ),
    _term(
        "admission",
        "The step in which the API server changes or refuses a request after it knows who asks. OpenShift adds its "
        "own admission plug-ins, for example for security context constraints.",
        "term/scc",
    ),
    _term(
        "aggregated API",
        "An API that another server answers. The API server forwards the call and proves its identity with the "
        "aggregator's client certificate.",
        "cert/aggregator-client",
    ),
    _term(
        "API server",
        "kube-apiserver: the only program that reads and writes etcd. Every other component talks to it.",
        "pod/kube-apiserver",
    ),
    _term(
        "asset",
        "One file that hardway makes, with the recipe, the inputs and the reason of it. Assets are below `assets/`.",
    ),
    _term(
        "bootkube",
        "The script on the bootstrap node that starts the temporary control plane and creates the cluster's objects.",
        "file/bootstrap:/usr/local/bin/bootkube.sh",
    ),
    _term(
        "bootstrap node",
        "A temporary machine. It runs the first control plane until the masters have one of their own.",
        "stage/10-bootstrap",
        "term/pivot",
    ),
    _term("bundle", "A file with several CA certificates. A reader trusts whatever one of them signed."),
    _term(
        "CA",
        "Certificate authority: a key and a certificate that sign other certificates. Kubernetes and this program "
        "also say signer.",
        "term/signer",
    ),
    _term(
        "catalogue",
        "The list of images and feature gates of a release that is built into hardway. It serves until stage 04 has "
        "read a release.",
    ),
    _term(
        "CIS",
        "Center for Internet Security. Its benchmark lists settings of a safe control plane; hardway checks them.",
        "check/pod.cis",
    ),
    _term(
        "cluster folder",
        "The folder with install-config.yaml and with everything that was made from it. `-C DIR` names it.",
    ),
    _term(
        "ClusterOperator",
        "An object in which an operator reports whether its part of the cluster works: Available, Progressing, "
        "Degraded.",
        "milestone/operators",
    ),
    _term(
        "control plane",
        "etcd, the API server, the controller-manager and the scheduler: the programs that keep and run the cluster.",
    ),
    _term("CRD", "CustomResourceDefinition: an object that adds a type to the API. OpenShift adds about a hundred."),
    _term("CRI-O", "The program on a node that pulls images and runs containers for the kubelet."),
    _term(
        "CSR",
        "Certificate signing request. A kubelet asks for a client and for a serving certificate; hardway approves a "
        "request only if the plan expects it.",
        "csr/client",
        "csr/serving",
    ),
    _term(
        "CVO",
        "Cluster-version operator: installs the manifests of a release in order, and keeps them as they are.",
        "pod/cluster-version-operator",
    ),
    _term(
        "deviation",
        "A place where the lab differs from RHCOS or from a vendor's release, with the reason.",
        "deviation/",
    ),
    _term(
        "etcd", "The database of the cluster. It needs a majority of its members to write.", "pod/etcd", "term/quorum"
    ),
    _term(
        "failure mode",
        "A known way in which a cluster made by hand fails, with its symptom and its cause. It has an id: F01 and on.",
        "failure/F01",
    ),
    _term(
        "feature gate",
        "A switch for a feature that is not finished or not for everybody. A feature set chooses which are on.",
    ),
    _term("finding", "A defect that a check found: where, what is wrong, and what to do about it."),
    _term("Ignition", "The program that configures a RHCOS machine at its first boot, and its JSON file (`*.ign`)."),
    _term(
        "ingress",
        "The way from outside to an application: a name below `*.apps`, the load balancer, and a router pod.",
        "port/ingress-https",
    ),
    _term("install-config", "The file that a cluster is made from: `install-config.yaml`. You write it."),
    _term("kubeconfig", "A file that tells a client where the API is, which CA to trust, and who the client is."),
    _term("kubelet", "The program on every node that starts pods and reports to the API server."),
    _term(
        "lab",
        "A cluster on one Linux machine, without virtual machines. Its nodes are systems that systemd-nspawn boots.",
        "deviation/",
    ),
    _term(
        "lab release",
        "A release that hardway compiles from pinned Go modules. It needs no pull secret, and it is smaller than a "
        "vendor's.",
        "component/",
    ),
    _term("manifest", "A YAML file with one Kubernetes object, or a static pod."),
    _term(
        "MCO",
        "Machine-config operator: renders and updates the operating system configuration of nodes.",
        "term/render",
    ),
    _term("milestone", "A state of the cluster on its way to complete. `hardway lab status` lists them.", "milestone/"),
    _term(
        "mirror",
        "A registry that has copies of a release's images. install-config names it in imageDigestSources.",
    ),
    _term("mark", "The cluster's name and id on whatever hardway makes outside its folder, so that it can be removed."),
    _term(
        "operator",
        "A program in the cluster that installs, configures and repairs one part of it.",
        "term/clusteroperator",
    ),
    _term("payload", "The manifests inside a release image, and the list of images that they use."),
    _term(
        "pivot",
        "The moment at which the masters take over and the bootstrap node leaves the load balancer.",
        "stage/13-pivot",
    ),
    _term("PKI", "Public key infrastructure: all keys, certificates and the rules of who signs and trusts what."),
    _term(
        "platform none",
        "OpenShift without a cloud or hypervisor integration: machines, DNS and load balancer are yours.",
    ),
    _term("probe", "A question to DNS, to a port or to a program, to see whether it answers as planned."),
    _term("pull secret", "The logins for the registries of a release, as JSON. A vendor's release needs one."),
    _term("pull spec", "The full name of an image: registry, repository, and tag or digest."),
    _term("quorum", "The majority of etcd's voting members. Without it nothing can be written."),
    _term("RBAC", "Role-based access control: which user or service account may do what through the API."),
    _term(
        "release",
        "An image that names every other image of one OpenShift version by digest, with their manifests.",
        "stage/04-release-image",
    ),
    _term(
        "release line",
        f"Everything that hardway knows about one minor version of OpenShift, for example {DEFAULT.minor}.",
    ),
    _term(
        "render",
        "What an operator's own program writes from the cluster's configuration before the cluster runs. MCO renders "
        "the nodes' operating system layer.",
    ),
    _term("revision", "A numbered version of a static pod that an operator rolls out, node by node."),
    _term("RHCOS", "Red Hat Enterprise Linux CoreOS: the operating system of OpenShift's nodes."),
    _term(
        "road",
        "The way in which the control plane is made: `payload` (the masters' by the release's operators, and from our "
        "tables what has none), `hand` (from our tables), `operators` (as `payload`, and the operators must be there) "
        "or `rendered` (a bootstrap node from what operators render).",
    ),
    _term("SAN", "Subject alternative name: a DNS name or an address that a certificate is valid for."),
    _term(
        "SCC",
        "Security context constraints: OpenShift's rules for what a pod may do, for example as which user it runs.",
    ),
    _term(
        "serving certificate", "A certificate that a server shows to its clients. It is valid for names and addresses."
    ),
    _term(
        "signer",
        "A CA with one purpose. hardway has thirteen, so that a stolen key gives access to one part of the cluster "
        "and not to all.",
        "cert/root-ca",
    ),
    _term(
        "SNI", "Server name indication: the name that a TLS client asks for, by which a server picks its certificate."
    ),
    _term("stage", "One of the seventeen steps from nothing to a verified cluster.", "stage/"),
    _term("stale", "Made from something that has changed since. `hardway build` makes it again and says why."),
    _term("stand-in", "An image or manifest of the lab release in place of one that cannot be compiled.", "deviation/"),
    _term("static pod", "A pod that the kubelet starts from a file, without an API server."),
    _term("VIP", "Virtual IP address: the address of the load balancer, as opposed to the address of a node."),
)


def page() -> str:
    from hardway.emit.markdown import code, codes, page, table

    rows = [(term.name, term.meaning, codes(term.also)) for term in sorted(TERMS, key=lambda t: t.name.lower())]
    lead = f"The words that hardway uses. {code('hardway explain term/NAME')} shows one in the terminal."
    return page("Glossary", lead, table(("term", "meaning", "see also"), rows))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page())
