"""Which nodes may join, by a file that lists them: nothing is derived, and all that is wrong is told at once."""

from __future__ import annotations

import pytest

from hardway.drive.csr.judge import judge_all
from hardway.drive.csr.parse import parse
from hardway.drive.csr.plan import names, read_nodes
from hardway.model.errors import ConfigError
from tests.support.requests import client_request, serving_request

GOOD = """
hosts:
  bootstrap: {addresses: [192.0.2.10]}
  master-0: {hostname: control1.example.com, addresses: [192.0.2.11, "2001:db8::11"]}
  worker-0: {addresses: [192.0.2.21]}
"""


def test_nodes_are_called_as_the_file_says():
    plan = read_nodes(GOOD, "nodes.yaml")
    assert names(plan) == ["control1.example.com", "worker-0"]
    assert plan.masters[0].addresses == ("192.0.2.11", "2001:db8::11")
    assert [node.role for node in plan.workers] == ["worker"]


def test_requests_are_judged_by_it():
    plan = read_nodes(GOOD, "nodes.yaml")
    (master,), (worker,) = plan.masters, plan.workers
    items = [client_request(master, "a"), serving_request(master, "b"), client_request(worker, "c")]
    found = judge_all(map(parse, items), plan, stage=11, joined=[])
    assert [(v.request, v.good, v.rule) for v in found] == [("a", True, ""), ("b", True, ""), ("c", False, "time")]


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("", ["nodes.none"]),
        ("hosts: {bootstrap: {addresses: [192.0.2.10]}}", ["nodes.none"]),
        ("hosts: {control1: {addresses: [192.0.2.10]}}", ["nodes.role"]),
        ("hosts: {master-00: {addresses: [192.0.2.10]}}", ["nodes.role"]),
        ("hosts: {master-0: {hostname: a}, worker-0: {}}", ["nodes.addresses", "nodes.addresses"]),
        ("hosts: {master-0: {addresses: [127.0.0.1, '::1']}}", ["nodes.reach", "nodes.reach"]),
        ("hosts: {master-0: {addresses: [0.0.0.0]}, worker-0: {addresses: [169.254.0.1]}}", ["nodes.reach"] * 2),
        ("hosts: {master-0: {addresses: [a]}}", ["host.address"]),
        ("hosts: {master-0: {addresses: [192.0.2.1]}, master-1: {addresses: [192.0.2.1]}}", ["nodes.taken"]),
        (
            "hosts: {master-0: {hostname: a, addresses: [192.0.2.1]}, worker-0: {hostname: a, addresses: [192.0.2.2]}}",
            ["nodes.taken"],
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_told_at_once(text, rules):
    with pytest.raises(ConfigError) as error:
        read_nodes(text, "nodes.yaml")
    assert [problem.rule for problem in error.value.problems] == rules
    assert all(problem.fix and problem.file == "nodes.yaml" for problem in error.value.problems)


def test_a_node_is_named_by_its_key_too():
    from hardway.drive.csr.plan import name_of

    text = "hosts:\n  master-0: {hostname: control1.example.com, addresses: [192.0.2.11]}\n"
    plan = read_nodes(text, "nodes.yaml")
    assert name_of(plan, "master-0") == "control1.example.com"
    assert name_of(plan, "control1.example.com") == "control1.example.com"
    assert name_of(plan, "master-1") == "master-1"
