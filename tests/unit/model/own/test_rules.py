"""What is refused of the user's own documents: each defect planted, and exactly that one found."""

from __future__ import annotations

from typing import Any

import pytest

from hardway.model.own.document import _lines
from tests.support.own import ROLE, config_map, documents, machine_config, read, text

CRD: dict[str, Any] = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "things.example.com"},
    "spec": {"group": "example.com", "names": {"kind": "Thing"}, "versions": [{"name": "v1"}]},
}
THING = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}}


def pool(name):
    about = {"apiVersion": "machineconfiguration.openshift.io/v1", "kind": "MachineConfigPool"}
    return about | {"metadata": {"name": name}}


def rules(*given):
    _, problems = read(x=text(*given))
    return [(problem.rule, problem.path) for problem in problems]


@pytest.mark.parametrize(
    ("given", "rule", "path"),
    [
        ([THING], "own.kind", "kind"),
        ([config_map() | {"kind": "Configmap"}], "own.kind", "kind"),
        ([config_map() | {"apiVersion": "v2"}], "own.kind", "kind"),
        ([machine_config(role="infra")], "own.role", "metadata.labels"),
        ([machine_config(config={"ignition": {"version": "3.5.0"}})], "own.ignition", "spec.config.ignition.version"),
        ([machine_config(config={"storage": {}})], "own.ignition", "spec.config.ignition.version"),
        ([pool("worker")], "own.pool", "metadata.name"),
        ([config_map(), config_map()], "own.twice", "metadata.name"),
        *(
            ([machine_config(name=name)], "own.machine-config-name", "metadata.name")
            for name in ("00-worker", "01-worker-kubelet", "99-worker-generated-registries", "rendered-worker-1")
        ),
    ],
)
def test_a_defect_is_found(given, rule, path):
    assert rules(*given) == [(rule, path)]


BINDING = {
    "apiVersion": "rbac.authorization.k8s.io/v1",
    "kind": "ClusterRoleBinding",
    "metadata": {"name": "system:a_B"},
}


def named(kind, name, api="v1"):
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name}}


@pytest.mark.parametrize(
    ("given", "must"),
    [
        (named("Namespace", "Bad_Name"), "a DNS label: "),
        (named("Namespace", "a.b"), "a DNS label: "),
        (named("Namespace", "a" * 64), "a DNS label: "),
        (named("Service", "1a"), "a DNS label that begins with a letter: "),
        (config_map("Bad"), "a DNS subdomain: "),
        (config_map("a..b"), "a DNS subdomain: "),
        (config_map("a" * 254), "a DNS subdomain: "),
        (BINDING | {"metadata": {"name": "a/b"}}, "a part of a path: "),
    ],
)
def test_a_name_that_the_api_server_refuses(given, must):
    _, [problem] = read(x=text(given))
    assert (problem.rule, problem.path) == ("own.name", "metadata.name")
    assert problem.fix.startswith(f"write {must}")


def test_a_namespace_that_cannot_be():
    assert rules(config_map(namespace="a.b")) == [("own.name", "metadata.namespace")]


def test_names_that_the_api_server_takes():
    assert rules(named("Namespace", "1-a"), named("Service", "a-1"), config_map("a.b-c.1"), BINDING) == []


MACHINE_CONFIG = """apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata:
  name: 50-a
  labels: {machineconfiguration.openshift.io/role: worker}
spec:
  config:
    ignition: {version: 3.2.0}
    storage:
      files:
      - path: /etc/a
        mode: MODE
        overwrite: OVERWRITE
        contents: {source: "SOURCE"}
      - path: PATH
    systemd:
      units:
      - name: UNIT
        enabled: ENABLED
        dropins:
        - name: DROPIN
  kernelArguments: ARGUMENTS
"""
FINE = {"MODE": "420", "PATH": "/etc/b", "UNIT": "a.service", "DROPIN": "a.conf", "OVERWRITE": "true"}
FINE |= {"SOURCE": "data:,a", "ENABLED": "false", "ARGUMENTS": "[audit=1]"}


def planted(**values):
    filled = MACHINE_CONFIG
    for word, value in (FINE | values).items():
        filled = filled.replace(word, value)
    return read(x=filled)[1]


@pytest.mark.parametrize(
    ("values", "rule", "line", "column", "said"),
    [
        ({"MODE": "644"}, "own.mode", 12, 9, "the decimal number 644 is the mode 01204 (F17)"),
        ({"MODE": "400"}, "own.mode", 12, 9, "the decimal number 400 is the mode 00620 (F17)"),
        ({"MODE": "'0644'"}, "own.mode", 12, 9, "is '0644', and must be a whole number"),
        ({"MODE": "4096"}, "own.mode", 12, 9, "is '4096', and must be a whole number of 0 to 4095 (07777)"),
        ({"PATH": "etc/b"}, "own.path", 15, 9, "is 'etc/b', and must be absolute"),
        ({"PATH": ""}, "own.path", 15, 9, "is missing"),
        ({"PATH": "/etc/a"}, "own.path", 15, 9, "/etc/a is in this MachineConfig twice"),
        ({"UNIT": "a"}, "own.unit", 18, 9, "is 'a', which is no unit"),
        ({"UNIT": ""}, "own.unit", 18, 9, "is missing"),
        ({"OVERWRITE": "'yes'"}, "own.boolean", 13, 9, "is 'yes', and must be true or false"),
        ({"SOURCE": "hello"}, "own.source", 14, 20, "is 'hello', which is no URL"),
        ({"ENABLED": "1"}, "own.boolean", 19, 9, "is '1', and must be true or false"),
        ({"ARGUMENTS": "audit=1"}, "own.kernel-arguments", 22, 3, "must be a list of texts"),
        ({"ARGUMENTS": "[1]"}, "own.kernel-arguments", 22, 3, "must be a list of texts"),
        ({"DROPIN": "a.service"}, "own.unit", 21, 11, "is 'a.service', which systemd does not read"),
    ],
)
def test_a_machine_config_that_machines_would_refuse(values, rule, line, column, said):
    [problem] = planted(**values)
    assert (problem.rule, problem.line, problem.column) == (rule, line, column)
    assert problem.message.startswith(said)
    assert problem.fix


