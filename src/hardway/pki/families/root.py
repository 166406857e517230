"""What root-ca signs: a machine meets it before it is part of the cluster."""

from __future__ import annotations

from hardway.model.why import because
from hardway.pki.row import INSTALLER_TLS, Cert, PrivateKey
from hardway.pki.spec import Spec

ROOT: tuple[Cert, ...] = (
    Cert(
        name="root-ca",
        family="root",
        says=Spec(common_name="root-ca", unit="openshift"),
        why=because(
            "Signs the machine-config server's certificate and the bootstrap journal's, and nothing else: it is not "
            "a root of the cluster's other signers, which are all independent.",
            readers="Ignition on a machine that fetches its configuration; ConfigMap kube-system/root-ca",
            breaks="a worker added later refuses the machine-config server: signed by unknown authority (F06)",
            source=INSTALLER_TLS + "root.go",
        ),
        key=PrivateKey(
            readers="hardway alone, when it signs cert/machine-config-server and cert/journal-gatewayd; no node and "
            "no Secret has it",
            allows="pose as the machine-config server, from which new machines fetch what they run as root",
        ),
    ),
    Cert(
        name="machine-config-server",
        family="root",
        says=Spec(common_name="system:machine-config-server", usages=("server",), key_usage=False),
        signer="root-ca",
        sans=lambda c, node: (c.api_int_host, *c.api_vips),
        why=because(
            "The serving certificate of the machine-config server on port 22623 behind api-int.",
            readers="the machine-config server, through Secret machine-config-server-tls",
            breaks="machines that join after the installation cannot fetch their Ignition",
            source=INSTALLER_TLS + "mcscertkey.go",
        ),
        key=PrivateKey(
            readers="the machine-config server, from Secret "
            "openshift-machine-config-operator/machine-config-server-tls",
            allows="pose as the machine-config server, from which new machines fetch what they run as root",
        ),
    ),
    Cert(
        name="journal-gatewayd",
        family="root",
        says=Spec(common_name="journal-gatewayd", organizations=("OpenShift Bootstrap",), usages=("server", "client")),
        signer="root-ca",
        why=because(
            "Lets a client with the same pair read the bootstrap node's journal over TLS.",
            readers="systemd-journal-gatewayd on the bootstrap node",
            breaks="the journal of a bootstrap node that nobody can log in to cannot be read",
            source=INSTALLER_TLS + "journalcertkey.go",
        ),
        key=PrivateKey(
            readers="systemd-journal-gatewayd on the bootstrap node, --key; you, when you read that journal with curl",
            allows="read the bootstrap node's journal over the network",
        ),
    ),
)
