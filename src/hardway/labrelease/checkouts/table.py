"""The components that `--source` knows by name: those that the release has anyway, and those that no module proxy
serves.

A row of the second kind says what the component's own Dockerfile says: which programs are compiled, where files are in
the image, and which folder has the manifests for the payload.
"""

from __future__ import annotations

from hardway.labrelease.checkouts.row import Kit
from hardway.labrelease.components import table as components
from hardway.labrelease.components.row import Component, programs
from hardway.labrelease.images import table as images
from hardway.labrelease.images.table import Data, Image, Part, Program
from hardway.labrelease.payload.sources import Source
from hardway.lines.sources import source
from hardway.model.why import because

YOURS = "your checkout"
MANIFESTS = "manifests"
_BOOTKUBE = ("bootstrap-manifests", "config", "manifests")


def _kit(
    name: str,
    *files: str,
    what: str,
    breaks: str,
    dockerfile: str,
    data: tuple[Data, ...] = (),
    manifests: tuple[str, ...] = (MANIFESTS,),
    operators: tuple[str, ...] = (),
    tags: tuple[str, ...] = (),
    entrypoint: bool = False,
) -> Kit:
    """A component whose programs are in folders below cmd/ that are called like them; the first is the image's own."""
    module, called = f"github.com/openshift/{name}", files or (name,)
    why = because(what, breaks=breaks, source=source(name, dockerfile))
    brought = tuple(Data(component=name, folder=folder, target=MANIFESTS) for folder in manifests)
    parts: tuple[Part, ...] = (*(Program(component=name, name=file) for file in called), *data, *brought)
    component = Component(
        name=name,
        version=YOURS,
        module=module,
        programs=programs(module, *called),
        stamps=((f"{module}/pkg/version.versionFromGit", ""),),
        tags=tags,
        data=tuple(dict.fromkeys(part.folder for part in (*data, *brought))),
        sets=("operators",),
        why=why,
    )
    image = Image(
        name=name,
        parts=parts,
        sets=(),
        operator=bool(manifests),
        entrypoint=(f"/usr/bin/{called[0]}",) if entrypoint else (),
        why=why,
    )
    rows = tuple(Source(image=name, component=name, folder=folder, sets=(), why=why) for folder in manifests)
    return Kit(component=component, images=(image,), sources=rows, operators=operators)


def _bootkube(name: str) -> tuple[Data, ...]:
    """What its render for the bootstrap node starts from."""
    place = "usr/share/bootkube/manifests"
    return tuple(
        Data(component=name, folder=f"bindata/bootkube/{part}", target=f"{place}/{part}") for part in _BOOTKUBE
    )


def _pinned() -> tuple[Kit, ...]:
    """In place of the pinned ones; what only nodes have is no image of the release."""
    used = {name for chosen in images.SETS for name in images.components(chosen)}
    return tuple(Kit(component=row) for row in components.COMPONENTS if row.name in used)


_CONTROLLER_MANAGER = "cluster-kube-controller-manager-operator"
_SCHEDULER = "cluster-kube-scheduler-operator"
_NETWORK = "cluster-network-operator"

TABLE: tuple[Kit, ...] = (
    *_pinned(),
    _kit(
        _CONTROLLER_MANAGER,
        data=_bootkube(_CONTROLLER_MANAGER),
        operators=("kube-controller-manager",),
        what="Rolls the controller-manager's static pods out to the masters, with cluster-policy-controller beside it, "
        "and rotates the signer of the kubelets' certificates.",
        breaks="the masters' controller-managers stay as they were made by hand, and no release updates them",
        dockerfile="Dockerfile.rhel7",
    ),
    _kit(
        _SCHEDULER,
        data=_bootkube(_SCHEDULER),
        operators=("kube-scheduler",),
        what="Rolls the scheduler's static pods out to the masters.",
        breaks="the masters' schedulers stay as they were made by hand, and no release updates them",
        dockerfile="Dockerfile.ocp",
    ),
    _kit(
        "cluster-openshift-apiserver-operator",
        what="Deploys openshift-apiserver, and reports on the API services that it brings.",
        breaks="there are no Routes, Projects, Builds and ImageStreams",
        dockerfile="Dockerfile",
    ),
    _kit(
        "openshift-apiserver",
        manifests=(),
        entrypoint=True,
        what="The API server of OpenShift's own types; its operator deploys it. It brings no manifests itself.",
        breaks="openshift-apiserver's pods run the stand-in, which answers nothing",
        dockerfile="images/Dockerfile.rhel",
    ),
    _kit(
        "cluster-openshift-controller-manager-operator",
        manifests=(MANIFESTS, "empty-resources"),
        what="Deploys the controllers of Builds, DeploymentConfigs and Routes.",
        breaks="builds and deployment configs stay as they were created",
        dockerfile="Dockerfile",
    ),
    _kit(
        "cluster-authentication-operator",
        "authentication-operator",
        tags=("ocp",),
        entrypoint=True,
        what="Deploys the OAuth server and its API server, and configures logins.",
        breaks="nobody logs in with a name and a password; certificates and service account tokens keep working",
        dockerfile="Dockerfile.rhel7",
    ),
    _kit(
        "cluster-dns-operator",
        "dns-operator",
        entrypoint=True,
        what="Deploys CoreDNS on every node, and the Service that pods ask for names.",
        breaks="pods find no Service by name",
        dockerfile="Dockerfile",
    ),
    _kit(
        "cluster-ingress-operator",
        "ingress-operator",
        entrypoint=True,
        what="Deploys the routers behind *.apps, and their default certificate.",
        breaks="no Route is reachable from outside",
        dockerfile="Dockerfile",
    ),
    _kit(
        _NETWORK,
        _NETWORK,
        "cluster-network-check-endpoints",
        "cluster-network-check-target",
        data=(Data(component=_NETWORK, folder="bindata", target="bindata"),),
        operators=("network",),
        what="Deploys the pod network and Multus; its templates are read from /bindata in the image.",
        breaks="the lab's bridge and kube-proxy are the pod network",
        dockerfile="Dockerfile",
    ),
)
BY_NAME = {kit.name: kit for kit in TABLE}
