"""What the lab release is made of: one row a component, each an ordinary Go module at one pinned version.

What is pinned: `components/NAME/go.mod` requires the module at its version, replaces what upstream replaces, and names
every program to be compiled in its `tool` lines; `go.sum` beside it holds the digest of the component's source and of
each dependency. Nothing of a component is copied into the project: `go build tool` takes the source from the module
cache and fails if one byte differs from go.sum. Each component has a folder of its own, so that each is compiled with
the dependencies that upstream chose for it. Of each operator the table has the newest version, up to the line of the
lab's release, that the module proxy serves; it serves none of the controller-manager's and of the scheduler's operator.

To move a pin:

1. Find a version that the module proxy serves: `go list -m MODULE@VERSION` (for most of these modules a pseudo-version
   `v0.0.0-TIME-COMMIT`; those that other projects' go.mod files pin are the likeliest to be there).
2. In `components/NAME`: write it into go.mod, take over the `replace` lines of the component's own go.mod (a replace
   counts in the main module alone), then `GOFLAGS=-mod=mod go mod tidy`. Where the checksum database does not know a
   module (`verifying module: 404`), `GONOSUMDB=MODULE` for that one module; compare the line that go.sum gets with
   what other public go.sum files say.
3. Change the row's `version` and stamps here, compile (`hardway lab release build`), and run the tests.

The compiled programs are kept under a digest of all of this, so a moved pin is compiled anew and nothing else is.
"""

from __future__ import annotations

from hardway.labrelease.components import conformance
from hardway.labrelease.components.kubernetes import MODULE as _KUBERNETES
from hardway.labrelease.components.kubernetes import STAMPS
from hardway.labrelease.components.row import Component, Native, Need, Program, Set, programs
from hardway.lines.default import DEFAULT
from hardway.model.why import Why, because

_ETCD = "go.etcd.io/etcd"
_API = "github.com/openshift/api"
_CVO = "github.com/openshift/cluster-version-operator"
_MCO = "github.com/openshift/machine-config-operator"
_IGNITION = "github.com/coreos/ignition/v2"
_CRIO = "github.com/cri-o/cri-o"
_RBAC_PROXY = "github.com/brancz/kube-rbac-proxy"
_CONTAINERS = ("containers_image_openpgp", "exclude_graphdriver_btrfs", "exclude_graphdriver_devicemapper")


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


