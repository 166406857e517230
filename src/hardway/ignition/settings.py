"""The bootstrap node's files that are neither secrets nor documents of an earlier stage: one row a file."""

from __future__ import annotations

from hardway.bootkube import script
from hardway.ignition import host, network
from hardway.ignition.rows import PUBLIC, SCRIPT, SECRET, FileRow, shipped
from hardway.lines.sources import source
from hardway.model.why import because

INSTALLER = source("installer", "data/data/bootstrap/files")

SCRIPTS: tuple[FileRow, ...] = (
    FileRow(
        path="/usr/local/bin/bootkube.sh",
        mode=SCRIPT,
        make=shipped("bootkube.sh"),
        why=because(
            "Waits for etcd and the API, creates CRDs and manifests, waits for the masters, and reports the end. In "
            "/usr/local/bin, where SELinux lets systemd execute it.",
            readers="bootkube.service",
            breaks="the control plane runs, but nothing creates the cluster's objects (F24)",
            source=f"{INSTALLER}/usr/local/bin/bootkube.sh.template",
        ),
    ),
    FileRow(
        path="/etc/hardway/bootkube.env",
        mode=PUBLIC,
        make=host.bootkube_environment,
        why=because(
            "The part of the plan that bootkube.sh needs: the masters' names, how many of them must serve before this "
            "machine may stop, and who makes their control plane: pods made by hand, and the operators of the release. "
            "The script itself is the same for every cluster.",
            readers="bootkube.sh",
            breaks="bootkube.sh stops at once and reports that it does not know the masters",
            source=source("cluster-bootstrap", "pkg/start: two nodes, if highly available"),
        ),
    ),
    FileRow(
        path="/usr/local/bin/kubelet.sh",
        mode=SCRIPT,
        make=shipped("kubelet.sh"),
        why=because(
            "The kubelet's command line. Standalone, without a kubeconfig: the API server is among the pods it starts.",
            readers="kubelet.service",
            breaks="no static pod starts; with a kubeconfig the kubelet would wait for an API that waits for it",
            source=f"{INSTALLER}/usr/local/bin/kubelet.sh.template",
        ),
    ),
    FileRow(
        path="/etc/hardway/kubelet.env",
        mode=PUBLIC,
        make=host.kubelet_environment,
        why=because(
            "The node's address, which pods get as status.hostIP, and the pause image, which the kubelet's garbage "
            "collection must keep.",
            readers="kubelet.service, for kubelet.sh",
            breaks="on a machine with two addresses the API server may advertise the wrong one",
            source=f"{INSTALLER}/usr/local/bin/kubelet.sh.template",
        ),
    ),
)

STAGES: tuple[FileRow, ...] = (
    FileRow(
        path=script.PATH,
        mode=SCRIPT,
        make=lambda given: script.script(given.cluster),
        why=because(
            "bootkube's stages on the road `rendered`, made from the table behind `hardway bootkube`: operators render "
            "their parts, the temporary control plane starts, and the objects are created. A finished stage leaves "
            "its marker in /opt/openshift and is not run again. The last stages are bootkube.sh's.",
            readers="bootkube.service; `hardway bootkube`, for one stage of a lab's node",
            breaks="nothing renders: the kubelet finds no static pod, and there is no API",
            source=f"{INSTALLER}/usr/local/bin/bootkube.sh.template",
        ),
    ),
)

IDENTITY: tuple[FileRow, ...] = (
    FileRow(
        path="/etc/hostname",
        mode=PUBLIC,
        make=host.hostname,
        why=because(
            "The machine's name by plan, whatever DHCP or reverse DNS say.",
            readers="systemd at boot; the file names of etcd's certificates contain it",
            breaks="the machine calls itself localhost (F15)",
            source="failure mode F15",
        ),
    ),
    FileRow(
        path=network.PATH,
        mode=SECRET,
        make=host.network_profile,
        why=because(
            "Static addresses, gateway and name servers, bound to the card's MAC address: the kernel's name for the "
            "card depends on the slot. Mode 0600, or NetworkManager ignores the file.",
            readers="NetworkManager",
            breaks="the machine gets another address by DHCP; certificates, DNS and load balancer do not match it "
            "(F16, F17, F18)",
            source="NetworkManager keyfile format; failure modes F16 to F19",
        ),
    ),
    FileRow(
        path="/etc/motd",
        mode=PUBLIC,
        make=shipped("bootstrap.motd"),
        append=True,
        why=because(
            "Tells a user who logs in what this machine is and which three commands show its state.",
            readers="you, over SSH",
            breaks="the cluster works the same; it only takes longer to find the journal",
            source=f"{INSTALLER}/etc/motd",
        ),
    ),
)

