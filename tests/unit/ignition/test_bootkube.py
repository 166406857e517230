"""bootkube.sh, run for real against a small cluster in a folder that stands in for `oc` and `curl`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

SCRIPT = Path(str(files("hardway.ignition").joinpath("files/bootkube.sh")))
FAKE = Path(__file__).parents[2] / "support" / "fake_oc.py"
MASTERS = ("master-0", "master-1", "master-2")
HERE: dict[str, Any] = {
    "nodes": dict.fromkeys(MASTERS, 0),
    "pods": {
        "openshift-kube-apiserver": {f"kube-apiserver-{name}": 0 for name in MASTERS},
        "openshift-etcd": {f"etcd-{name}": 0 for name in MASTERS},
    },
}
"""A world in which the masters have been there all along, their control plane made by hand."""


def crd(kind: str) -> str:
    return f"kind: CustomResourceDefinition\nmetadata:\n  name: {kind.lower()}s\nspec:\n  names:\n    kind: {kind}\n"


def thing(kind: str, name: str = "cluster", namespace: str = "", more: str = "") -> str:
    space = f"  namespace: {namespace}\n" if namespace else ""
    return f"kind: {kind}\nmetadata:\n  name: {name}\n{space}{more}"


MANIFESTS = {
    "crds/infrastructures.yaml": crd("Infrastructure"),
    "crds/versions.yaml": crd("ClusterVersion"),
    "manifests/a-settings.yaml": thing("ConfigMap", "settings", "openshift-config"),
    "manifests/cluster-infrastructure.yml": thing(
        "Infrastructure", more="spec: {}\nstatus:\n  apiServerURL: https://api\n"
    ),
    "manifests/cvo-overrides.yaml": thing("ClusterVersion", "version", more="spec:\n  overrides:\n  - kind: DNS\n"),
    "manifests/z-namespace.yaml": thing("Namespace", "openshift-config"),
    "openshift/99_ssh.yaml": thing("Secret", "kubeadmin", "kube-system"),
}


class Machine:
    """A bootstrap node in a folder."""

    def __init__(self, root: Path, world: dict[str, Any], manifests: dict[str, str] | None = None) -> None:
        self.root, self.state, self.programs = root / "root", root / "state", root / "bin"
        for name, text in (MANIFESTS if manifests is None else manifests).items():
            self._write(f"opt/openshift/{name}", text)
        self._write("opt/openshift/original_cvo_overrides.patch", '{"spec":{"overrides":null}}')
        self.environment("MASTERS='master-0 master-1 master-2'\nMASTERS_NEEDED=2\n")
        self.state.mkdir()
        self.programs.mkdir()
        self.world(world)
        for name in ("oc", "curl"):
            program = self.programs / name
            program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "{FAKE}" {name} "$@"\n')
            program.chmod(0o755)

    def _write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def environment(self, text: str) -> None:
        self._write("etc/hardway/bootkube.env", text)

    def world(self, world: dict[str, Any]) -> None:
        (self.state / "world.json").write_text(json.dumps(world))

    def run(self, limit: int = 20) -> subprocess.CompletedProcess[str]:
        limits = {f"BOOTKUBE_{name}_LIMIT": str(limit) for name in ("START", "STALL", "MASTERS", "FINISH")}
        environment = {
            "PATH": f"{self.programs}:{os.environ['PATH']}",
            "PYTHONPATH": str(Path(yaml.__file__).parents[1]),  # the stand-in starts often, and so without site
            "HARDWAY_ROOT": str(self.root),
            "FAKE_STATE": str(self.state),
            "BOOTKUBE_PAUSE": "0.01",
            **limits,
        }
        return subprocess.run(
            ["bash", SCRIPT], env=environment, capture_output=True, text=True, check=False, timeout=120
        )

    @property
    def calls(self) -> list[list[str]]:
        found: list[list[str]] = json.loads((self.state / "calls.json").read_text())
        return found

    @property
    def objects(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.state / "objects.json").read_text())
        return found

    def created(self) -> list[str]:
        """The files that were created, in order, tries included."""
        named = [dict(w.partition("=")[::2] for w in call) for call in self.calls if "create" in call]
        return [Path(n["--filename"]).name for n in named if "--filename" in n and "--dry-run" not in n]

    def finished(self) -> bool:
        return (self.root / "opt/openshift/.bootkube.done").exists()


def test_creates_types_then_namespaces_then_the_rest_and_reports(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE)
    done = machine.run()
    assert done.returncode == 0, done.stderr + done.stdout
    assert machine.created() == [
        "infrastructures.yaml",
        "versions.yaml",
        "z-namespace.yaml",
        "a-settings.yaml",
        "cluster-infrastructure.yml",
        "cvo-overrides.yaml",
        "99_ssh.yaml",
    ]
    assert machine.objects["ConfigMap/kube-system/bootstrap"]["data"] == {"status": "complete"}
    assert machine.finished()


def test_waits_for_etcd_before_the_api_and_for_the_api_before_anything_else(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {**HERE, "etcd": 4, "api": 8})
    assert machine.run().returncode == 0
    kinds = ["etcd" if c[0] == "curl" else "api" if "--raw=/readyz" in c else "other" for c in machine.calls]
    assert kinds[:8] == ["etcd"] * 4 + ["api"] * 4
    assert set(kinds[8:]) == {"other"}


def test_asks_etcd_with_its_own_client_certificate_and_never_through_a_proxy(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE)
    machine.run()
    call = machine.calls[0]
    given = dict(pairwise(call))
    folder = f"{machine.root}/etc/kubernetes/bootstrap-secrets"
    assert (given["--cacert"], given["--cert"], given["--key"]) == (
        f"{folder}/etcd-ca-bundle.crt",
        f"{folder}/etcd-client.crt",
        f"{folder}/etcd-client.key",
    )
    assert given["--noproxy"] == "*"


def test_writes_the_status_that_a_create_drops(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE)
    machine.run()
    assert machine.objects["Infrastructure//cluster"]["status"] == {"apiServerURL": "https://api"}


def test_leaves_a_status_alone_that_is_there_already(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE)
    live = {"kind": "Infrastructure", "metadata": {"name": "cluster"}, "status": {"apiServerURL": "an operator's"}}
    (machine.state / "objects.json").write_text(json.dumps({"Infrastructure//cluster": live}))
    assert machine.run().returncode == 0
    assert machine.objects["Infrastructure//cluster"] == live


def test_retries_what_needs_a_type_or_a_namespace_that_somebody_else_brings(tmp_path: Path) -> None:
    late = {
        **MANIFESTS,
        "openshift/99_master-ssh.yaml": thing("MachineConfig", "99-master-ssh"),
        "openshift/99_user-data.yaml": thing("Secret", "user-data", "openshift-machine-api"),
    }
    machine = Machine(
        tmp_path, {**HERE, "types": {"MachineConfig": 60}, "namespaces": {"openshift-machine-api": 70}}, late
    )
    done = machine.run()
    assert done.returncode == 0, done.stderr + done.stdout
    assert "MachineConfig//99-master-ssh" in machine.objects
    assert "Secret/openshift-machine-api/user-data" in machine.objects
    said = [line for line in done.stdout.splitlines() if "99_master-ssh.yaml" in line]
    assert said == ['bootkube: not yet: 99_master-ssh.yaml: Error from server: no matches for kind "MachineConfig"']


def test_a_field_that_the_type_does_not_have_stops_nobody(tmp_path: Path) -> None:
    manifests = {**MANIFESTS, "manifests/b.yaml": thing("ConfigMap", "b", "kube-system", "unknown: 1\n")}
    machine = Machine(tmp_path, HERE, manifests)
    assert machine.run(limit=0).returncode == 0
    assert "ConfigMap/kube-system/b" in machine.objects


def test_gives_up_with_the_list_of_what_is_left_and_a_reason_for_each(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {**HERE, "refuse": {"a-settings.yaml": "strict decoding error: unknown field"}})
    done = machine.run(limit=1)
    assert done.returncode == 1
    assert "left: /opt/openshift/manifests/a-settings.yaml: Error from server: strict decoding error" in done.stdout
    assert "1 manifests could not be created" in done.stderr
    assert "Look with" in done.stderr
    assert "Secret/kube-system/kubeadmin" in machine.objects
    assert "ConfigMap/kube-system/bootstrap" not in machine.objects
    assert not machine.finished()


@pytest.mark.parametrize(
    ("world", "reason", "look"),
    [
        ({"etcd": None}, "etcd on this machine to be healthy", "crictl ps --name etcd"),
        ({"api": None}, "the API server on this machine to be ready", "crictl ps --name kube-apiserver"),
        ({"established": None}, "all CRDs to be established", "oc get crd"),
        ({"nodes": {"master-0": 0, "master-2": 0}}, "not Ready: master-1", "oc get csr"),
        ({"pods": {"openshift-etcd": {}}}, "the API server runs on 0 of 2 masters", "openshift-kube-apiserver"),
    ],
)
def test_a_wait_ends_with_what_was_waited_for_and_how_to_look(
    tmp_path: Path, world: dict[str, Any], reason: str, look: str
) -> None:
    machine = Machine(tmp_path, {**HERE, **world})
    done = machine.run(limit=0)
    assert done.returncode == 1
    assert "FAILED: waited 0 s" in done.stderr
    assert reason in done.stderr
    assert look in done.stderr.partition("Look with: ")[2]
    assert not machine.finished()


def test_a_second_run_does_nothing_twice(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE)
    machine.run()
    before = len(machine.calls)
    again = machine.run()
    assert again.returncode == 0
    assert len(machine.calls) == before


def test_a_run_after_a_failure_takes_up_where_the_first_one_stopped(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {**HERE, "nodes": {}})
    assert machine.run(limit=0).returncode == 1
    before = len(machine.calls)
    machine.world(HERE)
    again = machine.run()
    assert again.returncode == 0
    assert "manifests: done by an earlier run" in again.stdout
    assert not any(word.startswith("--filename=") for call in machine.calls[before:] for word in call)
    assert machine.finished()


def test_a_lost_marker_costs_questions_but_no_object_is_written_over(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE)
    machine.run()
    created, objects = machine.created(), machine.objects
    (machine.root / "opt/openshift/.bootkube.done").unlink()
    for marker in (machine.root / "opt/openshift/.bootkube").iterdir():
        marker.unlink()
    assert machine.run().returncode == 0
    assert machine.created() == created
    assert machine.objects == objects


OPERATORS = "kubeapiservers.operator.openshift.io"


def revisions(*current: int) -> dict[str, Any]:
    return {"nodeStatuses": [{"nodeName": f"master-{i}", "currentRevision": r} for i, r in enumerate(current)]}


@pytest.mark.parametrize(
    ("operators", "serves"),
    [
        ({OPERATORS: [[0, revisions(3, 3, 0)]]}, True),
        ({OPERATORS: [[0, revisions(3, 0, 0)]]}, False),
        ({OPERATORS: [[0, {}]]}, True),  # it has not reported: the pods themselves count
        ({"kubeschedulers.operator.openshift.io": [[0, revisions(1, 0, 0)]]}, False),
        ({"etcds.operator.openshift.io": [[0, revisions(1, 1, 1)]]}, False),
        (
            {
                "etcds.operator.openshift.io": [
                    [0, {**revisions(1, 1, 1), "conditions": [{"type": "EtcdRunningInCluster", "status": "True"}]}]
                ]
            },
            True,
        ),
        (
            {
                "etcds.operator.openshift.io": [
                    [0, {**revisions(1, 1, 1), "conditions": [{"type": "EtcdRunningInCluster", "status": "False"}]}]
                ]
            },
            False,
        ),
    ],
)
def test_the_operators_word_counts_where_there_are_operators(
    tmp_path: Path, operators: dict[str, Any], serves: bool
) -> None:
    machine = Machine(tmp_path, {**HERE, "operators": operators})
    done = machine.run(limit=0)
    assert (done.returncode == 0) is serves, done.stderr
    assert ("ConfigMap/kube-system/bootstrap" in machine.objects) is serves
    assert ("overrides" not in machine.objects["ClusterVersion//version"]["spec"]) is serves


def test_one_master_is_enough_for_a_single_node_cluster(tmp_path: Path) -> None:
    pods = {"openshift-kube-apiserver": {"kube-apiserver-sno": 0}, "openshift-etcd": {"etcd-sno": 0}}
    machine = Machine(tmp_path, {"nodes": {"sno": 0}, "pods": pods})
    machine.environment("MASTERS=sno\nMASTERS_NEEDED=1\n")
    assert machine.run(limit=0).returncode == 0


def test_somebody_elses_pod_does_not_count(tmp_path: Path) -> None:
    pods = {
        **HERE["pods"],
        "openshift-kube-apiserver": {"kube-apiserver-guard-master-0": 0, "kube-apiserver-master-9": 0},
    }
    machine = Machine(tmp_path, {**HERE, "pods": pods})
    assert machine.run(limit=0).returncode == 1


def test_the_last_steps_go_through_the_load_balancer(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE)
    machine.run()
    through = [c for c in machine.calls if f"--kubeconfig={machine.root}/opt/openshift/auth/kubeconfig" in c]
    assert [c[3] for c in through] == ["patch", "get", "create"]
    assert through == machine.calls[-3:]


def test_without_a_plan_it_stops_at_once(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE)
    machine.environment("MASTERS_NEEDED=2\n")
    done = machine.run()
    assert done.returncode != 0
    assert "does not name the masters" in done.stderr


def test_without_manifests_it_says_that_the_machine_is_incomplete(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE, {})
    done = machine.run()
    assert done.returncode == 1
    assert "incomplete bootstrap.ign" in done.stderr


def test_shell_scripts_are_clean() -> None:
    scripts = [str(p) for p in SCRIPT.parent.glob("*.sh")]
    assert len(scripts) == 2
    done = subprocess.run(
        [Path(sys.executable).parent / "shellcheck", *scripts], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_no_failure_is_hidden() -> None:
    for script in SCRIPT.parent.glob("*.sh"):
        assert "|| true" not in script.read_text()
        assert "|| :" not in script.read_text()
        assert "set -euo pipefail" in script.read_text()
