"""Nodes: their kubelets, units, addresses, networks, and registries that they cannot use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.lab.plants.objects import LONG
from tests.lab.plants.row import WORKER, Plant, changed, on, one
from tests.lab.wholes import Whole
from tests.support.waiting import until

CA = "/etc/kubernetes/kubelet-ca.crt"
DROP_IN = "/etc/systemd/system/{unit}.service.d/99-planted.conf"
FAILED = "systemctl list-units --all --plain --no-legend --state=failed,auto-restart"
SERVING = "/var/lib/kubelet/pki/kubelet-server-current.pem"


def fails(lab: Whole, unit: str) -> None:
    until(lambda: unit in on(lab, WORKER, FAILED), lambda: f"{unit} does not fail")


def is_ready(lab: Whole, status: str = "True") -> bool:
    rows = {row["type"]: row["status"] for row in one(lab, "node", WORKER)["status"]["conditions"]}
    return rows.get("Ready") == status


def ready(lab: Whole, status: str = "True") -> None:
    until(lambda: is_ready(lab, status), lambda: lab.kubectl("describe", "node", WORKER))


def pending(lab: Whole) -> list[str]:
    """The requests that wait."""
    items = one(lab, "csr")["items"]
    return [item["metadata"]["name"] for item in items if not item["status"].get("conditions")]


@contextmanager
def _no_ca(lab: Whole) -> Iterator[None]:
    do = f"mv {CA} {CA}.away; systemctl restart --no-block kubelet"
    undo = f"mv {CA}.away {CA}; systemctl restart kubelet"
    with changed(lab, WORKER, do, undo):
        fails(lab, "kubelet.service")
        yield
    ready(lab)


@contextmanager
def _no_serving_certificate(lab: Whole) -> Iterator[None]:
    """The kubelet requests another one, and nobody approves it."""
    keep = "/root/serving.pem"
    do = f"cp --dereference {SERVING} {keep}; rm /var/lib/kubelet/pki/kubelet-server-*; systemctl restart kubelet"
    undo = f"rm -f /var/lib/kubelet/pki/kubelet-server-*; cp {keep} {SERVING}; rm {keep}; systemctl restart kubelet"
    with changed(lab, WORKER, do, undo):
        until(lambda: pending(lab), lambda: lab.kubectl("get", "csr"))
        yield
    ready(lab)
    lab.kubectl("delete", "csr", *pending(lab))


@contextmanager
def _not_executable(lab: Whole) -> Iterator[None]:
    unit = "/etc/systemd/system/planted.service"
    do = f"printf '[Service]\\nExecStart=/etc/hostname\\n' >{unit}; systemctl daemon-reload; systemctl start planted"
    undo = f"rm {unit}; systemctl reset-failed planted.service; systemctl daemon-reload"
    with changed(lab, WORKER, f"{do} || true", undo):
        fails(lab, "planted.service")
        yield


@contextmanager
def _other_address(lab: Whole) -> Iterator[None]:
    """The kubelet chooses the second address of the card."""
    network = lab.prepared.cluster.workers[0].address.rpartition(".")[0]
    file, other = DROP_IN.format(unit="kubelet"), f"{network}.211"
    card = "$(ip -4 -o route show default | sed 's/.* dev \\([^ ]*\\).*/\\1/')"
    do = f"ip address add {other}/24 dev {card}; printf '[Service]\\nEnvironment=KUBELET_NODE_IP={other}\\n' >{file}"
    undo = f"rm {file}; ip address del {other}/24 dev {card}"
    again = "; systemctl daemon-reload; systemctl restart kubelet"

    def uses(address: str) -> bool:
        return address in [row["address"] for row in one(lab, "node", WORKER)["status"]["addresses"]]

    with changed(lab, WORKER, f"{do}{again}", f"{undo}{again}"):
        until(lambda: uses(other) and pending(lab), lambda: lab.kubectl("get", "nodes,csr", "-o", "wide"))
        yield
    until(lambda: not uses(other) and is_ready(lab), lambda: lab.kubectl("get", "nodes", "-o", "wide"))
    lab.kubectl("delete", "csr", *pending(lab))


@contextmanager
def _never_registers(lab: Whole) -> Iterator[None]:
    with changed(lab, WORKER, "systemctl stop kubelet", "systemctl start kubelet"):
        lab.kubectl("delete", "node", WORKER)
        yield
    until(lambda: WORKER in lab.kubectl("get", "nodes"), lambda: "the node does not come back")
    ready(lab)


MACHINES = {
    "a kubelet without its CA": Plant("F23", _no_ca),
    "a serving request that waits": Plant("F28", _no_serving_certificate, LONG),
    "a unit whose program cannot be executed": Plant("F24", _not_executable),
    "a node with the other address": Plant("F46", _other_address),
    "a node that does not register": Plant("F56", _never_registers),
}