IMAGES: tuple[FileRow, ...] = (
    FileRow(
        path="/root/.docker/config.json",
        mode=SECRET,
        make=host.pull_secret,
        why=because(
            "The pull secret, for every image this machine starts.",
            readers="CRI-O, global_auth_file; podman and oc, when root runs them",
            breaks="no image can be pulled: unauthorized (F11)",
            source=f"{INSTALLER}/root/.docker/config.json.template",
        ),
    ),
    FileRow(
        path="/etc/crio/crio.conf.d/50-bootstrap-override.conf",
        mode=PUBLIC,
        make=host.runtime,
        why=because(
            "The release's own pause image and the program in it, and the path of the pull secret. The image alone "
            "is not enough: its program is /usr/bin/pod, not the /pause that CRI-O starts by default.",
            readers="CRI-O",
            breaks="every pod sandbox fails: the default image may be unreachable, and its program is not in ours",
            source=f"{INSTALLER}/usr/local/bin/crio-configure.sh.template",
        ),
    ),
    FileRow(
        path="/etc/containers/registries.conf",
        mode=PUBLIC,
        make=host.mirrors,
        why=because(
            "Mirrors from imageDigestSources, for images by digest only; empty without any. Readable for all, or "
            "rpm-ostree fails.",
            readers="CRI-O and podman",
            breaks="a disconnected machine asks quay.io and gets no answer (F12)",
            source=f"{INSTALLER}/etc/containers/registries.conf.template",
        ),
    ),
    FileRow(
        path="/etc/pki/ca-trust/source/anchors/ca.crt",
        mode=SECRET,
        make=host.trust_anchor,
        why=because(
            "additionalTrustBundle, whatever its policy: this machine needs it to pull images. Empty without one.",
            readers="update-ca-trust at boot",
            breaks="pulls from a mirror or through an intercepting proxy fail: x509: unknown authority (F12)",
            source=f"{INSTALLER}/etc/pki/ca-trust/source/anchors/ca.crt.template",
        ),
    ),
)

SYSTEM: tuple[FileRow, ...] = (
    FileRow(
        path="/etc/systemd/system.conf.d/10-default-env.conf",
        mode=SECRET,
        make=host.service_environment,
        why=because(
            "The proxy for every service, and what must not go through it. Secret: a proxy's URL may hold a password.",
            readers="systemd, which hands it to CRI-O and the kubelet",
            breaks="behind a proxy no image can be pulled; without the exceptions nodes reach each other through it "
            "(F13)",
            source=f"{INSTALLER}/etc/systemd/system.conf.d/10-default-env.conf.template",
        ),
    ),
    FileRow(
        path="/etc/profile.d/proxy.sh",
        mode=SECRET,
        make=host.login_environment,
        why=because(
            "The same for root's shell.",
            readers="root's login shell",
            breaks="podman and curl work in services but not when you try them by hand",
            source=f"{INSTALLER}/etc/profile.d/proxy.sh.template",
        ),
    ),
    FileRow(
        path="/etc/ignition-machine-config-encapsulated.json",
        mode=SECRET,
        make=host.fips,
        why=because(
            "Says whether this machine runs in FIPS mode, before its first service starts.",
            readers="RHCOS in the initial RAM disk",
            breaks="fips: true in install-config has no effect on the machine that makes the first control plane",
            source=f"{INSTALLER}/etc/ignition-machine-config-encapsulated.json.template",
        ),
    ),
)

TABLE: tuple[FileRow, ...] = (*SCRIPTS, *IDENTITY, *IMAGES, *SYSTEM)
