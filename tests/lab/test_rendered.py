"""The rendered road: a bootstrap control plane from what the release's operators render, until a master has joined.

The lab is that of the chapter, whose commands are run in it as they are written."""

from __future__ import annotations

import json
import os
import ssl
from base64 import b64decode
from typing import Any

import pytest
from cryptography import x509

from hardway.bootkube.script import PATH
from hardway.bootkube.table import BY_NAME, chosen
from hardway.drive import pulse
from hardway.lab import rendered
from hardway.lab.up import Watch, lay_out
from tests.docs import console
from tests.docs.test_guide import GUIDE
from tests.lab import admission, own_operator
from tests.lab.wholes import opened, whole
from tests.support.hardway_program import hardway
from tests.support.waiting import until

PODS = [
    "bootstrap-pod.yaml",
    "etcd-member-pod.yaml",
    "kube-apiserver-pod.yaml",
    "kube-controller-manager-pod.yaml",
    "kube-scheduler-pod.yaml",
    "machineconfigoperator-bootstrap-pod.yaml",
]
CHAPTER = GUIDE / "road-rendered.md"
HELD = "/etc/systemd/system/bootkube.service.d/held.conf"
SERVED = 22623  # the machine-config server's port


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """The node's own unit runs the stages; the first of them are run by hand before, to look at what comes between.
    From there on a reader of the chapter goes on, up to its last command."""
    with whole(f"r{os.getpid()}", "1+1", road="rendered") as found:
        hold(found.prepared)
        found.prepared.machines.start("bootstrap")
        words = without_types(found.prepared)
        for command in (["rm", HELD], ["systemctl", "daemon-reload"], ["systemctl", "start", rendered.UNIT]):
            assert found.prepared.machines.run("bootstrap", command).ok, command
        script, programs = chapter(found.prepared), console.wrapper(tmp_path_factory.mktemp("programs") / "bin")
        read(found.prepared, script[:-1], programs)
        lab: Any = opened(found.prepared, found.begun)
        lab.words, lab.end, lab.programs = words, script[-1:], programs
        yield lab


def chapter(prepared):
    """Its commands, for the lab that is there already."""
    network = str(prepared.cluster.machine_networks[0].network_address).removesuffix("0")
    names = {"cd byrender": f"cd {prepared.folder}", "byrender": prepared.paths.name, "192.168.134.": network}
    return [c for c in console.replaced(console.commands(CHAPTER), names) if not c.text.startswith("hardway init")]


def read(prepared, script, programs):
    """Each command prints what the chapter shows."""
    ran = own_operator.read_along(script, prepared.folder, programs)
    wrong = console.wrong(script, ran)
    assert not wrong, wrong


def hold(prepared):
    """Before the node boots: its unit waits for us."""
    lay_out(prepared)
    place = prepared.paths.node("bootstrap") / "root" / HELD[1:]
    place.parent.mkdir(parents=True)
    place.write_text("[Unit]\nConditionPathExists=/nowhere\n")


def without_types(prepared):
    """What the API server says while somebody waits for it to be ready, and has created nothing yet."""

    def run(*argv):
        return prepared.machines.run("bootstrap", argv)

    rendered.run(prepared, chosen(last=BY_NAME["wait-for-etcd"]), lambda line: None)
    assert run("bash", "-c", f". {PATH}; place").ok
    logs = "cat /var/log/pods/openshift-kube-apiserver_*/kube-apiserver/*.log"
    search = ["sh", "-c", f"{logs} | grep -m1 'could not list rolebinding restrictions'"]
    until(lambda: run(*search).ok, lambda: run("sh", "-c", f"{logs} | tail").output)
    ready = run("curl", "--silent", "--insecure", "https://localhost:6443/readyz").output
    return run(*search).output, ready


def on_bootstrap(lab, *words):
    done = lab.prepared.machines.run("bootstrap", words)
    assert done.ok, f"{words}: {done.output}{done.errors}"
    return done.output


def test_the_operators_api_server_chooses_users_and_refuses_what_no_constraint_allows(lab, tmp_path):
    admission.chooses_and_refuses(lab, admission.users(lab), tmp_path)


def test_every_stage_up_to_cluster_bootstrap_has_left_its_marker(lab):
    stages = [stage for stage in chosen(last=rendered.LAST) if stage.marker]
    assert [stage.name for stage in stages if not rendered.is_done(lab.prepared, stage)] == []


