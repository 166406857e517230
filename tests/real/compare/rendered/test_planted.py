"""Planted differences: each kind is found, where it is, and no row explains it away."""

from __future__ import annotations

import json
from base64 import b64encode

import pytest
import yaml

from hardway.compare.rendered.comparison import compare
from tests.support.rendering.real import copy_of, rendered

ASSETS = "assets/"
ETCD = "rendered/etcd/etc-kubernetes/manifests/etcd-member-pod.yaml"
CONFIG = "rendered/kube-apiserver/config"
SIGNER = "manifests/openshift-etcd-etcd-signer.yaml"
PEER = "manifests/openshift-etcd-etcd-peer-bootstrap.yaml"
POLICY = "rendered/kube-controller-manager/cpc-config"
OURS_POLICY = "bootstrap-configs/cluster-policy-controller-config.yaml"
OURS_SERVER = "bootstrap-configs/kube-apiserver-config.yaml"
OURS_SCC = "manifests/0000_20_kube-apiserver-operator_00_scc-restricted-v2.yaml"
OURS_API = "bootstrap-manifests/kube-apiserver-pod.yaml"
OURS_ETCD = "bootstrap-manifests/etcd-member-pod.yaml"


def edit(file, change):
    """The change of one document of a folder."""

    def plant(folder):
        path = folder / ASSETS / file
        body = yaml.safe_load(path.read_text())
        change(body)
        path.write_text(yaml.safe_dump(body))

    return plant


def replace(file, old, new):
    def plant(folder):
        path = folder / ASSETS / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    return plant


def remove(file):
    return lambda folder: (folder / ASSETS / file).unlink()


def write(file, text):
    return lambda folder: (folder / ASSETS / file).write_text(text)


def first(body):
    return body["spec"]["containers"][0]


def mount_of(container, path):
    return next(mount for mount in container["volumeMounts"] if mount["mountPath"] == path)


def tls_of(folder, name):
    return b64encode((folder / ASSETS / "tls" / name).read_bytes()).decode()


def put_tls(file, key, name):
    return lambda folder: edit(file, lambda body: body["data"].update({key: tls_of(folder, name)}))(folder)


