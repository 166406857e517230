"""For each check of the Ignition files a planted defect: exactly that check must find it."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from hardway.checks.files.table import IGNITION
from hardway.model.check import run
from tests.support.trees import spare


def edit(world, node, change):
    path = world.root / f"{node}.ign"
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))


def entry(document, path):
    return next(f for f in document["storage"]["files"] if f["path"] == path)


def source(content):
    return "data:text/plain;charset=utf-8;base64," + b64encode(content).decode()


def put(path, content, mode=420):
    def change(document):
        files = document["storage"]["files"]
        files[:] = [f for f in files if f["path"] != path]
        files.append({"path": path, "mode": mode, "overwrite": True, "contents": {"source": source(content)}})

    return change


def content(document, path):
    return b64decode(entry(document, path)["contents"]["source"].split(",", 1)[1])


def plant_missing(world):
    (world.root / "worker-1.ign").unlink()


def plant_version(world):
    edit(world, "master-0", lambda d: d["ignition"].update(version="2.2.0"))


def plant_not_json(world):
    (world.root / "worker-0.ign").write_text("{")


def plant_twice(world):
    edit(world, "master-1", lambda d: d["storage"]["files"].append(dict(entry(d, "/etc/hostname"))))


def plant_octal(world):
    """Octal digits taken for a decimal number."""
    edit(world, "master-0", lambda d: entry(d, "/etc/hostname").update(mode=644))


def plant_open_keyfile(world):
    def change(document):
        for file in document["storage"]["files"]:
            if file["path"].endswith(".nmconnection"):
                file["mode"] = 420

    edit(world, "worker-0", change)


def plant_ca_key(world):
    key = (world.root / "tls/kubelet-signer.key").read_bytes()
    edit(world, "master-2", put("/etc/kubernetes/signer.key", key, 384))


def plant_embedded_ca_key(world):
    """Where it hides best: base64 in a document."""
    key = b64encode((world.root / "tls/kubelet-signer.key").read_bytes())
    edit(world, "worker-0", put("/etc/kubernetes/secret.yaml", b"data:\n  tls.key: " + key + b"\n", 384))


def plant_root_key(world):
    key = (world.root / "tls/root-ca.key").read_bytes()
    edit(world, "bootstrap", put("/etc/kubernetes/bootstrap-secrets/root-ca.key", key, 384))


def plant_localhost(world):
    edit(world, "worker-1", put("/etc/hostname", b"localhost\n"))


def network(document):
    return next(f["path"] for f in document["storage"]["files"] if f["path"].endswith(".nmconnection"))


def plant_other_card(world):
    def change(document):
        path = network(document)
        mac = world.cluster.masters[0].mac.encode()
        text = content(document, path).replace(mac, b"52:54:00:ff:ff:ff").replace(mac.upper(), b"52:54:00:FF:FF:FF")
        put(path, text, 384)(document)

    edit(world, "master-0", change)


def plant_other_address(world):
    def change(document):
        path = network(document)
        put(path, content(document, path).replace(b"192.168.126.102", b"192.168.126.202"), 384)(document)

    edit(world, "master-1", change)


def plant_rival_of_the_bridge(world):
    def change(document):
        path = network(document)
        put(path, content(document, path).replace(b"-priority=1\n", b"-priority=100\n"), 384)(document)

    edit(world, "worker-0", change)


def plant_two_default_routes(world):
    def change(document):
        path = network(document)
        put(path.replace(".nmconnection", "-2.nmconnection"), content(document, path), 384)(document)

    edit(world, "worker-0", change)


def plant_name_of_the_bridge(world):
    def change(document):
        path = network(document)
        text = content(document, path)
        name = next(line for line in text.splitlines() if line.startswith(b"id="))
        put(path, text.replace(name, b"id=br-ex"), 384)(document)

    edit(world, "worker-0", change)


def plant_lost_script(world):
    def change(document):
        files = document["storage"]["files"]
        files[:] = [f for f in files if f["path"] != "/usr/local/bin/bootkube.sh"]

    edit(world, "bootstrap", change)


def plant_windows_script(world):
    def change(document):
        text = content(document, "/usr/local/bin/bootkube.sh").replace(b"\n", b"\r\n")
        put("/usr/local/bin/bootkube.sh", text, 493)(document)

    edit(world, "bootstrap", change)


def plant_waiting_kubelet(world):
    def change(document):
        unit = next(u for u in document["systemd"]["units"] if u["name"] == "kubelet.service")
        unit["contents"] += "\nEnvironment=MORE=--kubeconfig=/var/lib/kubelet/kubeconfig\n"

    edit(world, "bootstrap", change)


def plant_other_run(world):
    other = spare("single")
    ca = (other.root / "tls/kube-apiserver-complete-client-ca-bundle.crt").read_bytes()
    from tests.support.forge import forge

    forge(other, "kubelet-signer", new_key=True)
    ca = (other.root / "tls/kubelet-signer.crt").read_bytes()
    edit(world, "worker-0", put("/etc/kubernetes/kubelet-ca.crt", ca))


def plant_lost_secret(world):
    def change(document):
        files = document["storage"]["files"]
        files[:] = [f for f in files if not f["path"].endswith("/bootstrap-secrets/kubelet-signer.key")]

    edit(world, "bootstrap", change)


def plant_no_annotations(world):
    def change(document):
        files = document["storage"]["files"]
        files[:] = [f for f in files if f["path"] != "/etc/machine-config-daemon/node-annotations.json"]

    edit(world, "worker-1", change)


def plant_pointer(world):
    merge = {"merge": [{"source": "https://api-int.ocp4.example.com:22623/config/worker"}]}
    edit(world, "worker-0", lambda d: d["ignition"].update(config=merge))


def plant_no_mirror(world):
    edit(world, "bootstrap", put("/etc/containers/registries.conf", b""))


def plant_no_anchor(world):
    edit(world, "bootstrap", put("/etc/pki/ca-trust/source/anchors/ca.crt", b"", 384))


def plant_other_pull_secret(world):
    edit(world, "bootstrap", put("/root/.docker/config.json", b"{}", 384))


def plant_no_units(world):
    edit(world, "worker-0", lambda d: d["systemd"].update(units=[]))


def plant_no_users(world):
    edit(world, "bootstrap", lambda d: d.pop("passwd"))


def plant_other_known_host(world):
    """Somebody else's key in the list, for one name of one node."""
    path = world.root / "ssh/known_hosts"
    stranger = Ed25519PrivateKey.generate().public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
    path.write_text(path.read_text() + f"{world.cluster.masters[1].address} {stranger}\n")