def test_the_nodes_own_unit_went_on_where_the_markers_end(lab):
    """From its first stage to the one that waits for masters, without anybody from outside."""
    said = on_bootstrap(lab, "journalctl", f"--unit={rendered.UNIT}", "--no-pager", "--output=cat")
    assert "bootkube: 5 etcd-bootstrap: done by an earlier run" in said
    assert "bootkube: 14 cb-bootstrap: done" in said
    assert "FAILED" not in said
    running = on_bootstrap(lab, "systemctl", "show", "--property=ExecStart,NRestarts", rendered.UNIT)
    assert PATH in running
    assert "NRestarts=0" in running


def test_the_pods_are_the_operators(lab):
    assert on_bootstrap(lab, "ls", "/etc/kubernetes/manifests").split() == PODS
    server = on_bootstrap(lab, "pidof", "kube-apiserver").split()[0]
    words = on_bootstrap(lab, "cat", f"/proc/{server}/cmdline").split("\0")
    assert "--openshift-config=/etc/kubernetes/config/kube-apiserver-config.yaml" in words
    assert not any(word.startswith("--etcd-servers") for word in words)


def test_etcd_believes_in_the_operators_signer_and_not_in_ours(lab):
    address = lab.prepared.cluster.bootstrap.address
    trust = (lab.prepared.folder / "assets/bootkube/tls/etcd-ca-bundle.crt").read_bytes()
    authority = x509.load_pem_x509_certificate(trust)
    assert "openshift-etcd_etcd-signer@" in authority.subject.rfc4514_string()
    shown = x509.load_pem_x509_certificate(ssl.get_server_certificate((address, 2379)).encode())
    assert shown.issuer == authority.subject
    ours = x509.load_pem_x509_certificate((lab.prepared.folder / "assets/tls/etcd-signer.crt").read_bytes())
    assert ours.public_key() != authority.public_key()


def test_the_signers_of_the_api_server_are_ours(lab):
    """The operator renders Secrets from our own: the administrator's kubeconfig stays good."""
    path = "jsonpath={.data.tls\\.crt}"
    namespace = "--namespace=openshift-kube-apiserver-operator"
    there = b64decode(lab.kubectl("get", "secret", "loadbalancer-serving-signer", namespace, f"--output={path}"))
    assert there.strip() == (lab.prepared.folder / "assets/tls/kube-apiserver-lb-signer.crt").read_bytes().strip()


def test_the_machine_config_server_serves_masters(lab):
    address = lab.prepared.cluster.bootstrap.address

    def answer():
        words = ["curl", "--silent", "--insecure", f"https://{address}:{SERVED}/config/master"]
        return lab.prepared.machines.run(
            "bootstrap", [*words, "--header", "Accept: application/vnd.coreos.ignition+json;version=3.4.0"]
        )

    until(lambda: answer().ok and "storage" in answer().output, lambda: answer().output[:500])
    assert json.loads(answer().output)["ignition"]["version"].startswith("3.")


def test_the_api_server_is_not_ready_before_its_types_are_there(lab):
    """Whoever waits for /readyz before creating anything waits for ever: its own words."""
    said, ready = lab.words
    assert "rolebindings.rbac.authorization.k8s.io" in said
    assert ready != "ok"


def test_a_second_time_nothing_is_rendered(lab):
    said = []
    rendered.bootstrap(lab.prepared, Watch(listener=lambda event: said.append(event.text)))
    assert not any("bootstrap" in text and "wait-for" not in text for text in said), said


def test_a_stage_alone(lab):
    def says():
        done = hardway("bootkube", lab.prepared.folder, "--only", "api-dns-check", "--again")
        assert done.returncode == 0, done.stderr
        return done.stderr

    address = f"https://{lab.prepared.cluster.api_host}:6443/readyz"
    until(lambda: f"{address} says ok" in says(), lambda: f"{address} does not")
    dry = hardway("bootkube", lab.prepared.folder, "--dry-run", "-o", "json")
    states = {row["stage"]: row["state"] for row in json.loads(dry.stdout)}
    assert (states["etcd-bootstrap"], states["wait-for-ceo"]) == ("kept", "would")


def test_no_request_has_failed_since_the_manifests_were_created(lab, capsys):
    """By the client of the chapter's command, until the master has joined."""
    figures = pulse.read(lab.prepared.paths.folder)
    with capsys.disabled():
        print(f"\n  rendered, until the master has joined, pulse: {figures}", *figures.silences, sep="\n  ", flush=True)
    assert (figures.failed, figures.lost) == (0, 0), figures.failures
    assert figures.writes > 10


def test_the_chapter_ends_with_a_command_that_leaves_nothing(lab):
    read(lab.prepared, lab.end, lab.programs)
    assert not lab.prepared.paths.folder.exists()