@pytest.mark.parametrize("mode", ["420", "0644", "0600", "384", "0620", "0o644", "493", "511"])
def test_modes_that_are_meant(mode):
    assert planted(MODE=mode) == []


def test_the_fix_of_a_mode_is_the_right_number():
    assert planted(MODE="644")[0].fix.startswith("write 420, which is 0644")


def test_a_machine_config_without_a_role():
    lacking = machine_config()
    del lacking["metadata"]["labels"]
    assert rules(lacking) == [("own.role", "metadata")] or rules(lacking) == [("own.role", "metadata.labels")]


@pytest.mark.parametrize("role", [["worker"], {"worker": "worker"}, 7])
def test_a_role_that_is_no_text(role):
    assert rules(machine_config(role=role)) == [("own.role", "metadata.labels")]


def test_the_time_to_judge_many_files_grows_with_their_number_alone():
    files = [{"path": f"/{number}", "mode": 644} for number in range(100)]
    config = {"ignition": {"version": "3.2.0"}, "storage": {"files": files}}
    before = _lines.cache_info().misses
    assert len(rules(machine_config(config=config))) == 100
    assert _lines.cache_info().misses - before == 1


@pytest.mark.parametrize("given", [machine_config(), pool("infra"), CRD], ids=lambda given: given["kind"])
def test_a_namespace_does_not_make_another_object_of_what_is_in_none(given):
    hidden = given | {"metadata": given["metadata"] | {"namespace": "kube-system"}}
    assert rules(given, hidden) == [("own.scope", "metadata.namespace")]


@pytest.mark.parametrize(("scope", "found"), [("Cluster", [("own.scope", "metadata.namespace")]), ("Namespaced", [])])
def test_the_users_own_type_has_the_scope_of_its_crd(scope, found):
    crd = CRD | {"spec": CRD["spec"] | {"scope": scope}}
    assert rules(crd, THING, THING | {"metadata": {"name": "a", "namespace": "kube-system"}}) == found


def test_without_a_namespace_an_object_is_in_default():
    lacking = config_map()
    del lacking["metadata"]["namespace"]
    assert rules(lacking, config_map()) == [("own.twice", "metadata.name")]
    assert rules(lacking, config_map(namespace="kube-system")) == []


def test_what_is_fine():
    given = [
        CRD,
        THING,
        pool("infra"),
        machine_config(role="infra"),
        machine_config("50-kargs", kernelArguments=["quiet"]),
    ]
    arguments = machine_config("51-kargs")
    arguments["spec"] = {"kernelArguments": ["quiet"]}
    policy = {"apiVersion": "config.openshift.io/v1alpha1", "kind": "ClusterImagePolicy", "metadata": {"name": "a"}}
    assert len(documents(x=text(*given, arguments, policy))) == 7


def test_the_fix_of_an_unknown_kind_names_the_right_one():
    fixes = [
        read(x=text(given))[1][0].fix
        for given in (config_map() | {"kind": "Configmap"}, config_map() | {"apiVersion": "v2"})
    ]
    assert fixes == ["did you mean ConfigMap?", "ConfigMap is of v1"]


def test_all_problems_at_once_in_all_files():
    _, problems = read(
        a=text(THING, machine_config(role="x")), b="a: [\n", c=text(machine_config(name="00-master", role="master"))
    )
    assert sorted({(p.file, p.rule) for p in problems}) == [
        ("c/manifests/a.yaml", "own.kind"),
        ("c/manifests/a.yaml", "own.role"),
        ("c/manifests/b.yaml", "own.syntax"),
        ("c/manifests/c.yaml", "own.machine-config-name"),
    ]


def test_files_that_would_become_the_same():
    _, problems = read(**{"a": text(config_map("one"), config_map("two")), "a-1": text(config_map("three"))})
    assert [problem.rule for problem in problems] == ["own.file-name"]


def test_a_secret_is_not_shown():
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": 1}, "stringData": {"password": "hunter2"}}
    _, problems = read(x=text(secret))
    assert problems
    assert "hunter2" not in "".join(map(str, problems))
    assert "hunter2" not in repr(documents(x=text(secret | {"metadata": {"name": "a"}})))


def test_the_label_of_the_role_is_the_machine_config_operators():
    assert documents(x=text(machine_config()))[0].at("metadata.labels") == {ROLE: "worker"}