PLANTED = {
    "an image": (
        edit(OURS_ETCD, lambda b: first(b).update(image="quay.io/x@sha256:0")),
        "pods",
        "containers.etcd.image",
    ),
    "a container": (
        edit(ETCD, lambda b: b["spec"]["containers"].append({"name": "spy", "image": "x"})),
        "pods",
        "containers.spy",
    ),
    "a host path": (
        edit(OURS_ETCD, lambda b: b["spec"]["volumes"][1]["hostPath"].update(path="/var/lib/other")),
        "pods",
        "containers.etcd.mounts./var/lib/etcd.from",
    ),
    "a mount": (
        edit(OURS_API, lambda b: first(b)["volumeMounts"].remove(mount_of(first(b), "/var/log/kube-apiserver"))),
        "pods",
        "containers.kube-apiserver.mounts./var/log/kube-apiserver",
    ),
    "a volume that nobody mounts": (
        edit(OURS_API, lambda b: b["spec"]["volumes"].append({"name": "x", "hostPath": {"path": "/"}})),
        "pods",
        "volumes.x",
    ),
    "a probe": (
        edit(OURS_API, lambda b: first(b)["livenessProbe"].update(periodSeconds=9)),
        "pods",
        "containers.kube-apiserver.livenessProbe.periodSeconds",
    ),
    "a right": (
        edit(OURS_ETCD, lambda b: first(b)["securityContext"]["capabilities"].update(add=["SYS_ADMIN"])),
        "pods",
        "containers.etcd.securityContext.capabilities",
    ),
    "a label": (edit(OURS_ETCD, lambda b: b["metadata"]["labels"].clear()), "pods", "labels.k8s-app"),
    "no host network": (edit(OURS_ETCD, lambda b: b["spec"].pop("hostNetwork")), "pods", "spec.hostNetwork"),
    "resources": (
        edit(OURS_ETCD, lambda b: first(b)["resources"]["requests"].update(cpu="1m")),
        "pods",
        "containers.etcd.resources.requests.cpu",
    ),
    "a command of the shell": (
        replace(ETCD, "set -euo pipefail", "rm -rf /tmp/x"),
        "pods",
        "containers.etcd.shell",
    ),
    "a program": (edit(OURS_ETCD, lambda b: first(b).update(command=["etcd2"])), "pods", "containers.etcd.program"),
    "a variable": (
        edit(
            "rendered/cvo/bootstrap/bootstrap-pod.yaml", lambda b: first(b)["env"].append({"name": "X", "value": "1"})
        ),
        "pods",
        "containers.cluster-version-operator.env.X",
    ),
    "a pod that we lack": (remove("bootstrap-manifests/bootstrap-pod.yaml"), "pods", "pod"),
    "a flag's value": (replace(OURS_API, "--event-ttl=3h", "--event-ttl=1h"), "flags", "--event-ttl"),
    "a flag that we lack": (
        replace(OURS_API, "- --etcd-prefix=kubernetes.io\n", "- --v=2\n"),
        "flags",
        "--etcd-prefix",
    ),
    "a flag of ours": (replace(OURS_API, "--v=2", "--token-auth-file=/x"), "flags", "--token-auth-file"),
    "a flag in the operator's script": (replace(ETCD, "--logger=zap", "--logger=other"), "flags", "--logger"),
    "a flag by a variable": (replace(ETCD, 'value: "1000"', 'value: "1001"'), "flags", "--election-timeout"),
    "an argument in the file": (
        edit(CONFIG, lambda b: b["apiServerArguments"].update({"etcd-prefix": ["registry"]})),
        "flags",
        "--etcd-prefix",
    ),
    "a new argument in the file": (
        edit(CONFIG, lambda b: b["apiServerArguments"].update({"encryption-provider-config": ["/x"]})),
        "flags",
        "--encryption-provider-config",
    ),
    "the file's own address": (
        edit(CONFIG, lambda b: b["servingInfo"].update(bindAddress="0.0.0.0:8443")),
        "flags",
        "--secure-port",
    ),
    "the file's services": (
        edit(CONFIG, lambda b: b.update(servicesSubnet="172.31.0.0/16")),
        "flags",
        "--service-cluster-ip-range",
    ),
    "a plugin of Kubernetes": (
        edit(CONFIG, lambda b: b["apiServerArguments"]["enable-admission-plugins"].append("AlwaysPullImages")),
        "flags",
        "--enable-admission-plugins.AlwaysPullImages",
    ),
    "a plugin that we lack": (
        replace(OURS_API, "NodeRestriction,", ""),
        "flags",
        "--enable-admission-plugins.NodeRestriction",
    ),
    "a gate": (replace(OURS_API, "NodeSwap=false", "NodeSwap=true"), "flags", "--feature-gates.NodeSwap"),
    "a gate that we lack": (replace(OURS_API, "NodeSwap=false,", ""), "flags", "--feature-gates.NodeSwap"),
    "a face": (
        replace(OURS_API, "internal-lb-server.key:api-int.", "internal-lb-server.key:console."),
        "flags",
        "--tls-sni-cert-key.kube-apiserver-internal-lb-server.crt[0]",
    ),
    "authorization": (
        replace(OURS_API, "=Scope,SystemMasters,RBAC,Node", "=AlwaysAllow"),
        "flags",
        "--authorization-mode",
    ),
    "pod security in the file": (
        edit(CONFIG, lambda b: b["admission"]["pluginConfig"]["PodSecurity"]["configuration"].update(kind="Other")),
        "config",
        "admission.pluginConfig.PodSecurity.configuration.kind",
    ),
    "a section of the file": (
        edit(CONFIG, lambda b: b["authConfig"].update(oauthMetadataFile="/x")),
        "config",
        "authConfig.oauthMetadataFile",
    ),
    "a rule of the audit policy": (
        replace("bootstrap-configs/audit-policy.yaml", "level: Metadata", "level: None"),
        "config",
        'rule: "everything else"',
    ),
    "stages of the audit policy": (
        replace("bootstrap-configs/audit-policy.yaml", "- RequestReceived", "- Panic"),
        "config",
        "omitStages[0]",
    ),
    "keys of tokens in our file": (
        edit(OURS_SERVER, lambda b: b["serviceAccountPublicKeyFiles"].append("/etc/kubernetes/secrets/other.pub")),
        "config",
        "serviceAccountPublicKeyFiles[2]",
    ),
    "a setting of our file": (
        edit(OURS_SERVER, lambda b: b["projectConfig"].update(defaultNodeSelector="a=b")),
        "config",
        "projectConfig.defaultNodeSelector",
    ),
    "the address of the policy controller": (
        edit(POLICY, lambda b: b["servingInfo"].update(bindAddress="0.0.0.0:10357")),
        "config",
        "servingInfo.bindAddress",
    ),
    "another certificate of the policy controller": (
        edit(POLICY, lambda b: b["servingInfo"].update(certFile="/x")),
        "config",
        "servingInfo.certFile",
    ),
    "a section of the policy controller's file": (
        edit(POLICY, lambda b: b.update(resourceQuota={"concurrentSyncs": 1})),
        "config",
        "resourceQuota",
    ),
    "a controller that we add": (
        edit(OURS_POLICY, lambda b: b["controllers"].append("openshift.io/resourcequota")),
        "config",
        "controllers.openshift.io/resourcequota",
    ),
    "the policy controller's gate": (
        edit(OURS_POLICY, lambda b: b.update(featureGates=[])),
        "config",
        "featureGates.OpenShiftPodSecurityAdmission",
    ),
    "no file for the policy controller": (remove(OURS_POLICY), "config", "servingInfo"),
    "what a constraint allows": (
        edit(OURS_SCC, lambda b: b.update(allowPrivilegedContainer=True)),
        "manifests",
        "allowPrivilegedContainer",
    ),
    "who may use a constraint": (
        edit(OURS_SCC, lambda b: b.update(groups=["system:authenticated"])),
        "manifests",
        "groups",
    ),
    "a constraint that we lack": (remove(OURS_SCC), "manifests", "object"),
    "another certificate": (put_tls(SIGNER, "tls.crt", "root-ca.crt"), "certificates", "tls.crt[0].subject"),
    "a key of another": (put_tls(PEER, "tls.key", "etcd-client.key"), "certificates", "tls.key: key"),
    "names of a certificate": (
        put_tls(PEER, "tls.crt", "etcd-peer-master-0.crt"),
        "certificates",
        "tls.crt[0].sans",
    ),
    "usages of a certificate": (
        put_tls(PEER, "tls.crt", "etcd-client.crt"),
        "certificates",
        "tls.crt",
    ),
    "a signer that is not the one handed over": (
        put_tls("manifests/secret-localhost-serving-signer.yaml", "tls.crt", "kube-apiserver-lb-signer.crt"),
        "certificates",
        "tls.crt[0].digest",
    ),
    "an annotation": (
        edit(SIGNER, lambda b: b["metadata"]["annotations"].pop("auth.openshift.io/certificate-not-after")),
        "manifests",
        "metadata.annotations.auth.openshift.io/certificate-not-after",
    ),
    "an annotation that lies": (
        edit(SIGNER, lambda b: b["metadata"]["annotations"].update({"auth.openshift.io/certificate-issuer": "x"})),
        "manifests",
        "metadata.annotations.auth.openshift.io/certificate-issuer",
    ),
    "a managed label": (edit(SIGNER, lambda b: b["metadata"].pop("labels")), "manifests", "metadata.labels"),
    "a type": (edit(SIGNER, lambda b: b.update(type="Opaque")), "manifests", "type"),
    "a key of data": (edit(SIGNER, lambda b: b["data"].pop("tls.key")), "manifests", "data.tls.key"),
    "an object that we lack": (remove(SIGNER), "manifests", "object"),
    "an object of the operator's": (
        write(
            "rendered/etcd/manifests/new.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n"
        ),
        "manifests",
        "object",
    ),
    "an object of ours": (
        write(
            "manifests/new.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: openshift-etcd}\n"
        ),
        "manifests",
        "object",
    ),
    "a field of an object": (
        replace("manifests/openshift-etcd-svc.yaml", "2379", "2380"),
        "manifests",
        "spec.ports[0].port",
    ),
    "a file on the machine": (
        write("rendered/etcd/etc-kubernetes/static-pod-resources/etcd-member/other", "x"),
        "files",
        "file",
    ),
    "a file of no known kind": (write("rendered/etcd/README", "x"), "files", "file"),
    "the controller-manager's": (
        replace("bootstrap-manifests/kube-controller-manager-pod.yaml", "=720h", "=24h"),
        "flags",
        "--cluster-signing-duration",
    ),
    "the scheduler's": (
        replace("bootstrap-manifests/kube-scheduler-pod.yaml", "--leader-elect=true", "--leader-elect=false"),
        "flags",
        "--leader-elect",
    ),
}


