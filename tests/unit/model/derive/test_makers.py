"""Who makes what: the release's operators, component by component, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import yaml

from hardway.manifests import cvo
from hardway.manifests.network import needs_status
from hardway.model.config.load import Inputs, load
from hardway.model.errors import ConfigError
from hardway.release.catalogue import release_for
from tests.support.clusters import install_config, load_cluster, made_by

STATIC = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler")
ALL = (*STATIC, "network")


def of_release(*operators, **settings):
    """Loaded with a release that deploys these operators."""
    release = made_by(load_cluster().cluster, *operators).release
    texts = Inputs(install_config=yaml.safe_dump(install_config()), settings=yaml.safe_dump(settings))
    return load(texts, lambda _: release)


@pytest.mark.parametrize("road", ["payload", "operators", "rendered"])
@pytest.mark.parametrize("operators", [(), ("etcd",), ("etcd", "kube-apiserver"), ALL])
def test_an_operator_makes_its_part_where_the_release_deploys_it(road, operators):
    cluster = of_release(*operators, road=road).cluster
    assert cluster.operators == operators
    assert cluster.kube_proxy is ("network" not in operators)


def test_a_program_that_only_reports_for_an_operator_makes_nothing():
    """As the lab's own does: the ClusterOperator is there, and the Deployment is not."""
    release = release_for("4.18.0")
    release = replace(release, brought=replace(release.brought, deployments=("openshift-lab/reports",)))
    texts = Inputs(install_config=yaml.safe_dump(install_config()), settings="road: hand\n")
    assert load(texts, lambda _: release).cluster.operators == ()


def test_by_hand_is_refused_where_operators_would_make_the_same_pods():
    with pytest.raises(ConfigError) as refused:
        of_release(*ALL, road="hand")
    [problem] = refused.value.problems
    assert (problem.rule, problem.path, problem.file, problem.line) == ("settings.road", "road", "hardway.yaml", 1)
    assert all(name in problem.message for name in STATIC)
    assert "network" not in problem.message
    assert f"unmanagedOperators: [{', '.join(STATIC)}]" in problem.fix


def test_one_that_is_not_named_is_enough_to_refuse():
    with pytest.raises(ConfigError) as refused:
        of_release(*ALL, road="hand", unmanagedOperators=list(STATIC[:3]))
    errors = [problem for problem in refused.value.problems if not problem.warning]
    assert [problem.rule for problem in errors] == ["settings.road"]
    assert "static pods: kube-scheduler." in errors[0].message


def test_by_hand_is_taken_where_no_operator_makes_static_pods():
    for operators in ((), ("network",)):
        assert of_release(*operators, road="hand").warnings == ()


def test_named_operators_are_overridden_for_good_and_that_is_said():
    loaded = of_release(*ALL, road="hand", unmanagedOperators=list(STATIC))
    assert (loaded.cluster.operators, loaded.cluster.unmanaged) == (("network",), STATIC)
    [warning] = loaded.warnings
    assert warning.rule == "settings.unmanaged"
    assert "refuses updates" in warning.message
    kept = json.loads(cvo._patch(loaded.cluster))["spec"]["overrides"]
    assert [(row["group"], row["kind"], row["namespace"], row["name"]) for row in kept[:2]] == [
        ("apps", "Deployment", "openshift-etcd-operator", "etcd-operator"),
        ("config.openshift.io", "ClusterOperator", "", "etcd"),
    ]
    assert len(kept) == 2 * len(STATIC)
    assert all(row["unmanaged"] is True for row in kept)


def test_what_the_release_does_not_have_needs_no_override():
    loaded = of_release("etcd", unmanagedOperators=["kube-scheduler"])
    assert (loaded.cluster.unmanaged, loaded.warnings) == ((), ())
    assert cvo._patch(loaded.cluster) == b'{"spec":{"overrides":null}}'


@pytest.mark.parametrize("name", ["network", "dns"])
def test_only_operators_whose_pods_are_in_our_tables_can_be_left_out(name):
    with pytest.raises(ConfigError) as refused:
        of_release(*ALL, unmanagedOperators=[name])
    assert [problem.path for problem in refused.value.problems] == ["unmanagedOperators[0]"]


@pytest.mark.parametrize(
    ("operators", "needed"), [((), False), (("etcd",), False), (("kube-apiserver",), True), (ALL, False)]
)
def test_the_network_needs_a_status_where_operators_read_what_nobody_reports(operators, needed):
    assert needs_status(of_release(*operators).cluster) is needed


def test_kube_proxy_is_brought_beside_a_network_operator_when_asked_for():
    assert of_release(*ALL, kubeProxy=True).cluster.kube_proxy
    assert not of_release(*ALL, kubeProxy=False).cluster.kube_proxy
    assert of_release("etcd", kubeProxy=False).cluster.kube_proxy
