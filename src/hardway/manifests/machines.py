"""What new machines get: the pointer to the machine-config server, and the first MachineConfigs."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from hardway.emit.document import Document
from hardway.emit.ignition import data_url
from hardway.graph.asset import Given
from hardway.manifests.shapes import CONFIG, INSTALLER, metadata, secret
from hardway.model.cluster import Cluster
from hardway.model.why import Why, because

ROLES = ("master", "worker")
ROLE_LABEL = "machineconfiguration.openshift.io/role"
NO_SMT = ["nosmt", "smt-enabled=off"]
SOURCE = INSTALLER + "pkg/asset/machines/machineconfig/"

CONTROLLER_KINDS = {
    "MachineConfig": "what is added to the templates: ssh keys, kernel arguments, your own",
    "MachineConfigPool": "which configs a pool is merged from",
    "KubeletConfig": "changes to the kubelet's settings",
    "ContainerRuntimeConfig": "changes to CRI-O's settings",
    "FeatureGate": "which templates and kubelet gates apply to this version",
    "ImageDigestMirrorSet": "mirrors, for /etc/containers/registries.conf",
    "ImageContentSourcePolicy": "mirrors in the older form",
    "ImageTagMirrorSet": "mirrors for tags",
    "ClusterImagePolicy": "signatures that images need, for /etc/containers/policy.json, with the gate of Sigstore",
    "ImagePolicy": "the same for the images of one namespace, for /etc/crio/policies",
    "APIServer": "the TLS profile of the kubelet",
    "Node": "the cgroup version and latency profile",
    "Image": "registries that are allowed, blocked or without TLS",
}
"""The kinds that machine-config-controller picks out of a folder of manifests, and what it takes from each."""


def pointer(cluster: Cluster, role: str, root_ca: bytes) -> bytes:
    """The whole Ignition config of a machine that is to ask the machine-config server for the rest."""
    config = {
        "ignition": {
            "config": {"merge": [{"source": f"https://{cluster.api_int_host}:22623/config/{role}"}]},
            "security": {"tls": {"certificateAuthorities": [{"source": data_url(root_ca)}]}},
            "version": cluster.line.ignition.written,
        }
    }
    return json.dumps(config, separators=(",", ":")).encode()


def _user_data(role: str, given: Given) -> dict[str, Any]:
    content = {"disableTemplating": b"true\n", "userData": pointer(given.cluster, role, given["cert/root-ca"])}
    return secret(metadata(f"{role}-user-data", "openshift-machine-api"), content)


def machine_config(cluster: Cluster, role: str, name: str, **said: Any) -> dict[str, Any]:
    ignition = {"ignition": {"version": cluster.line.ignition.written}} | said.pop("config", {})
    return {
        "apiVersion": "machineconfiguration.openshift.io/v1",
        "kind": "MachineConfig",
        "metadata": {"creationTimestamp": None, **metadata(name, labels={ROLE_LABEL: role})},
        "spec": {
            "baseOSExtensionsContainerImage": "",
            "config": ignition,
            "extensions": None,
            "fips": False,
            "kernelArguments": None,
            "kernelType": "",
            "osImageURL": "",
            **said,
        },
    }


def _ssh(role: str, given: Given) -> dict[str, Any]:
    users = [{"name": "core", "sshAuthorizedKeys": [given.cluster.ssh_key]}]
    return machine_config(given.cluster, role, f"99-{role}-ssh", config={"passwd": {"users": users}})


def _fips(role: str, given: Given) -> dict[str, Any]:
    return machine_config(given.cluster, role, f"99-{role}-fips", fips=True)


def _hyperthreading(role: str, given: Given) -> dict[str, Any]:
    return machine_config(given.cluster, role, f"99-{role}-disable-hyperthreading", kernelArguments=list(NO_SMT))


def _is_threading_off(role: str, cluster: Cluster) -> bool:
    return not (cluster.control_plane_hyperthreading if role == "master" else cluster.compute_hyperthreading)


UNSET = because("Nothing asked for here; Go writes the empty field, and the machine-config controller merges nothing.")
REASONS: dict[str, Why] = {
    f'metadata.labels["{ROLE_LABEL}"]': because(
        "The pool of machines that it is for.", breaks="no pool selects it, and nothing of it reaches a machine"
    ),
    "spec.config.ignition.version": because("The Ignition version the part below is written in."),
    "spec.baseOSExtensionsContainerImage": UNSET,
    "spec.extensions": UNSET,
    "spec.fips": because("Whether the machines run in FIPS mode; every MachineConfig has an opinion, any true wins."),
    "spec.kernelArguments": because("Arguments for the kernel; empty unless this document is about them."),
    "spec.kernelType": UNSET,
    "spec.osImageURL": UNSET,
}
SSH_REASONS = REASONS | {
    "spec.config.passwd.users[].name": because("The only account for people on RHCOS."),
    "spec.config.passwd.users[].sshAuthorizedKeys": because("Your public key, as install-config has it."),
}

USER_DATA_REASONS = {
    "type": because("A Secret whose content the API does not check."),
    "data.disableTemplating": because("Tells the machine API to pass the content on unchanged."),
    "data.userData": because(
        "The pointer: fetch the rest from api-int:22623, and trust only root-ca while doing so.",
        breaks="the machine boots without a configuration, or refuses the server (F06)",
    ),
}


def documents(cluster: Cluster) -> tuple[Document, ...]:
    rows = [row(role) for role in ROLES for row in (_user_data_document, _ssh_document, _fips_document, _smt_document)]
    return tuple(document for document in rows if document.when(cluster))


def _document(role: str, name: str, body: Callable[[str, Given], dict[str, Any]], what: str, **more: Any) -> Document:
    file = f"99_openshift-machineconfig_99-{role}-{name}.yaml"
    why = because(
        what,
        readers="machine-config-controller, which merges it into the pool's rendered configuration",
        breaks="the setting does not reach the machines, and rendering here and in the cluster disagree (F22)",
        source=SOURCE,
    )
    return Document(
        path=f"openshift/{file}",
        body=partial(body, role),
        common=CONFIG,
        why=why,
        **{"reasons": REASONS, **more},
    )


def _ssh_document(role: str) -> Document:
    what = f"Your SSH key for user core on every {role}."
    return _document(role, "ssh", _ssh, what, reasons=SSH_REASONS, when=lambda cluster: bool(cluster.ssh_key))


def _fips_document(role: str) -> Document:
    what = f"FIPS mode on every {role}: the kernel and the libraries accept approved algorithms only."
    return _document(role, "fips", _fips, what, when=lambda cluster: cluster.fips)


def _smt_document(role: str) -> Document:
    what = f"One thread a core on every {role}, as install-config asks with hyperthreading: Disabled."
    return _document(role, "disable-hyperthreading", _hyperthreading, what, when=partial(_is_threading_off, role))


def _user_data_document(role: str) -> Document:
    file = f"99_openshift-cluster-api_{role}-user-data-secret.yaml"
    return Document(
        path=f"openshift/{file}",
        body=partial(_user_data, role),
        needs=("cert/root-ca",),
        reasons=USER_DATA_REASONS,
        why=because(
            f"What a {role} that is added later is started with.",
            readers="the machine API where there is one; people who add machines by hand and copy the pointer",
            breaks=f"a new {role} has nothing to boot from once the installation folder is gone",
            source=INSTALLER + "pkg/asset/machines/userdata.go, pkg/asset/ignition/machine/node.go",
        ),
    )