def keep_files(folder, wanted):
    path = folder / ASSETS / "bootstrap.ign"
    config = json.loads(path.read_text())
    config["storage"]["files"] = [entry for entry in config["storage"]["files"] if wanted(entry["path"])]
    path.write_text(json.dumps(config))


def test_a_file_that_ours_does_not_lay_is_found(copied):
    keep_files(copied, lambda path: not path.endswith("etcd-peer-bootstrap.key"))
    [found] = compare(copied).unexplained
    assert found.thing.endswith("/etcd-all-certs/etcd-peer-bootstrap.key")


def test_where_the_machine_renders_itself_there_are_no_files_of_ours(copied):
    keep_files(copied, lambda path: not path.startswith("/etc/kubernetes/"))
    assert compare(copied).ok


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_difference_is_found(name, copied):
    plant, area, aspect = PLANTED[name]
    plant(copied)
    report = compare(copied)
    assert not report.ok
    assert (area, aspect) in {(d.area, d.aspect) for d in report.unexplained}, report.as_text()[:3000]


def test_the_newer_operator_of_the_line_is_explained_too(tmp_path):
    """It renders goaway-chance 0.001 for every cluster; ours has 0 where there is a single API server."""
    folder = copy_of(rendered("single"), tmp_path / "c")
    edit(CONFIG, lambda b: b["apiServerArguments"].update({"goaway-chance": ["0.001"]}))(folder)
    report = compare(folder)
    assert report.ok, report.as_text()
    assert "goaway-chance" in {d.row.name for d in report.differences if d.row}


def test_what_is_rendered_as_we_write_it_is_no_difference(copied):
    """Spelling is none: another order, explicit defaults, a slash at a path's end."""
    before = len(compare(copied).differences)

    def respell(body):
        body["spec"]["containers"].reverse()
        container = first(body)
        container["volumeMounts"].reverse()
        container["volumeMounts"][0]["mountPath"] += "/"
        container["imagePullPolicy"] = "IfNotPresent"
        body["spec"].pop("restartPolicy")

    edit(ETCD, respell)(copied)
    edit("manifests/openshift-etcd-svc.yaml", lambda b: b["metadata"].update(creationTimestamp=None))(copied)
    assert len(compare(copied).differences) == before
