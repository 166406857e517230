"""What bootkube.sh creates, in which order, with how few calls, and what it does about failures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from tests.support.bootkube_machine import HERE, MANIFESTS, Machine, crd, thing

STATUS = "spec: {}\nstatus:\n  said: ours\n"
SETTINGS = "ConfigMap/openshift-config/settings"


def theirs(text: str, **more: Any) -> dict[str, Any]:
    """The object of a manifest, as somebody else has made it."""
    document: dict[str, Any] = yaml.safe_load(text)
    document["metadata"]["resourceVersion"] = "7"
    return {k: v for k, v in document.items() if k != "status"} | {"by": "somebody else"} | more


def test_creates_types_then_namespaces_then_the_rest_and_reports(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE)
    done = machine.run()
    assert done.returncode == 0, done.stderr + done.stdout
    assert machine.attempts() == [
        ["infrastructures.yaml", "versions.yaml"],
        ["z-namespace.yaml", "a-settings.yaml", "99_ssh.yaml"],
        ["cluster-infrastructure.yml", "cvo-overrides.yaml"],
    ]
    assert machine.objects["ConfigMap/kube-system/bootstrap"]["data"] == {"status": "complete"}
    assert machine.finished()


def test_thirty_objects_take_no_more_calls_than_three(tmp_path: Path) -> None:
    def calls(count: int) -> int:
        many = {f"manifests/{n:03}.yaml": thing("ConfigMap", f"m{n}", "openshift-config") for n in range(count)}
        many |= {f"manifests/p{n:03}.yaml": thing("Proxy", f"p{n}", more=STATUS) for n in range(count)}
        machine = Machine(tmp_path / str(count), HERE, MANIFESTS | {"crds/proxies.yaml": crd("Proxy")} | many)
        done = machine.run()
        assert done.returncode == 0, done.stderr + done.stdout
        assert len([o for o in machine.objects.values() if o.get("status") == {"said": "ours"}]) == count
        return len(machine.calls)

    assert calls(3) == calls(30)


def test_what_one_file_lacks_stops_no_other_and_is_all_that_is_tried_again(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {**HERE, "refuse": {"a-settings.yaml": "data: Too long"}})
    done = machine.run(limit=1)
    assert done.returncode == 1
    assert machine.attempts()[3:]
    assert all(again == ["a-settings.yaml"] for again in machine.attempts()[3:])
    assert "Secret/kube-system/kubeadmin" in machine.objects
    assert machine.objects["Infrastructure//cluster"]["status"] == {"apiServerURL": "https://api"}
    said = [line for line in done.stdout.splitlines() if "not yet" in line]
    assert said == ["bootkube: not yet: a-settings.yaml: Error from server (Invalid): data: Too long"]


def test_gives_up_with_the_list_of_what_is_left_and_a_reason_for_each(tmp_path: Path) -> None:
    refused = {"a-settings.yaml": "data: Too long", "cvo-overrides.yaml": "spec: Required value"}
    machine = Machine(tmp_path, {**HERE, "refuse": refused})
    done = machine.run(limit=1)
    assert done.returncode == 1
    folder = "bootkube: left: /opt/openshift/manifests"
    assert f"{folder}/a-settings.yaml: Error from server (Invalid): data: Too long\n" in done.stdout
    assert f"{folder}/cvo-overrides.yaml: Error from server (Invalid): spec: Required value\n" in done.stdout
    assert "2 manifests could not be created" in done.stderr
    assert "Look with" in done.stderr
    assert "ConfigMap/kube-system/bootstrap" not in machine.objects
    assert not machine.finished()


def test_what_is_there_already_is_no_failure_and_stays_as_it_is(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE)
    found = [theirs(MANIFESTS[f"manifests/{name}.yaml"]) for name in ("a-settings", "z-namespace")]
    machine.put(*found)
    done = machine.run(limit=0)
    assert done.returncode == 0, done.stderr + done.stdout
    assert "exists" not in done.stdout
    assert machine.objects[SETTINGS] == found[0]
    assert machine.objects["Namespace//openshift-config"] == found[1]
    assert len(machine.attempts()) == 3


def test_a_lost_marker_costs_questions_but_no_object_is_written_over(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE)
    machine.run()
    objects = machine.objects
    (machine.root / "opt/openshift/.bootkube.done").unlink()
    for marker in (machine.root / "opt/openshift/.bootkube").iterdir():
        marker.unlink()
    assert machine.run(limit=0).returncode == 0
    assert machine.objects == objects


def test_an_object_that_appears_between_two_tries_is_somebodys(tmp_path: Path) -> None:
    """Its namespace is missing at first; then somebody makes both."""
    without = {name: text for name, text in MANIFESTS.items() if name != "manifests/z-namespace.yaml"}
    made = [theirs(MANIFESTS[f"manifests/{name}.yaml"]) for name in ("z-namespace", "a-settings")]
    machine = Machine(tmp_path, {**HERE, "others": [[14, one] for one in made]}, without)
    done = machine.run()
    assert done.returncode == 0, done.stderr + done.stdout
    assert machine.objects[SETTINGS] == made[1]
    said = [line for line in done.stdout.splitlines() if "a-settings" in line]
    why = 'Error from server (NotFound): namespaces "openshift-config" not found'
    assert said == [f"bootkube: not yet: a-settings.yaml: {why}"]


def test_an_object_that_is_there_counts_even_if_ours_would_be_refused(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {**HERE, "refuse": {"cluster-infrastructure.yml": "status: Required value"}})
    machine.put(theirs(MANIFESTS["manifests/cluster-infrastructure.yml"]))
    done = machine.run(limit=0)
    assert done.returncode == 0, done.stderr + done.stdout
    assert machine.objects["Infrastructure//cluster"]["by"] == "somebody else"
    assert machine.objects["Infrastructure//cluster"]["status"] == {"apiServerURL": "https://api"}


def test_a_client_that_dies_half_way_proves_nothing(tmp_path: Path) -> None:
    machine = Machine(tmp_path, {**HERE, "dies": {"5": 1, "6": 0}})
    done = machine.run()
    assert done.returncode == 0, done.stderr + done.stdout
    assert machine.attempts()[1] == machine.attempts()[3] == ["z-namespace.yaml", "a-settings.yaml", "99_ssh.yaml"]
    assert SETTINGS in machine.objects
    assert machine.objects["Infrastructure//cluster"]["status"] == {"apiServerURL": "https://api"}
    assert "no word of it" in done.stdout


def test_retries_what_needs_a_type_or_a_namespace_that_somebody_else_brings(tmp_path: Path) -> None:
    late = {
        **MANIFESTS,
        "openshift/99_master-ssh.yaml": thing("MachineConfig", "99-master-ssh"),
        "openshift/99_pool.yaml": thing("MachineConfigPool", "master"),
        "openshift/99_user-data.yaml": thing("Secret", "user-data", "openshift-machine-api"),
    }
    types = {"MachineConfig": 20, "MachineConfigPool": 26}
    machine = Machine(tmp_path, {**HERE, "types": types, "namespaces": {"openshift-machine-api": 30}}, late)
    done = machine.run()
    assert done.returncode == 0, done.stderr + done.stdout
    assert "MachineConfig//99-master-ssh" in machine.objects
    assert "MachineConfigPool//master" in machine.objects
    assert "Secret/openshift-machine-api/user-data" in machine.objects
    for name, kind in (("99_master-ssh.yaml", "MachineConfig"), ("99_pool.yaml", "MachineConfigPool")):
        (said,) = [line for line in done.stdout.splitlines() if name in line]
        assert said.startswith(f"bootkube: not yet: {name}: resource mapping not found")
        assert said.endswith(f'no matches for kind "{kind}" in version "config.openshift.io/v1"')


def test_a_file_counts_when_all_its_documents_are_there(tmp_path: Path) -> None:
    both = f"{thing('Secret', 'one', 'kube-system')}---\n{thing('Secret', 'two', 'openshift-late')}"
    machine = Machine(
        tmp_path, {**HERE, "namespaces": {"openshift-late": 16}}, MANIFESTS | {"openshift/two.yaml": both}
    )
    done = machine.run()
    assert done.returncode == 0, done.stderr + done.stdout
    assert {"Secret/kube-system/one", "Secret/openshift-late/two"} <= machine.objects.keys()


def test_a_field_that_the_type_does_not_have_stops_nobody_and_is_named(tmp_path: Path) -> None:
    more = {
        "manifests/b.yaml": thing("ConfigMap", "b", "kube-system", "unknown: 1\n"),
        "manifests/c.yaml": thing("Infrastructure", "c", more="unknown: 1\n"),
    }
    machine = Machine(tmp_path, {**HERE, "namespaces": {"openshift-late": 20}}, MANIFESTS | more)
    done = machine.run(limit=0)
    assert done.returncode == 0
    assert {"ConfigMap/kube-system/b", "Infrastructure//c"} <= machine.objects.keys()
    assert done.stdout.count('bootkube: Warning: unknown field "unknown"') == 1


def test_writes_the_status_that_a_create_drops(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE)
    machine.run()
    assert machine.objects["Infrastructure//cluster"]["status"] == {"apiServerURL": "https://api"}


def test_leaves_a_status_alone_that_is_there_already(tmp_path: Path) -> None:
    machine = Machine(tmp_path, HERE)
    live = theirs(MANIFESTS["manifests/cluster-infrastructure.yml"], status={"apiServerURL": "an operator's"})
    machine.put(live)
    assert machine.run().returncode == 0
    assert machine.objects["Infrastructure//cluster"] == live


def test_a_status_that_somebody_writes_meanwhile_stays(tmp_path: Path) -> None:
    live = theirs(MANIFESTS["manifests/cluster-infrastructure.yml"], status={"apiServerURL": "an operator's"})
    machine = Machine(tmp_path, {**HERE, "others": [[9, live]]})
    done = machine.run(limit=0)
    assert done.returncode == 0, done.stderr + done.stdout
    assert "--subresource=status" in machine.calls[8]
    assert machine.objects["Infrastructure//cluster"] == live


def test_a_status_that_is_refused_is_named_and_stops_no_other(tmp_path: Path) -> None:
    more = {"crds/proxies.yaml": crd("Proxy"), "manifests/proxy.yaml": thing("Proxy", more=STATUS)}
    machine = Machine(tmp_path, {**HERE, "no status for": ["Infrastructure//cluster"]}, MANIFESTS | more)
    done = machine.run(limit=1)
    assert done.returncode == 1
    assert "left: /opt/openshift/manifests/cluster-infrastructure.yml: Error from server (Forbidden)" in done.stdout
    assert "1 manifests could not be created" in done.stderr
    assert machine.objects["Proxy//cluster"]["status"] == {"said": "ours"}