def plant_no_known_hosts(world):
    (world.root / "ssh/known_hosts").unlink()


def plant_no_host_key(world):
    key = "/etc/ssh/ssh_host_ecdsa_key"
    edit(world, "worker-0", lambda d: d["storage"]["files"].remove(entry(d, key)))


def plant_foreign_host_key(world):
    """Under a name that nobody would look at."""
    key = (world.root / "ssh/hosts/master-2/ssh_host_ed25519_key").read_bytes()
    edit(world, "worker-1", put("/var/lib/backup", key, 0o600))


def plant_no_login_key(world):
    (world.root / "ssh/login").unlink()


def plant_empty_host_key(world):
    """Its Ignition file, which has the right key, is not at fault."""
    (world.root / "ssh/hosts/worker-1/ssh_host_ed25519_key").write_bytes(b"")


def plant_open_ignition(world):
    (world.root / "bootstrap.ign").chmod(0o644)


def plant_open_login_key(world):
    (world.root / "ssh/login").chmod(0o640)


def plant_open_host_key(world):
    (world.root / "ssh/hosts/master-0/ssh_host_ecdsa_key").chmod(0o604)


PLANTED = [
    ("ignition.present", plant_missing, "default"),
    ("ignition.readable", plant_version, "default"),
    ("ignition.readable", plant_not_json, "default"),
    ("ignition.unique", plant_twice, "default"),
    ("ignition.modes", plant_octal, "default"),
    ("ignition.modes", plant_open_keyfile, "default"),
    ("ignition.no-ca-key", plant_ca_key, "default"),
    ("ignition.no-ca-key", plant_embedded_ca_key, "default"),
    ("ignition.no-ca-key", plant_root_key, "default"),
    ("ignition.hostname", plant_localhost, "default"),
    ("ignition.network", plant_other_card, "default"),
    ("ignition.network", plant_other_address, "default"),
    ("ignition.network", plant_rival_of_the_bridge, "default"),
    ("ignition.network", plant_two_default_routes, "default"),
    ("ignition.network", plant_name_of_the_bridge, "default"),
    ("ignition.units", plant_lost_script, "default"),
    ("ignition.units", plant_windows_script, "default"),
    ("ignition.kubelet", plant_waiting_kubelet, "default"),
    ("ignition.same-pki", plant_other_run, "default"),
    ("ignition.pod-files", plant_lost_secret, "default"),
    ("ignition.from-mcs", plant_no_annotations, "default"),
    ("ignition.complete", plant_pointer, "default"),
    ("ignition.mirrors", plant_no_mirror, "mirrors"),
    ("ignition.mirrors", plant_no_anchor, "trust-bundle"),
    ("ignition.pull-secret", plant_other_pull_secret, "default"),
    ("ignition.enabled", plant_no_units, "default"),
    ("ignition.login", plant_no_users, "default"),
    ("ignition.known-hosts", plant_other_known_host, "default"),
    ("ignition.known-hosts", plant_no_known_hosts, "default"),
    ("ignition.known-hosts", plant_no_host_key, "default"),
    ("ignition.own-host-key", plant_foreign_host_key, "default"),
    ("ignition.ssh-keys", plant_no_login_key, "fips"),
    ("ignition.ssh-keys", plant_empty_host_key, "default"),
    ("ignition.private", plant_open_ignition, "default"),
    ("ignition.private", plant_open_login_key, "fips"),
    ("ignition.private", plant_open_host_key, "default"),
]


@pytest.mark.parametrize(("check", "plant", "variant"), PLANTED, ids=[p.__name__ for _, p, _ in PLANTED])
def test_a_planted_defect_is_found_by_its_check_and_no_other(check, plant, variant):
    world = spare(variant)
    plant(world)
    found = run(IGNITION, world).findings
    assert {f.check for f in found} == {check}
    assert all(f.fix and f.message for f in found)


@pytest.mark.parametrize("variant", ["default", "compact", "single", "proxy", "mirrors", "trust-bundle", "dual-stack"])
def test_a_good_tree_has_no_finding(variant):
    assert run(IGNITION, spare(variant)).findings == ()


def test_every_check_has_a_planted_defect():
    """That of bootkube's stages is planted where there are any: tests/unit/ignition/test_rendered_road.py."""
    names = {check.name for check in IGNITION if not check.general}
    assert {check for check, _, _ in PLANTED} == names - {"ignition.stages"}