COMPONENTS: tuple[Component, ...] = (
    Component(
        name="kubernetes",
        version=DEFAULT.lab_kubernetes,
        module=_KUBERNETES,
        programs=programs(
            _KUBERNETES,
            "kube-apiserver",
            "kube-controller-manager",
            "kube-proxy",
            "kube-scheduler",
            "kubectl",
            "kubelet",
            "watch-termination",
        ),
        stamps=STAMPS,
        sets=("core", "node"),
        why=because(
            "OpenShift's fork of Kubernetes: its API server supports --openshift-config and SCCs, and its kubelet "
            "may set the labels of a node's role itself. The version is stamped in, because a module has no git tag.",
            breaks="every program, each node and the API's /version report v0.0.0-master",
        ),
    ),
    Component(
        name="etcd",
        version="3.5.21",
        module=f"{_ETCD}/server/v3",
        top=f"{_ETCD}/v3",
        programs=(
            Program(package=f"{_ETCD}/server/v3", file="etcd"),
            Program(package=f"{_ETCD}/etcdctl/v3", file="etcdctl"),
            Program(package=f"{_ETCD}/etcdutl/v3", file="etcdutl"),
        ),
        sets=("core",),
        why=because(
            "Upstream etcd: OpenShift's fork is not published as a Go module. Not older than 3.5.21, because the "
            "etcd operator's pod calls grpc-proxy with --tls-min-version.",
            breaks="with 3.5.17 the etcd-metrics container ends with an unknown flag",
        ),
    ),
    Component(
        name="cluster-version-operator",
        version="August 2024",
        module=_CVO,
        programs=(Program(package=f"{_CVO}/cmd", file="cluster-version-operator"),),
        stamps=((f"{_CVO}/pkg/version.Raw", "v1.0.1-0.20240808174258-ce6c0b89e14e"),),
        data=("install", "bootstrap"),
        sets=("core",),
        why=because(
            "Applies a release's manifests in their order; the release image is this operator's image with the "
            "manifests in it. `install` is what it brings to the payload, `bootstrap` its pod for the bootstrap node."
        ),
    ),
    Component(
        name="machine-config-operator",
        version="October 2024",
        module=_MCO,
        programs=programs(
            _MCO,
            "machine-config-controller",
            "machine-config-daemon",
            "machine-config-operator",
            "machine-config-server",
        ),
        tags=_CONTAINERS,
        stamps=(
            (f"{_MCO}/pkg/version.Raw", "v0.0.1-0.20241025233659-d656f31b697c"),
            (f"{_MCO}/pkg/version.Hash", "d656f31b697c"),
        ),
        data=("templates", "manifests", "install"),
        sets=("core",),
        why=because(
            "Renders what a node's Ignition config consists of, and serves it. `templates` are the nodes' files, "
            "`manifests` its parts, `install` is what it brings to the payload. The hash is written on every config.",
            breaks="the operator waits for pools whose rendered config has another hash than its own",
        ),
    ),
    Component(
        name="api",
        version="January 2025",
        module=_API,
        programs=programs(f"{_API}/payload-command", "render", "write-available-featuresets"),
        data=("payload-manifests", "payload-command/empty-resources", "*/v*/zz_generated.crd-manifests"),
        sets=("core",),
        why=because(
            "CustomResourceDefinitions and feature gates: `payload-manifests` and the empty objects of configuration "
            "are what its image brings, the generated folders have what others bring (ClusterVersion and more). "
            "`render` selects for the bootstrap node; the other one tells the config operator what gates there are.",
            breaks="the config operator's pod does not start: write-available-featuresets is its init container",
        ),
    ),
    Component(
        name="ignition",
        version="2.20.0",
        module=_IGNITION,
        programs=(
            Program(package=f"{_IGNITION}/internal", file="ignition"),
            Program(package=f"{_IGNITION}/validate", file="ignition-validate"),
        ),
        cgo=True,
        needs=(Need(package="libblkid-dev", header="blkid/blkid.h"),),
        stamps=(
            (f"{_IGNITION}/internal/version.Raw", "2.20.0"),
            (f"{_IGNITION}/internal/distro.selinuxRelabel", "false"),
        ),
        sets=("node",),
        why=because(
            "Creates a node's root from the same config that a RHCOS machine would get. It does not relabel: a lab "
            "node has no SELinux policy.",
            breaks="with relabelling the files stage fails at the missing policy",
        ),
    ),
    Component(
        name="cri-o",
        version="1.34.0",
        module=_CRIO,
        programs=programs(_CRIO, "crio"),
        native=(Native(folder="pinns/src", file="pinns"),),
        tags=(*_CONTAINERS, "seccomp", "selinux", "apparmor"),
        cgo=True,
        needs=(
            Need(package="libseccomp-dev", header="seccomp.h"),
            Need(package="pkg-config", program="pkg-config"),
        ),
        sets=("node",),
        why=because(
            "The container runtime of every node. `pinns` is its helper in C, which pins namespaces.",
            breaks="CRI-O does not start: it looks for pinns on PATH",
        ),
    ),
    Component(
        name="kube-rbac-proxy",
        version="0.18.2",
        module=_RBAC_PROXY,
        programs=programs(_RBAC_PROXY, "kube-rbac-proxy"),
        sets=("core",),
        why=because(
            "Stands before CRI-O's metrics on every node: MCO renders a static pod of it. It is upstream's program: "
            "OpenShift's fork is not published as a Go module.",
            breaks="the pod kube-rbac-proxy-crio stays in Init:CreateContainerError on every node",
        ),
    ),
    _operator(
        "cluster-policy-controller",
        version="January 2025",
        pin="v0.0.0-20250120184244-f5a25728ff43",
        sets=("core", "operators"),
        data=(),
        why=because(
            "Assigns to every namespace its range of user ids, and pod security labels that match its SCCs. It runs "
            "as a container in the controller-manager's pod and has no manifests of its own.",
            breaks="SCC admission finds no `openshift.io/sa.scc.uid-range` on a namespace and refuses its pods",
        ),
    ),
    _operator(
        "cluster-etcd-operator",
        version="December 2024",
        pin="v0.0.0-alpha.0.0.20241204234553-ec243c9c0111",
        why=because(
            "Adds etcd members on the masters, starting from the bootstrap member, and signs their certificates."
        ),
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
    *conformance.TABLE,
)


def component(name: str) -> Component:
    """The row of that name."""
    return next(row for row in COMPONENTS if row.name == name)


def of(*sets: Set) -> tuple[Component, ...]:
    """The components of these sets together, in the table's order."""
    return tuple(row for row in COMPONENTS if set(row.sets) & set(sets))
